package reading

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

// Wanted is one of the things that a request asks for.
type Wanted struct {
	Terms     []string  // what it is about, in its own words
	Inherited []string  // what the other things it is asked with are about
	kind      valueKind // of what answers
}

// valueKind is what a statement has to hold in order to answer.
type valueKind int

const (
	anyValue valueKind = iota
	aName
	aDate
	money
	percentage
	aNumber
)

// kindCues are questions for a kind of value, tried in order, and the words that say so: a
// statement with such a value need not hold them.
var kindCues = []struct {
	kind  valueKind
	cue   *regexp.Regexp
	words map[string]bool
}{
	{percentage, Cue(`percent|percentage|per cent|what share|interest rate|prozent|prozentsatz|pourcentage|pour cent|porcentaje|por ciento|percentuale|percentagem|процент\pL*`, `百分之|何パーセント|퍼센트`),
		WordSet(`percent percentage cent share rate prozent prozentsatz pourcentage porcentaje ciento percentuale percentagem procent`)},
	{money, Cue(`costs?|prices?|how expensive|how much (?:does|did|is|was|are|were|do) .{1,80} (?:pay|paid|earn|spend|spent|charge)|budgets?|fees?|rent|salar(?:y|ies)|kostet|kosten|preis\pL*|miete|gehalt|gebuhr\pL*|cout\pL*|prix|loyer|cuesta|cuestan|costo|coste|precio\pL*|alquiler|costa|prezzo|custa|preco|kost|prijs|стоит|стоимость|цена`, `いくら|値段|価格|费用|多少钱|价格|얼마`),
		WordSet(`cost costs price prices expensive much pay paid kostet kosten preis preise coute coutent cout prix cuesta cuestan costo coste precio costa prezzo custa preco kost prijs`)},
	{aDate, Cue(`when|what (?:year|date|day|month|time)|which (?:year|date|day|month)|until when|since when|wann|bis wann|seit wann|welche[msnr]? (?:jahr|datum|tag|monat)|quand|quelle (?:date|annee)|cuando|que (?:ano|fecha|dia)|quando|in che anno|wanneer|когда|в каком году`, `いつ|何年|何月|何日|什么时候|何时|哪一年|언제`),
		WordSet(`year date day month time jahr datum tag monat annee ano fecha dia anno`)},
	{aNumber, Cue(`how (?:many|long|old|high|large|big|far|often|tall|wide|heavy|deep|fast|hot|much)|what (?:number|amount|size|length|height|weight)|(?:revenues?|income|profits?|turnover|sales|expenses?|expenditures?|dividends?|ebitda|margins?|assets|liabilities|inventor(?:y|ies)|ratio|umsatz|gewinn|ertrag|aufwand|chiffre d'affaires|benefice|ingresos|ventas|beneficio)|wie ?viele?|wie (?:hoch|lange|alt|gross|oft|schwer|breit|weit)|combien|quel (?:nombre|montant|age)|cuant[oa]s?|quant[oiae]|hoeveel|сколько`, `何人|何個|いくつ|多少|几个|几|몇`),
		WordSet(`many much long old high large big far often number amount total size length height weight`)},
	{aName, Cue(`who|whom|whose|wer|wem|wen|wessen|qui|quien|quienes|chi|quem|wie|кто|кого|кому`, `誰|だれ|谁|누구`), nil},
}

// joint is where another question follows.
var joint = regexp.MustCompile(`(?i)[?？;]\s+|,?\s+(?:and|und|et|y|e|en|и)\s+(?:(?:for|at|to|by|since|until|in|für|zu|bis|seit|pour|à|depuis|para|a|por|hasta)\s+)?((?:who|whom|what|when|where|which|how|why|wer|wem|wen|was|wann|wo|wie|welche[rsnm]?|warum|qui|que|quel\pL*|quand|où|combien|comment|pourquoi|qué|quién|cuándo|cuánt\pL*|dónde|cómo|cuál\pL*|chi|cosa|quando|quanto|dove|come|quale|quem|onde|qual|wat|wanneer|hoeveel|waar|кто|что|когда|где|сколько|как)(?:$|[^\pL]))`)

// Wants are the things a request asks for, one or several.
func Wants(request string) []Wanted {
	request = QuestionOf(request)
	var texts []string
	from := 0
	for _, m := range joint.FindAllStringSubmatchIndex(request, -1) {
		to, next := m[0], m[1]
		if m[2] >= 0 {
			next = m[2]
		}
		texts = append(texts, request[from:to])
		from = next
	}
	texts = append(texts, request[from:])
	var all []Wanted
	for _, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		w := Wanted{Terms: slices.DeleteFunc(ContentTerms(text), func(t string) bool { return UnitNames[t] })}
		folded := rank.Fold(text)
		for _, k := range kindCues {
			if k.cue.MatchString(folded) {
				w.kind = k.kind
				w.Terms = slices.DeleteFunc(w.Terms, func(t string) bool { return k.words[t] || stemOf(k.words, t) })
				break
			}
		}
		if len(w.Terms) > 0 || w.kind != anyValue && len(all) > 0 {
			all = append(all, w)
		}
	}
	for i := range all {
		if len(all[i].Terms) > 1 {
			continue // it stands on its own
		}
		for j, other := range all {
			for _, t := range other.Terms {
				if i != j && !slices.Contains(all[i].Terms, t) && !slices.Contains(all[i].Inherited, t) {
					all[i].Inherited = append(all[i].Inherited, t)
				}
			}
		}
	}
	return all
}

// Typed reports whether a value of some kind is wanted.
func (w Wanted) Typed() bool { return w.kind != anyValue }

// Answers reports whether a statement has a value of the kind wanted, other than those of the request, and a word of
// what it is about.
func (s Statement) Answers(w Wanted, request string) bool {
	return s.Fills(w, request) &&
		Coverage(append(slices.Clone(w.Terms), w.Inherited...), s.Quote()+"\n"+s.Heading) > 0 && (w.Typed() || Coverage(w.Terms, s.Quote()) > 0)
}

// Fills reports whether a statement has a value of the kind wanted, other than those of the request. The figures of a
// table are written without their currency.
func (s Statement) Fills(w Wanted, request string) bool {
	return w.kind.holds(s.Quote(), request) || s.Row && w.kind == money && numberForm.MatchString(s.Text)
}

// stemOf reports whether a term is the stem of one of the words.
func stemOf(words map[string]bool, term string) bool {
	for w := range words {
		if slices.Contains(rank.Terms(w), term) {
			return true
		}
	}
	return false
}

var (
	moneyForm   = regexp.MustCompile(`[$€£¥₹]\s?\d|\d\s?[$€£¥₹]|(?i)\d (?:million |billion )?(?:euros?|dollars?|pounds?|usd|eur|chf|gbp|yen|francs?|franken|pesos?|руб)|\d(?:円|元|원)`)
	percentForm = regexp.MustCompile(`(?i)\d\s?(?:%|percent|per cent|prozent|pour cent|por ciento)`)
	dateForm    = regexp.MustCompile(`(?i)(?:^|\D)(?:1[5-9]|20)\d\d(?:$|\D)|\d{1,2}:\d\d|\d{1,2}(?:\.|st|nd|rd|th|er)? (?:de )?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|avr|fév|jui|aoû|déc|ene|abr|ago|dic)|(?:january|february|march|april|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|januar|februar|märz|juni|juli|oktober|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|\d[年月日년월일]|(?:^|[^\pL])(?:winter|summer|autumn|spring|fall|sommer|herbst|frühling|hiver|été|automne|printemps|invierno|verano|otoño|primavera)(?:$|[^\pL])`)
	numberForm  = regexp.MustCompile(`(?i)\d|(?:^|[^\pL])(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)(?:$|[^\pL])`)
)

// reference matches numbers that count nothing: of sections, and years.
var reference = regexp.MustCompile(`(?i)(?:items?|sections?|notes?|pages?|figures?|fig\.|tables?|chapters?|parts?|exhibits?|rules?|seiten?|abschnitt|kapitel|tabelle|abbildung|chapitre|capítulo|página) \d[\d.]*(?:\(\pL\))?|\d+\(\pL\)|(?:^|[^\d.,])(?:19|20)\d\d(?:$|[^\d.,%])`)

// holds reports whether a statement has a value of the kind that is wanted, other than those
// of the request.
func (k valueKind) holds(text, request string) bool {
	switch k {
	case aName:
		if strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Lo, c) }) { // a script without capitals
			return true
		}
		known := rank.Names(request)
		return slices.ContainsFunc(nameLike(text), func(n string) bool {
			return !slices.ContainsFunc(known, func(have string) bool { return strings.Contains(have, n) || strings.Contains(n, have) })
		})
	case aDate:
		return dateForm.MatchString(text)
	case money:
		return moneyForm.MatchString(text)
	case percentage:
		return percentForm.MatchString(text)
	case aNumber:
		text = reference.ReplaceAllString(text, " ")
		return numberForm.MatchString(text)
	}
	return true
}

// UnitNames are written like names and name no thing.
var UnitNames = WordSet(`fy usd eur gbp chf us q1 q2 q3 q4 h1 h2 u s`)
