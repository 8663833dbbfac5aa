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
	request  string
	parts    []part
	numbered []numbered
	saying   bool // about messages
	asks     bool // a question, not a few words to search for
	kind     bool // for a number, a day, a person or a place
	untold   bool // yes or no, a bound, a comparison, what is not: what holds all words need not answer
}

// part is a word of a request, or a phrase that people use others for.
type part struct {
	word    string // as the request writes it
	phrase  reading.Phrase
	others  []reading.Phrase // that mean the same, or what it may be misspelt for
	light   bool             // says little about the subject
	digits  bool             // a number
	packed  bool             // of a script without spaces: a share of it counts
	weight  float64
	nowhere bool // in no text that is searched
}

// How much a part counts when it is in a text, beside it, in the document's name or on the page; and how much less
// a synonym or a misspelt word counts.
const (
	inText, inTitle, inName, onPage = 1, 0.7, 0.8, 0.3
	asOther                         = 0.85
	lightWeight                     = 0.3
	unknownWeight                   = 0.35
	plainLength                     = 160 // characters of a place that says one thing
	keywords                        = 4   // words of a request that may only be searched for
)

// idle are folded words that only ask or point, and light ones that mean little beside others.
var (
	idle = reading.WordSet(`list liste lista each less more most least fewer ab fy usd eur gbp chf say said says saying tell told mention mentioned know find show give see look search compare comparison difference differences
		versus vs anything everything something things thing anyone anybody someone somebody everyone everybody nobody happen happens happened far please pls plz what who whom whose which when where why how any there here us them die pour sin again still against between within without after before during under over above below off out up down via whats hows wheres whos does did do don doesn didn isn aren wasn weren haven hasn hadn wouldn couldn shouldn t is are was were am been the about much many long often already now either neither all every par
		information info detail details overview explain describe mean means according quote cite okay ok so then also too just really actually both some one stuff together thx ppl gonna lets im
		sag sagen gesagt schon zeig zeige such suche finde wissen weiss unterschied vergleiche bitte was wer wo wann warum wieso wie lang lange welche welcher welches dokument bericht datei seite viel viele hoch gibt wir kannst
		faut deja dis dire trouve montre cherche savoir difference compare quoi qui ou quand comment pourquoi quel quelle quels quelles combien fichier rapport document y
		di decir busca muestra saber diferencia compara que quien donde cuando como cual cuanto cuanta cuantos cuantas archivo informe documento hay pasa`)
	light = reading.WordSet(`number nummer numero yrs yr first second third last next erste zweite dritte letzte premier premiere deuxieme dernier primero segundo ultimo hour hours day days week weeks month months year years stunde stunden tag tage woche wochen monat monate jahr jahre heure heures jour jours semaine semaines mois an ans annee annees hora horas dia dias semana semanas meses ano anos document documents docs pdfs dokumente dateien fichiers documentos archivos uploaded attached report reports file files pdf page pages allowed permitted may darf durfen erlaubt permis autorise permitido period periods term terms condition conditions rule rules policy get gets got getting have has had make makes made take takes took use uses used using go goes going went come comes put need needs want
		wants do doing pay pays paid paying work works get give gives let keep thing way kind type new current currently good bad total overall main key general company
		bekommt bekommen haben hat macht machen nehmen neu aktuell gut faire fait avoir prendre bon nouveau hacer hace tener tiene nuevo bueno`)
)

// look reads what a request looks for.
func look(request string) sought {
	s := sought{request: request, numbered: numberedIn(request), asks: len(strings.Fields(request)) > keywords || reading.IsQuestion(strings.TrimRight(request, "?？ "))}
	asks := reading.HasPhrase(request, whoOrWhere)
	s.kind = asks || reading.AsksFigure(request)
	compares := figures.Compares(request)
	s.untold = asksWhether(request) || compares || reading.Denies(request) || reading.HasPhrase(request, unjudged)
	s.asks = s.asks || asks
	s.saying = slices.ContainsFunc(rank.Words(request), func(w string) bool { return sayingWords[w] })
	for _, n := range s.numbered {
		request = strings.Replace(request, n.text, " ", 1)
	}
	if s.parts = partsOf(request, false); len(s.parts) == 0 && len(s.numbered) == 0 {
		s.parts = partsOf(request, true)
	}
	if compares { // what has the number of a bound is not what lies above or below it
		s.parts = slices.DeleteFunc(s.parts, func(p part) bool { return p.digits })
	}
	return s
}

// sayingWords are folded words of what people do with words.
var sayingWords = reading.WordSet(`decision decisions entscheidungen beschlusse decisiones said say tell told mention mentioned talk talked discuss discussed decide decided agree agreed happen happened suggest suggested propose proposed
	gesagt erwahnt besprochen entschieden beschlossen vereinbart dit parle decide convenu dijo dije dijimos hablamos decidimos acordamos`)

// partsOf are the parts of a text without words that only ask; with all, those that ask about something count as well.
func partsOf(text string, all bool) (parts []part) {
	words := strings.FieldsFunc(endings.ReplaceAllString(text, "$1 "), func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune(`"“”„«»()[]{}<>¿¡?？!…`, c)
	})
	terms := make([]string, len(words)) // of words, one each; "" where a word has none or several
	for i, w := range words {
		words[i] = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(w, ".,;:'’-*_`"), "'s"), "’s") // "50,000" is one
		if t := rank.Terms(words[i]); len(t) == 1 {
			terms[i] = t[0]
		}
	}
	for i := 0; i < len(words); {
		n, others := 1, []reading.Phrase(nil)
		if run := terms[i:]; run[0] != "" {
			if end := slices.Index(run, ""); end >= 0 {
				run = run[:end]
			}
			n, others = reading.Alike(run)
		}
		word := strings.Join(words[i:i+n], " ")
		folded := rank.Fold(word)
		p := part{word: word, phrase: rank.Terms(word), others: others, light: n == 1 && (light[folded] || reading.SmallNumber(folded) > 0 && (len(folded) == 1 || !reading.AllDigits(folded))), digits: reading.HoldsFigure(word), packed: reading.Packed(word), weight: 1}
		switch {
		case word != "" && shortCode.FindString(word) == word:
			p.phrase, p.digits = reading.Phrase{codeOf(word)}, false
		case p.packed:
			p.phrase = reading.ContentTerms(word)
		case len(p.phrase) > 1: // "FY2018"
			p.phrase = slices.DeleteFunc(p.phrase, func(t string) bool { return idle[t] })
		case n == 1 && (idle[folded] || rank.Stop(folded) || !all && framed(word)):
			p.phrase = nil
		}
		if len(p.phrase) > 0 {
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
			for _, t := range inVocabulary(phrase) {
				held = min(held, v.Holding[t])
			}
			known = max(known, held)
		}
		if known == 0 && len(p.phrase) == 1 {
			if t := reading.Spelling(p.phrase[0], v.Holding); t != "" {
				p.others, known = append(slices.Clone(p.others), reading.Phrase{t}), v.Holding[t]
			}
		}
		if p.nowhere = known == 0; p.nowhere { // it does not distinguish places
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
	sum := 1e-9
	for _, p := range s.parts {
		held := max(inText*p.in(l.text), inTitle*p.in(l.title))
		own += p.weight * held
		cover += p.weight * max(held, inName*p.in(l.name), onPage*p.in(l.page))
		sum += p.weight
	}
	return cover / sum, own / sum
}

// in returns how much of a part is in a set of terms, 0 to 1.
func (p part) in(terms map[string]bool) float64 {
	switch {
	case p.phrase.In(terms):
		return 1
	case slices.ContainsFunc(p.others, func(o reading.Phrase) bool { return o.In(terms) }):
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

// fits reports whether a place holds every word of the request that tells something, or another one for it, and what is asked for, as
// far as words tell; above is what stands over it. What no text that is searched has may be the lesser part, where the place holds what is asked for. It is sure where two words of a question do, and not only by others for them.
func (s sought) fits(text, above string) (fits, sure bool) {
	if reading.IsQuestion(text) && !statesAny(text) || reading.HasPhrase(text, ofText) || s.asks && !s.holds(text) {
		return false, false
	}
	terms, words, unknown := termsOf(above+"\n"+text), 0, 0
	for _, p := range s.parts {
		held := p.in(terms)
		switch {
		case p.light && held == 0:
			continue
		case held == 0 && p.nowhere && s.kind:
			unknown++
			continue
		case held == 0:
			return false, false
		}
		long := func(o reading.Phrase) bool { return len(o) > 1 && o.In(terms) } // it has hardly another meaning
		if sure = sure || held == 1 || p.packed || slices.ContainsFunc(p.others, long); !p.light && !p.digits {
			words++
		}
	}
	switch {
	case unknown > 0:
		return sure && words > unknown, false
	case words == 1 && s.asks && reading.Extent(text) > plainLength: // it says more than that
		return false, false
	}
	return sure, sure && (words > 1 || words == 1 && !s.asks) && reading.Extent(text) <= plainLength
}

// whoOrWhere are words for a person or a place; what holds all words of a request with one of unjudged need not answer it.
const (
	whoOrWhere = `who|who's|whom|whose|where|where's|wer|wem|wen|wessen|wo|wohin|woher|qui|ou|quien|quienes|donde|adonde`
	unjudged   = `why|how come|warum|wieso|weshalb|pourquoi|por que|vs|versus|compared|compare|vergleich|vergleiche|gegenuber|comparez|compara`
)

// holds reports whether a text holds a number or a day, a person or a place, where that is asked for. Numbers of the request itself are none.
func (s sought) holds(text string) bool {
	told := reading.Figure.ReplaceAllStringFunc(text, func(n string) string {
		if strings.Contains(s.request, n) {
			return ""
		}
		return n
	})
	dated := func(word string) bool { return reading.Dated(word) != nil }
	switch {
	case reading.AsksAmount(s.request):
		_, all := reading.Quantities(told)
		return slices.ContainsFunc(all, func(q reading.Quantity) bool {
			return !q.IsDate() && !q.IsYear() && strings.ContainsAny(q.Shown, "0123456789")
		})
	case reading.AsksFigure(s.request):
		return reading.HoldsFigure(told) || slices.ContainsFunc(rank.Words(told), dated)
	case reading.HasPhrase(s.request, whoOrWhere):
		asked := reading.TermSet(s.request)
		return reading.HasPhrase(strings.ReplaceAll(told, "'", " "), ofSelf) || slices.ContainsFunc(strings.Fields(told), func(w string) bool {
			t := rank.Terms(w)
			return reading.Capitalised(strings.TrimLeft(w, `"“„«(*`)) && len(t) > 0 && !asked[t[0]] && !dated(rank.Fold(strings.Trim(w, ".,")))
		})
	}
	return true
}

// asksWhether reports whether a question is answered by yes or no.
func asksWhether(text string) bool {
	_, whether := opens(bare(text), `is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|ist|sind|war|waren|hat|haben|gibt es|kann|darf|muss|soll|brauche|est-ce que|est-ce|y a-t-il|es|son|hay|tiene`)
	return whether && !(strings.HasPrefix(rank.Fold(bare(text)), "was ") && reading.Language(text) == "de")
}

// asksForRecord reports whether a request is for what was said or decided, whatever it was about: "what did we decide?"
func (s sought) asksForRecord() bool {
	about := func(p part) bool { return !sayingWords[rank.Fold(p.word)] }
	return s.saying && len(s.numbered) == 0 && !reading.HasPhrase(s.request, pointing) && !slices.ContainsFunc(s.parts, about)
}

// query is a text to search for: the person's own words, and those of the same meaning.
func (s sought) query() string {
	words := []string{s.request}
	for _, p := range s.parts {
		words = append(words, p.word)
		for _, o := range p.others {
			words = append(words, o...)
		}
	}
	return strings.Join(words, " ")
}

// split are the words of the request that a text with these terms holds, and those that it does not.
func (s sought) split(terms map[string]bool) (has, missing []string) {
	v := docs.Vocabulary{Passages: 1, Holding: map[string]int{}}
	for t := range terms {
		v.Holding[t] = 1
	}
	s.weigh(v)
	for _, p := range s.parts {
		switch {
		case p.light:
		case p.in(terms) > 0 || slices.ContainsFunc(append(slices.Clone(p.others), p.phrase), func(o reading.Phrase) bool { return inVocabulary(o).Among(terms) }): // which has no pairs
			has = append(has, p.word)
		default:
			missing = append(missing, p.word)
		}
	}
	return has, missing
}

// currencies are signs of money, which are read as words.
var currencies = strings.NewReplacer("€", " euro ", "$", " dollar ", "£", " pound ")

// endings match a number with what a search does without: 79.00, 12th.
var endings = reading.Lazy(`\b(\d+)(?:[.,]00|st|nd|rd|th)\b`)

// termsOf returns the search terms of a text, and the pairs of adjacent ones.
func termsOf(text string) map[string]bool {
	set := reading.PhraseSet(currencies.Replace(endings.ReplaceAllString(text, "$1 ")))
	for _, m := range isoDate.FindAllStringSubmatch(text, -1) {
		month, _ := strconv.Atoi(m[1])
		set[rank.Terms(time.Month(month).String())[0]] = true
	}
	for _, code := range shortCode.FindAllString(text, -1) {
		set[codeOf(code)] = true
	}
	return set
}

// isoDate matches a date such as 2026-03-22, whose month people name.
var isoDate = reading.Lazy(`\b\d{4}-(0[1-9]|1[0-2])-\d\d\b`)

// shortCode matches names such as E3, whose letter alone is no search term, and the US, which is no pronoun.
var shortCode = reading.Lazy(`\b(?:\pL\d{1,3}|US|U\.S)\b`)

// inVocabulary is a phrase as the vocabulary of texts has it: of Q2 the 2.
func inVocabulary(p reading.Phrase) reading.Phrase {
	if len(p) == 1 && p[0] != rank.Fold(p[0]) {
		if terms := rank.Terms(p[0]); len(terms) > 0 {
			return terms
		}
	}
	return p
}

// codeOf is the search term of such a name: no word has capitals.
func codeOf(name string) string { return strings.ToUpper(strings.ReplaceAll(name, ".", "")) }
