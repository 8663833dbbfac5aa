package memory

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Sizes of an extractive narrative, in tokens.
const (
	narrativeTokens = 800 // one segment's, without what it also mentions
	statementTokens = 48  // one statement in it
	mentionTokens   = 60  // "Also mentioned"
)

// Extract summarises a slice without a model: each interaction's request and
// answer, in the words of its messages, and the facts that the
// cues of cues.go find. The sentences around the quotes are English.
func Extract(sl *Slice) Summary {
	claims := extractClaims(sl)
	return Summary{Narrative: narrate(sl), Claims: claims, Method: Extractive}
}

// alsoMentioned opens the salient words that a narrative does not mention otherwise.
const alsoMentioned = "Also mentioned:"

// Mentions returns "Also mentioned: …" with the salient tokens of a slice that text
// lacks, or "".
func Mentions(sl *Slice, text string) string {
	var (
		found []string
		used  = Count(alsoMentioned + " .")
	)
	have := " " + strings.Join(rank.Words(text), " ") + " "
	for _, l := range sl.Lines {
		if l.Joking {
			continue
		}
		for _, token := range reading.Salient(l.Said) {
			words := " " + strings.Join(rank.Words(token), " ") + " "
			if strings.Contains(have, words) {
				continue
			}
			cost := Count(token) + 1
			if used+cost > mentionTokens {
				continue
			}
			found, used, have = append(found, token), used+cost, have+words[1:]
		}
	}
	if len(found) == 0 {
		return ""
	}
	return alsoMentioned + " " + strings.Join(found, "; ") + "."
}

// narrate summarises a slice by its most informative sentences, in order, one per line: who said what on which day.
func narrate(sl *Slice) string {
	list := statementsOf(sl)
	byWorth := slices.Clone(list)
	slices.SortStableFunc(byWorth, func(a, b *statement) int { return cmp.Compare(b.worth(), a.worth()) })
	left := narrativeTokens
	for i, st := range byWorth {
		if st.weight == 0 && i >= idleKept {
			break
		}
		if st.cost <= left && !st.unfit() {
			st.told, left = true, left-st.cost
		}
	}
	var parts []string
	for _, st := range list {
		if st.told {
			parts = append(parts, st.text)
		}
	}
	if len(parts) == 0 && len(sl.Lines) > 0 {
		first, last := sl.Lines[0], sl.Lines[len(sl.Lines)-1]
		parts = append(parts, fmt.Sprintf("Between %s and %s, %d messages were exchanged.", first.day(), last.day(), len(sl.Lines)))
	}
	text := strings.Join(parts, "\n")
	if m := Mentions(sl, text); m != "" {
		text += "\n" + m
	}
	return text
}

// courtesy is the most salience of what nobody asks about later.
const courtesy = 2

// idleKept is how many courtesies are included if there is nothing else.
const idleKept = 3

// statement is one sentence of a narrative, with who said it and when.
type statement struct {
	text   string
	said   string // what it is made of, whole; "" for what nobody said
	weight int
	cost   int // tokens
	told   bool
}

// unfit reports whether it must not be told.
func (st *statement) unfit() bool { return reading.Risky(st.said) || codeLine.MatchString(st.said) }

// worth is how informative a statement is for its length.
func (st *statement) worth() float64 { return float64(st.weight) / math.Sqrt(float64(st.cost)) }

func statementsOf(sl *Slice) []*statement {
	var list []*statement
	for _, l := range sl.Lines {
		if l.Joking {
			continue
		}
		for i, sentence := range reading.MessageSentences(reading.WithoutLinks(reading.PlainLines(bounded(l.Said)))) {
			weight := max(salience(sentence)-min(i, 4), 0)
			if weight <= courtesy && !l.Human() { // "Noted."
				continue
			}
			st := newStatement(l, shorten(sentence, statementTokens), weight)
			st.said = sentence
			list = append(list, st)
		}
		if len(l.Documents) > 0 {
			st := &statement{text: "On " + l.day() + ", " + l.Name() + " answered from " + strings.Join(l.Documents, ", ") + ".", weight: 6}
			st.cost = Count(st.text)
			list = append(list, st)
		}
	}
	return list
}

func newStatement(l Line, sentence string, weight int) *statement {
	verb := "said"
	if strings.HasSuffix(sentence, "?") {
		verb = "asked"
	}
	st := &statement{text: fmt.Sprintf("On %s, %s %s “%s”", l.day(), l.Name(), verb, sentence), weight: weight}
	st.cost = len(st.text)/4 + 1
	return st
}

// day is the day of a line as summaries write it.
func (l Line) day() string { return l.Time().Format("2 January 2006") }

// bounded is the beginning and the end of a very long text.
func bounded(text string) string {
	const most = 16_000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most/2]+"\n"+text[len(text)-most/2:], "")
}
