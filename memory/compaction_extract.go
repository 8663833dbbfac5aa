package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Sizes of an extractive narrative, in tokens.
const (
	narrativeTokens = 300 // one segment's, without what it also mentions
	requestTokens   = 32  // one request or answer in it
	mentionTokens   = 60  // "Also mentioned"
)

// Extract summarises a slice without a model: what each interaction asked and
// how it was answered, in the words of its messages, and the facts that the
// cues of cues.go find. The sentences around the quotes are English.
func Extract(sl *Slice) Summary {
	claims := extractClaims(sl)
	return Summary{Narrative: narrate(sl), Claims: claims, Method: Extractive}
}

// Mentions is "Also mentioned: …" with the salient tokens of a slice that text
// lacks, or "".
func Mentions(sl *Slice, text string) string {
	var (
		found []string
		used  = Count("Also mentioned: .")
	)
	have := " " + strings.Join(rank.Words(text), " ") + " "
	for _, l := range sl.Lines {
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
	return "Also mentioned: " + strings.Join(found, ", ") + "."
}

// narrate tells a slice interaction by interaction. When that is too long the
// answers are left out, from the oldest on, then the requests that tell least.
func narrate(sl *Slice) string {
	list := withoutIdle(exchanges(sl.Lines))
	total := 0
	for _, x := range list {
		x.cost = Count(x.tell(true))
		total += x.cost
	}
	for _, x := range list {
		if total <= narrativeTokens {
			break
		}
		x.answer, x.documents = "", nil
		cost := Count(x.tell(false))
		total, x.cost = total-x.cost+cost, cost
	}
	list = mostTelling(list, total)
	var parts []string
	day := ""
	for _, x := range list {
		today := date(x.at)
		if part := x.tell(today != day); part != "" {
			parts, day = append(parts, part), today
		}
	}
	if len(parts) == 0 && len(sl.Lines) > 0 {
		first, last := sl.Lines[0], sl.Lines[len(sl.Lines)-1]
		parts = append(parts, fmt.Sprintf("Between %s and %s, %d messages were exchanged.", date(first.At), date(last.At), len(sl.Lines)))
	}
	text := strings.Join(parts, " ")
	if m := Mentions(sl, text); m != "" {
		text += " " + m
	}
	return text
}

// idleWorth is the worth below which an exchange is a courtesy: "thanks", "lunch is ready".
const idleWorth = 4

// idleKept is how many of the last exchanges are told where all are courtesies.
const idleKept = 3

// withoutIdle leaves courtesies out.
func withoutIdle(list []*exchange) []*exchange {
	var telling []*exchange
	for _, x := range list {
		if x.worth() >= idleWorth || len(x.documents) > 0 {
			telling = append(telling, x)
		}
	}
	if len(telling) == 0 {
		return list[max(0, len(list)-idleKept):]
	}
	return telling
}

// mostTelling leaves exchanges out until the rest costs narrativeTokens: first those
// with the fewest salient tokens and words, of equal ones the older.
func mostTelling(list []*exchange, total int) []*exchange {
	byWorth, worth := slices.Clone(list), make(map[*exchange]int, len(list))
	for _, x := range list {
		worth[x] = x.worth()
	}
	slices.SortStableFunc(byWorth, func(a, b *exchange) int { return worth[a] - worth[b] })
	out := map[*exchange]bool{}
	for _, x := range byWorth {
		if total <= narrativeTokens {
			break
		}
		out[x], total = true, total-x.cost
	}
	return slices.DeleteFunc(list, func(x *exchange) bool { return out[x] })
}

// exchange is one interaction as the narrative tells it.
type exchange struct {
	at               int64
	asker, request   string
	answerer, answer string
	documents        []string
	cost             int // tokens
}

func (x *exchange) worth() int {
	return 10*len(reading.Salient(x.request)) + len(rank.Terms(x.request))
}

// tell is the exchange in one sentence, or "" if there is nothing to tell.
func (x *exchange) tell(dated bool) string {
	var b strings.Builder
	if x.request != "" {
		verb := "said"
		if strings.HasSuffix(x.request, "?") {
			verb = "asked"
		}
		fmt.Fprintf(&b, "%s %s: “%s”", x.asker, verb, x.request)
	}
	var answers []string
	if len(x.documents) > 0 {
		answers = append(answers, "answered from "+strings.Join(x.documents, ", "))
	}
	if x.answer != "" {
		answers = append(answers, "answered: “"+x.answer+"”")
	}
	for _, answer := range answers {
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(x.answerer + " " + answer)
	}
	if b.Len() == 0 {
		return ""
	}
	if dated {
		return "On " + date(x.at) + ", " + b.String() + "."
	}
	return b.String() + "."
}

// date is a day as summaries write it, in UTC.
func date(at int64) string { return time.UnixMilli(at).UTC().Format("2 January 2006") }

func exchanges(lines []Line) []*exchange {
	var (
		list []*exchange
		by   = map[int64]*exchange{}
	)
	for _, l := range lines {
		x := by[l.InteractionID]
		if x == nil || l.Human() && x.request != "" && x.asker != l.Name() {
			x = &exchange{at: l.At}
			by[l.InteractionID] = x
			list = append(list, x)
		}
		sentences := slices.DeleteFunc(reading.MessageSentences(reading.WithoutLinks(reading.PlainLines(bounded(l.Said)))), reading.Risky)
		switch {
		case l.Human() && x.request == "" && len(sentences) > 0:
			x.asker, x.request = l.Name(), shorten(sentences[0], requestTokens)
		case !l.Human():
			x.answerer = l.Name()
			if len(sentences) > 0 {
				x.answer = shorten(sentences[len(sentences)-1], requestTokens)
			}
			x.documents = append(x.documents, l.Documents...)
		}
	}
	return list
}

// bounded is the beginning and the end of a very long text.
func bounded(text string) string {
	const most = 16_000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most/2]+"\n"+text[len(text)-most/2:], "")
}
