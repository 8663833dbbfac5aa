package agent

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"threadkeeper/docs"
	"threadkeeper/docs/figures"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// sought is what a request looks for, judging by its words.
type sought struct {
	parts    []part
	figure   bool // is what answers
	amount   bool // is asked for
	own      bool // about the asker's own affairs
	again    bool // what was asked before is asked again
	saying   bool // about messages
	compares bool // with a number or a date
	request  string
	numbered []numbered
}

// part is a word of a request, or a phrase that people use others for.
type part struct {
	word   string // as the request writes it
	phrase reading.Phrase
	others []reading.Phrase // that mean the same
	slip   reading.Phrase   // what it may be misspelt for
	light  bool             // says little about the subject
	digits bool             // a number
	packed bool             // of a script without spaces: a share of it counts
	pair   reading.Phrase   // it and the part before it, where they stand side by side
	weight float64
}

// How much a part counts when it is in a text, beside it, in the document's name or on the page; and how much less
// a synonym or a misspelt word counts.
const (
	inText, inTitle, inName, onPage = 1, 0.7, 0.8, 0.3
	asOther                         = 0.85
	lightWeight                     = 0.3
	unknownWeight                   = 0.35
)

// idle are folded words that only ask or point, and light ones that mean little beside others.
var (
	idle = reading.WordSet(`say said says saying tell told mention mentioned know find show give see look search compare comparison difference differences
		versus vs anything everything something things thing anyone anybody someone somebody everyone everybody nobody happen happens happened far please pls plz what who whom whose which when where why how any there here us them die pour sin again still against between within without after before during under over above below off out up down via whats hows wheres whos does did do don doesn didn isn aren wasn weren haven hasn hadn wouldn couldn shouldn t is are was were am been the about much many long often already now either neither all every par
		information info detail details overview explain describe mean means according quote cite okay ok so then also too just really actually both some one stuff together thx ppl gonna lets im
		sag sagen gesagt schon zeig zeige such suche finde wissen weiss unterschied vergleiche bitte was wer wo wann warum wieso wie lang lange welche welcher welches dokument bericht datei seite viel viele hoch gibt wir kannst
		faut deja dis dire trouve montre cherche savoir difference compare quoi qui ou quand comment pourquoi quel quelle quels quelles combien fichier rapport document y
		di decir busca muestra saber diferencia compara que quien donde cuando como cual cuanto cuanta cuantos cuantas archivo informe documento hay pasa`)
	units = reading.WordSet(`fy usd eur gbp chf us u s`) // written like names, and they name nothing
	light = reading.WordSet(`hour hours day days week weeks month months year years stunde stunden tag tage woche wochen monat monate jahr jahre heure heures jour jours semaine semaines mois an ans annee annees hora horas dia dias semana semanas meses ano anos document documents report reports file files pdf page pages allowed permitted may darf durfen erlaubt permis autorise permitido period periods term terms condition conditions rule rules policy get gets got getting have has had make makes made take takes took use uses used using go goes going went come comes put need needs want
		wants do doing pay pays paid paying work works get give gives let keep thing way kind type new current currently good bad total overall main key general company
		bekommt bekommen haben hat macht machen nehmen neu aktuell gut faire fait avoir prendre bon nouveau hacer hace tener tiene nuevo bueno`)
	mine = reading.WordSet(`my mine i i'm me mein meine meinen meinem meiner ich mir mich mon ma mes je j moi mi mis yo mio mia io meu minha mijn ik`)
)

// look reads what a request looks for.
func look(request string) sought {
	s := sought{request: request, figure: reading.AsksFigure(request), amount: reading.AsksAmount(request), compares: figures.Compares(request), numbered: numberedIn(request)}
	for _, w := range rank.Words(request) {
		s.own = s.own || mine[w]
		s.saying = s.saying || sayingWords[w]
	}
	for _, n := range s.numbered {
		request = strings.Replace(request, n.text, " ", 1)
	}
	if s.parts = partsOf(request, false); len(s.parts) == 0 && len(s.numbered) == 0 {
		s.parts = partsOf(request, true)
	}
	return s
}

// sayingWords are folded words of what people do with words.
var sayingWords = reading.WordSet(`said say tell told mention mentioned talk talked discuss discussed decide decided agree agreed happen happened suggest suggested propose proposed
	gesagt erwahnt besprochen entschieden beschlossen vereinbart dit parle decide convenu dijo dije dijimos hablamos decidimos acordamos`)

// partsOf are the parts of a text without words that only ask; with all, those that ask about something count as well.
func partsOf(text string, all bool) []part {
	var parts []part
	text = dayNumber.ReplaceAllString(text, "$1")
	together := reading.PhraseSet(text)
	words := strings.FieldsFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune(`"“”„«»()[]{}<>¿¡?？!…`, c)
	})
	var terms []string // of words, one each; "" where a word has none or several
	for i, w := range words {
		words[i] = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(w, ".,;:'’-*_`"), "'s"), "’s") // "50,000" is one
		t := rank.Terms(words[i])
		if len(t) != 1 {
			t = []string{""}
		}
		terms = append(terms, t[0])
	}
	for i := 0; i < len(words); {
		n, others := 1, []reading.Phrase(nil)
		if terms[i] != "" {
			run := terms[i:]
			if end := slices.Index(run, ""); end >= 0 {
				run = run[:end]
			}
			n, others = reading.Alike(run)
		}
		word := strings.Join(words[i:i+n], " ")
		p := part{word: word, phrase: rank.Terms(word), others: others, weight: 1}
		folded := rank.Fold(word)
		p.packed = strings.ContainsFunc(word, func(c rune) bool {
			return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		})
		switch {
		case shortCode.FindString(word) == word && word != "":
			p.phrase = reading.Phrase{folded}
		case p.packed:
			p.phrase = reading.ContentTerms(word)
		case len(p.phrase) > 1 || units[folded]: // "FY2018"
			p.phrase = slices.DeleteFunc(p.phrase, func(t string) bool { return units[t] })
		case n == 1 && (idle[folded] || rank.Stop(folded) || !all && framed(word)):
			p.phrase = nil
		case n == 1 && light[folded]:
			p.light = true
		}
		p.digits = reading.HoldsFigure(word)
		if n := len(parts) - 1; n >= 0 && !p.packed && !p.digits && !parts[n].digits {
			if pair := slices.Concat(parts[n].phrase, p.phrase); pair.In(together) {
				p.pair = pair
			}
		}
		if len(p.phrase) > 0 && !slices.ContainsFunc(parts, p.means) {
			parts = append(parts, p)
		}
		i += n
	}
	if !slices.ContainsFunc(parts, func(p part) bool { return !p.light }) {
		for i := range parts {
			parts[i].light = false
		}
	}
	return parts
}

// means reports whether a part says no more than another one: "until when do I finish".
func (p part) means(o part) bool {
	same := func(q reading.Phrase) bool { return slices.Equal(q, p.phrase) }
	return same(o.phrase) || slices.ContainsFunc(o.others, same)
}

// names reports whether a part is a word that counts.
func (p part) names() bool { return !p.light && !p.digits }

// tells reports whether a part says what is asked about: neither a number nor a word that means little beside others.
func (p part) tells() bool {
	word := rank.Fold(p.word)
	return !p.digits && !light[word] && reading.SmallNumber(word) == 0 && !slices.Contains(strings.Split(continuing, "|"), word)
}

// framed reports whether every part of a word, such as "what's", says how is asked.
func framed(word string) bool {
	return !slices.ContainsFunc(rank.Words(word), func(w string) bool { return !reading.FramingWord(w) && !rank.Stop(w) && !idle[w] })
}

// weigh gives the parts their weights, by how rare they are in the searched texts, and their likely spelling.
func (s *sought) weigh(v docs.Vocabulary) {
	s.parts = slices.Clone(s.parts)
	most := math.Log(2 + float64(v.Passages))
	for i := range s.parts {
		p := &s.parts[i]
		known := 0
		for _, phrase := range append([]reading.Phrase{p.phrase}, p.others...) {
			held := math.MaxInt
			for _, t := range phrase {
				held = min(held, v.Holding[t])
			}
			known = max(known, held)
		}
		if known == 0 && len(p.phrase) == 1 {
			if t := reading.Spelling(p.phrase[0], v.Holding); t != "" {
				p.slip, known = reading.Phrase{t}, v.Holding[t]
			}
		}
		if known == 0 { // it does not distinguish places
			p.weight *= unknownWeight
		} else {
			p.weight *= 0.4 + 0.6*math.Log(1+float64(1+v.Passages)/float64(1+known))/most
		}
		if p.light {
			p.weight *= lightWeight
		}
	}
}

// layers are the terms of a text and of its surroundings.
type layers struct {
	text, title, name, page map[string]bool
}

// cover returns the weighted share of the sought terms in a text, 0 to 1; own is the same of the text and its title alone.
func (s sought) cover(l layers) (cover, own float64) {
	sum := 0.0
	for _, p := range s.parts {
		held := max(inText*p.in(l.text), inTitle*p.in(l.title))
		own += p.weight * held
		cover += p.weight * max(held, inName*p.in(l.name), onPage*p.in(l.page))
		sum += p.weight
	}
	if sum == 0 {
		return 0, 0
	}
	return cover / sum, own / sum
}

// beside reports whether parts stand side by side among these terms, as they do in the request.
func (s sought) beside(terms map[string]bool) bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.pair != nil && p.pair.In(terms) })
}

// in returns how much of a part is in a set of terms, 0 to 1.
func (p part) in(terms map[string]bool) float64 {
	switch {
	case p.phrase.In(terms):
		return 1
	case p.slip != nil && p.slip.In(terms), slices.ContainsFunc(p.others, func(o reading.Phrase) bool { return o.In(terms) }):
		return asOther
	case !p.packed:
		return 0
	}
	n := 0
	for _, t := range p.phrase {
		if terms[t] {
			n++
		}
	}
	if share := float64(n) / float64(len(p.phrase)); share >= 0.5 {
		return share
	}
	return 0
}

// answeredBy reports whether a text, a row with the names of its columns, holds all that is sought, in the language of the request, and
// is likely to answer: two words of the request stand in it, one as the request has it, and the amount or the date asked for, or
// nothing is asked. Whether something is so, or over a bound, is not to be told from words.
func (s sought) answeredBy(text, columns string) bool {
	terms, words, own := termsOf(columns+"\n"+text), 0, false
	if slices.ContainsFunc(s.parts, func(p part) bool { return !p.light && p.in(terms) == 0 }) {
		return false
	}
	for _, p := range look(s.request).parts { // a document's name too: "gate" in gate.txt
		if held := p.in(terms); p.names() && held > 0 {
			words++
			own = own || held == 1
		}
	}
	told := reading.Figure.ReplaceAllStringFunc(text, func(n string) string { // what the request says itself is no answer
		if strings.Contains(s.request, n) {
			return ""
		}
		return n
	})
	asks := reading.IsQuestion(strings.TrimRight(s.request, "?？ "))
	if asks && (words < 2 || s.figure && !reading.HoldsFigure(told)) || s.amount && !strings.ContainsAny(told, "0123456789") || s.compares || asksWhether(s.request) {
		return false
	}
	asked, written := reading.Language(s.request), reading.Language(text)
	return own && (asked == "" || written == "" || asked == written || len(strings.Fields(text)) < knownWords)
}

// asksForRecord reports whether a request is for what was said or decided, whatever it was about: "what did we decide?"
func (s sought) asksForRecord() bool {
	about := func(p part) bool { return !sayingWords[rank.Fold(p.word)] }
	return s.saying && !s.again && len(s.numbered) == 0 && !slices.ContainsFunc(s.parts, about)
}

// asksWhether reports whether a question is answered by yes or no.
func asksWhether(text string) bool {
	_, whether := opens(bare(text), `is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|ist|sind|war|waren|hat|haben|gibt es|kann|est-ce que|est-ce|y a-t-il|es|son|hay|tiene`)
	return whether
}

// knownWords is how many words a text has at least whose language is sure.
const knownWords = 6

// query is a text to search for: the person's own words, and those of the same meaning.
func (s sought) query() string {
	var b strings.Builder
	b.WriteString(s.request)
	for _, p := range s.parts {
		b.WriteString(" " + p.word)
		for _, o := range append(slices.Clone(p.others), p.slip) {
			b.WriteString(" " + strings.Join(o, " "))
		}
	}
	return b.String()
}

// split are the words of the request that a text with these terms holds, and those that it does not. in is how a phrase is
// looked for.
func (s sought) split(terms map[string]bool, in func(reading.Phrase, map[string]bool) bool) (has, missing []string) {
	v := docs.Vocabulary{Passages: 1, Holding: map[string]int{}}
	for t := range terms {
		v.Holding[t] = 1
	}
	s.weigh(v)
	for _, p := range s.parts {
		switch {
		case p.light:
		case p.in(terms) > 0 || slices.ContainsFunc(append(slices.Clone(p.others), p.phrase), func(o reading.Phrase) bool { return in(o, terms) }):
			has = append(has, p.word)
		default:
			missing = append(missing, p.word)
		}
	}
	return has, missing
}

// currencies are signs of money, which are read as words.
var currencies = strings.NewReplacer("€", " euro ", "$", " dollar ", "£", " pound ")

// wholeAmount matches an amount without cents: 79.00.
var wholeAmount = reading.Lazy(`(\d)[.,]00\b`)

// dayNumber matches the number of a day as people write it: 12th.
var dayNumber = reading.Lazy(`\b(\d{1,2})(?:st|nd|rd|th)\b`)

// termsOf returns the search terms of a text, and the pairs of adjacent ones.
func termsOf(text string) map[string]bool {
	set := reading.PhraseSet(currencies.Replace(dayNumber.ReplaceAllString(wholeAmount.ReplaceAllString(text, "$1 "), "$1")))
	for _, m := range isoDate.FindAllStringSubmatch(text, -1) {
		month, _ := strconv.Atoi(m[1])
		set[rank.Terms(time.Month(month).String())[0]] = true
	}
	for _, code := range shortCode.FindAllString(text, -1) {
		set[rank.Fold(code)] = true
	}
	return set
}

// isoDate matches a date such as 2026-03-22, whose month people name.
var isoDate = reading.Lazy(`\b\d{4}-(0[1-9]|1[0-2])-\d\d\b`)

// shortCode matches names such as E3: their letter alone is no search term.
var shortCode = reading.Lazy(`\b\pL\d{1,3}\b`)
