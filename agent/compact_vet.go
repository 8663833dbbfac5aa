package agent

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Limits of a summary. Sources: the schema's own words, and for the share the
// rule that a third of invention spoils the rest.
const (
	narrativeCap = 600 // tokens; twice what the prompt asks for
	factChars    = 240
	quoteWords   = 40
	droppedShare = 0.30 // of a narrative's sentences
)

// failedNarrative matches what an error or a refusal looks like at the beginning of a
// narrative.
var failedNarrative = reading.Lazy(`(?i)^\W*(error\b|exception\b|traceback\b|an? (unexpected |internal )?error (occurred|has occurred)|failed to\b|(http )?[45]\d\d\b` +
	`|i('m| am) (sorry|unable)|i apologi[sz]e|sorry[,.]|i (can('|no)t|cannot|could not|won't)\b|as an ai\b|no summary|\(?no conversation|rate limit)` +
	`|error generating summary|maximum context length|RateLimitError|APIConnectionError`)

// vet checks a parsed answer against the messages it was made from. It drops
// what they do not support, and rejects everything if that is too much. Kept are the facts that it was shown beside them.
func vet(made *summaryJSON, slice *memory.Slice, kept []*memory.Fact, system string) (memory.Summary, error) {
	narrative := loose(made.Narrative)
	switch {
	case narrative == "":
		return memory.Summary{}, rejected("empty", `"narrative" was empty`)
	case failedNarrative.MatchString(narrative):
		return memory.Summary{}, rejected("apology", `"narrative" was an error message or an apology`)
	case memory.Count(narrative) > narrativeCap:
		return memory.Summary{}, rejected("too long", `"narrative" was longer than 200 words`)
	case leaks(narrative, runsOf(system)):
		return memory.Summary{}, rejected("copied", `"narrative" repeated the instructions`)
	}
	before := termsBefore(kept, slice, system)
	narrative, err := vetNarrative(narrative, slice, before)
	if err != nil {
		return memory.Summary{}, err
	}
	s := memory.Summary{Narrative: narrative}
	told := narrative
	for _, f := range made.Facts {
		if claim, ok := vetFact(f, slice); ok && !before.in(claim.Text) {
			if n := f.Replaces; n > 0 && n <= len(kept) {
				claim.Replaces = kept[n-1].ID
			}
			s.Claims = append(s.Claims, claim)
			if !claim.Done && !claim.Quarantined { // those are not shown
				told += " " + claim.Text
			}
		}
	}
	if m := memory.Mentions(slice, told); m != "" {
		s.Narrative += " " + m
	}
	return s, nil
}

// vetNarrative drops sentences with numbers or names that the slice does not
// hold, or that leave out a negation, and in silence those that tell nothing of it.
func vetNarrative(narrative string, slice *memory.Slice, before termSet) (string, error) {
	source := sourceOf(slice.Lines...)
	negated, g := negatedSentences(slice.Lines), groundsOf(narrative, source, slice)
	sentences := reading.MessageSentences(narrative)
	var kept, unsupported []string
	dropped := 0
	for _, s := range sentences {
		missing := rank.Missing(s, source)
		if flips(s, negated) {
			missing = append(missing, "a negation")
		}
		if len(missing) > 0 {
			unsupported, dropped = append(unsupported, missing...), dropped+1
			continue
		}
		if !reading.Secret(s) && !reading.Commanding(s) && !before.in(s) && g.holds(s) {
			kept = append(kept, s)
		}
	}
	if float64(dropped) > droppedShare*float64(len(sentences)) {
		return "", rejected("unsupported", "the lines do not support: %s", strings.Join(unsupported, ", "))
	}
	if len(kept) == 0 {
		return "", rejected("empty", `"narrative" said nothing that can be kept`)
	}
	return strings.Join(kept, " "), nil
}

// termSet is a set of terms.
type termSet map[string]bool

func (s termSet) in(text string) bool {
	return len(s) > 0 && slices.ContainsFunc(rank.Terms(text), func(t string) bool { return s[t] })
}

// termsBefore are the terms that kept facts of one time have, and neither a line nor our instructions. Nothing of them is told
// again: the erasure of the message that they come from would not find it here.
func termsBefore(kept []*memory.Fact, slice *memory.Slice, system string) termSet {
	only, at := termSet{}, map[string]int64{}
	for _, f := range kept {
		for _, t := range reading.ContentTerms(f.Text) {
			said, known := at[t]
			only[t] = !known || only[t] && said == f.AssertedAt
			at[t] = f.AssertedAt
		}
	}
	for _, t := range append(rank.Terms(sourceOf(slice.Lines...)+system), reporting()...) {
		delete(only, t)
	}
	return only
}

var factKinds = []memory.FactKind{memory.Preference, memory.Constraint, memory.KeyFact, memory.Decision, memory.OpenQuestion, memory.Todo}

// vetFact turns a fact into a claim, or reports false: its quote has to stand in
// its line, and everything it states in that line too.
func vetFact(f factJSON, slice *memory.Slice) (memory.Claim, bool) {
	if f.Line < 1 || f.Line > len(slice.Lines) {
		return memory.Claim{}, false
	}
	l := slice.Lines[f.Line-1]
	kind, statement, quote := memory.FactKind(f.Kind), f.Text, f.Quote
	words := len(strings.Fields(quote))
	if l.Joking || !slices.Contains(factKinds, kind) || statement == "" || len([]rune(statement)) > factChars || words == 0 || words > quoteWords {
		return memory.Claim{}, false
	}
	around := quotedSentences(l.Said, quote)
	if around == "" || reading.Secret(statement) || reading.Secret(around) {
		return memory.Claim{}, false
	}
	if !reading.Denies(statement) && !refusing.MatchString(rank.Fold(statement)) && affirms(statement, around) || reading.Denies(statement) && !deniedIn(l, around, statement) ||
		hedge.MatchString(rank.Fold(around)) && !hedge.MatchString(rank.Fold(statement)) {
		return memory.Claim{}, false
	}
	if !ofAllIn(statement).saidIn(l.Said) {
		return memory.Claim{}, false
	}
	if !namedBefore(rank.Missing(statement, sourceOf(l)), f.Subject, f.Line-1, slice) || beginsWithAnother(statement, l, slice) {
		return memory.Claim{}, false
	}
	rule, program := kind == memory.Preference || kind == memory.Constraint, !l.Human() || l.Bot
	switch {
	case kind == memory.Preference && program:
		return memory.Claim{}, false
	case rule && (program || speaksForAnother(f.Subject, l, slice)), l.Human() && reading.InQuotes(l.Said, quote):
		kind = memory.KeyFact // it is reported, and not theirs
	}
	c := memory.Claim{Kind: kind, Subject: f.Subject, Slot: f.Slot, Text: statement, MessageID: l.ID, Quote: quote,
		Done: f.Done, Quarantined: reading.Commanding(statement) || reading.Commanding(around)}
	switch kind {
	case memory.Preference, memory.Constraint:
		c.Subject = l.Name()
	case memory.KeyFact: // "price" is another attribute of each thing
		c.Slot = slotOf(c.Subject, c.Slot)
	}
	if day, err := time.ParseInLocation(time.DateOnly, f.Until, l.Time().Location()); err == nil && day.AddDate(0, 0, 1).UnixMilli() > l.At {
		c.ExpiresAt = day.AddDate(0, 0, 1).UnixMilli()
	}
	return c, true
}

// namedBefore reports whether all that a statement names and its line does not are things that a line before it names:
// "it costs 20" may be told as "RabbitMQ costs 20". Numbers and people have to stand in the line itself, but a name with
// digits, such as INC-3391, only if the fact is not about it.
func namedBefore(missing []string, subject string, line int, slice *memory.Slice) bool {
	return !slices.ContainsFunc(missing, func(name string) bool {
		in := func(text string) bool { return rank.HasWords(text, name) }
		coded := strings.ContainsAny(name, "0123456789")
		return coded && (strings.IndexFunc(name, unicode.IsLetter) < 0 || !in(subject)) ||
			slices.ContainsFunc(slice.Lines, func(l memory.Line) bool { return in(l.Name()) }) ||
			!slices.ContainsFunc(slice.Lines[:line], func(l memory.Line) bool { return in(l.Said) })
	})
}

// slotOf is a slot with the subject it is about, unless that is in it already or there is no slot.
func slotOf(subject, slot string) string {
	terms := rank.Terms(slot)
	if len(terms) == 0 || !slices.ContainsFunc(rank.Terms(subject), func(t string) bool { return !slices.Contains(terms, t) }) {
		return slot
	}
	return subject + " " + slot
}

// refusing matches folded words that deny without a negation, as models use them to tell what somebody did not want.
var refusing = reading.Lazy(`\b(refuse[sd]?|reject(?:s|ed)?|decline[sd]?|oppose[sd]?|against|avoid(?:s|ed)?|rule[sd]? out|lehnt|schliesst|schloss|gegen|contre|refus\w*|contra|rechaz\w*)\b`)

// clauseEnd is where a clause ends: "Castell is 33,180, not 31,800" denies in its second one only.
var clauseEnd = reading.Lazy(`[,;:.!?]+(?:\s+|$)|\n|\b(?:but|aber|sondern|mais|pero|sino)\b`)

// affirms reports whether a statement without a denial says what the denying clauses around its quote deny, or rests on
// none of the others.
func affirms(statement, around string) bool {
	if !reading.Denies(around) {
		return false
	}
	said, supported, denied := rank.Terms(statement), false, false
	for _, clause := range clauseEnd.Split(around, -1) {
		terms := rank.Terms(clause)
		shared := len(terms) - len(slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return slices.Contains(said, t) }))
		switch {
		case !reading.Denies(clause):
			supported = supported || shared > 0
		case len(terms) == 0 || shared >= 2 || 2*shared >= len(terms):
			return true
		default:
			denied = true
		}
	}
	return !supported || !denied
}

// deniedIn reports whether the denial of a statement stands in its line: in the sentences around its quote, or in another
// that has two of its terms.
func deniedIn(l memory.Line, around, statement string) bool {
	terms := rank.Terms(statement)
	return reading.Denies(around) || slices.ContainsFunc(negatedSentences([]memory.Line{l}), func(negated []string) bool {
		shared := slices.DeleteFunc(slices.Clone(negated), func(t string) bool { return !slices.Contains(terms, t) })
		return len(shared) >= 2
	})
}

// speaksForAnother reports whether subject names somebody in the slice who is
// not the author of l.
func speaksForAnother(subject string, l memory.Line, slice *memory.Slice) bool {
	subject = rank.Fold(subject)
	for _, other := range slice.Lines {
		if name := rank.Fold(other.Name()); name == subject && name != rank.Fold(l.Name()) {
			return true
		}
	}
	return false
}

// beginsWithAnother reports whether a statement begins with the name of somebody in the slice who neither
// wrote l nor is named in it. rank.Missing ignores a name at the very beginning.
func beginsWithAnother(statement string, l memory.Line, slice *memory.Slice) bool {
	words := rank.Words(statement)
	for _, other := range slice.Lines {
		name := rank.Words(other.Name())
		if other.Human() && len(words) > 0 && len(name) > 0 && words[0] == name[0] && !rank.Stop(name[0]) && !slices.Contains(rank.Words(l.Name()+" "+l.Said), name[0]) {
			return true
		}
	}
	return false
}

// quotedSentences are the sentences of text that quote lies in, or "" if it does
// not stand there. Spellings that fold alike are equal.
func quotedSentences(text, quote string) string {
	q := strings.Trim(rank.Fold(quote), `"' `)
	if q == "" || !strings.Contains(rank.Fold(text), q) {
		return ""
	}
	sentences := reading.MessageSentences(text)
	for from := range sentences {
		for to := from + 1; to <= len(sentences); to++ {
			joined := strings.Join(sentences[from:to], " ")
			if to-from > 3 {
				break
			}
			if strings.Contains(rank.Fold(joined), q) {
				return joined
			}
		}
	}
	return text
}

// sourceOf is all that a statement about lines may name: what was said, by whom,
// on which day, and the days its words mean.
func sourceOf(lines ...memory.Line) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, l := range lines {
		b.WriteString(l.Said + "\n")
		context := []string{l.Name(), "User", "Assistant"}
		context = append(context, l.Documents...)
		for _, day := range meantDays(l) {
			context = append(context, day.Format("Monday 2 January 2006"), day.Format(time.DateOnly))
		}
		for _, c := range context {
			if !seen[c] {
				seen[c] = true
				b.WriteString("it was " + c + "\n")
			}
		}
	}
	return b.String()
}

// meantDays are the days that a line may mean, counted from its own: that one and those beside it, those of the
// weekdays it names within two weeks, those of the month and day it names within a year, and those that many days, weeks or months away.
// English, German, French, Spanish.
func meantDays(l memory.Line) []time.Time {
	at := l.Time()
	days := []time.Time{at.AddDate(0, 0, -1), at, at.AddDate(0, 0, 1)}
	said := map[string]bool{}
	for w := range strings.FieldsFuncSeq(rank.Fold(l.Said), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		said[strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(w, "th"), "st"), "nd"), "rd")] = true
	}
	named := func(names string) bool {
		return slices.ContainsFunc(strings.Fields(names), func(n string) bool { return said[n] })
	}
	for offset := -14; offset < 366; offset++ {
		day := at.AddDate(0, 0, offset)
		if offset <= 14 && named(weekdayNames[day.Weekday()]) || said[strconv.Itoa(day.Day())] && (offset <= 31 && offset >= 0 || named(monthNames[day.Month()-1])) {
			days = append(days, day)
		}
	}
	for _, m := range inTime.FindAllStringSubmatch(rank.Fold(l.Said), -1) {
		n, _ := strconv.Atoi(m[1])
		n = max(n, 1) // "a week"
		switch m[2][0] {
		case 'd', 't', 'j':
			days = append(days, at.AddDate(0, 0, n))
		case 'w', 's':
			days = append(days, at.AddDate(0, 0, 7*n))
		case 'm':
			days = append(days, at.AddDate(0, n, 0))
		}
	}
	return days
}

// inTime matches, in folded text, how far away something is: its number, "" for one, and its unit.
var inTime = reading.Lazy(`\b(?:in|within|dans|en|dentro de) (?:(\d{1,2})|an?|one|einer|einem|une?|una?) (days?|tag\w*|jours?|dias?|weeks?|woche\w*|semaines?|semanas?|months?|monat\w*|mois|mes\w*)\b`)

// weekdayNames and monthNames are folded; they begin with Sunday and January.
var (
	weekdayNames = []string{"sunday sonntag dimanche domingo", "monday montag lundi lunes", "tuesday dienstag mardi martes", "wednesday mittwoch mercredi miercoles",
		"thursday donnerstag jeudi jueves", "friday freitag vendredi viernes", "saturday samstag samedi sabado"}
	monthNames = []string{"january januar janvier enero jan", "february februar fevrier febrero feb", "march marz mars marzo mar", "april avril abril apr",
		"may mai mayo", "june juni juin junio jun", "july juli juillet julio jul", "august aout agosto aug", "september septembre septiembre sep sept",
		"october oktober octobre octubre oct", "november novembre noviembre nov", "december dezember decembre diciembre dec"}
)

// hedge matches folded text in English, German, French, Spanish, Italian,
// Portuguese and Dutch.
var hedge = reading.Lazy(`\b(maybe|perhaps|probably|possibly|might|may be|likely|vielleicht|wahrscheinlich|moglicherweise|peut-etre|probablement|quiza|quizas|probablemente|forse|probabilmente|talvez|provavelmente|misschien|waarschijnlijk)\b`)

func negatedSentences(lines []memory.Line) [][]string {
	var list [][]string
	for _, l := range lines {
		for _, s := range reading.MessageSentences(memory.Elide(l.Said, lineTokens)) {
			if terms := rank.Terms(s); reading.Denies(s) && len(terms) >= 2 {
				list = append(list, terms)
			}
		}
	}
	return list
}

// flips reports whether a sentence says all that a denying one says, without
// denying it.
func flips(sentence string, negated [][]string) bool {
	if reading.Denies(sentence) || refusing.MatchString(rank.Fold(sentence)) {
		return false
	}
	terms := rank.Terms(sentence)
	for _, n := range negated {
		held := 0
		for _, t := range n {
			if slices.Contains(terms, t) {
				held++
			}
		}
		if held == len(n) {
			return true
		}
	}
	return false
}
