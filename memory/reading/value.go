package reading

import (
	"regexp"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

// ValueKind is a kind of value that a question asks for.
type ValueKind int

// Kinds of values.
const (
	AnyValue ValueKind = iota
	AName
	AFullName // of two words
	ADate
	Money
	Percentage
	ANumber
)

// valueCues are phrases of a question for a kind of value, tried in order, in English, German, French and Spanish; the
// last list is of scripts without spaces.
var valueCues = []struct {
	kind           ValueKind
	spaced, packed string
}{
	{Percentage, `percent|percentage|what share|interest rate|prozent|prozentsatz|pourcentage|porcentaje`, `百分之|パーセント|퍼센트`},
	{Money, `cost|costs|price|prices|how expensive|budget|fee|fees|rent|salary|salaries|kostet|kosten|preis|miete|gehalt|cout|coute|prix|loyer|cuesta|cuestan|precio|alquiler`, `いくら|値段|価格|費用|报酬|報酬|多少钱|价格|얼마`},
	{ADate, `when|what year|what date|what day|what time|which year|until when|since when|wann|welches datum|quand|quelle date|cuando|que fecha|когда`, `いつ|何年|何月|何日|什么时候|何时|언제`},
	{ANumber, `how many|how long|how old|how high|how large|how big|how far|how often|how tall|how heavy|how much|what number|what size|revenue|income|profit|sales|wie viel|wie viele|wie hoch|wie lange|wie alt|wie gross|combien|quel montant|cuanto|cuanta|cuantos|cuantas|сколько`, `何人|何個|多少|几个|몇`},
	{AName, `who|who's|whom|whose|wer|wem|wen|qui|quien|quienes|кто`, `誰|谁|누구`},
}

// ValueOf is the kind of value that a question asks for, AnyValue if it does not show.
func ValueOf(question string) ValueKind {
	for _, c := range valueCues {
		if HasPhrase(question, c.spaced) || HasPacked(question, c.packed) {
			return c.kind
		}
	}
	return AnyValue
}

// HasPhrase reports whether a text holds one of the phrases, separated by "|" and folded, as whole words.
func HasPhrase(text, phrases string) bool {
	text = phraseForm(text)
	for p := range strings.SplitSeq(phrases, "|") {
		if strings.Contains(text, " "+p+" ") {
			return true
		}
	}
	return false
}

// phraseForm is folded text with single spaces between its words and at its ends, apostrophes within words kept.
func phraseForm(text string) string {
	return " " + strings.Join(strings.FieldsFunc(rank.Fold(text), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '\'' && c != '-' && c != '&'
	}), " ") + " "
}

// HasPacked reports whether a text holds one of the words of scripts without spaces, separated by "|".
func HasPacked(text, words string) bool {
	for w := range strings.SplitSeq(words, "|") {
		if w != "" && strings.Contains(text, w) {
			return true
		}
	}
	return false
}

var (
	moneyForm   = regexp.MustCompile(`[$€£¥₹]\s?\d|\d\s?[$€£¥₹]|(?i)\d (?:million |billion )?(?:euros?|dollars?|pounds?|cents?|usd|eur|chf|gbp|yen|francs?|franken|pesos?|руб)|\d\s?万?(?:円|元|원)`)
	percentForm = regexp.MustCompile(`(?i)\d\s?(?:%|percent|per cent|prozent|pour cent|por ciento)`)
	dateForm    = regexp.MustCompile(`(?i)(?:^|\D)(?:1[5-9]|20)\d\d(?:$|\D)|\d{1,2}:\d\d|\d{1,2}(?:\.|st|nd|rd|th|er)? (?:de )?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|avr|fév|jui|aoû|déc|ene|abr|ago|dic|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)|\b(?:january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|within \d+ days|\d+ (?:days|weeks|months|tage|wochen|jours|días))|\d[年月日년월일]`)
	// calendar are months and days of the week, which are no names of anybody.
	calendar     = regexp.MustCompile(`\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)\b`)
	nameForm     = regexp.MustCompile(`(?:^|[^.!?:\s]\s+|@)\p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+`)
	fullNameForm = regexp.MustCompile(`[^.!?\s]\s+\p{Lu}\p{Ll}+ \p{Lu}\pL+`)
)

// Holds reports whether a text holds a value of the kind. The figures of a table's row are written without their currency.
func (k ValueKind) Holds(text string, row bool) bool {
	switch k {
	case AName:
		text = calendar.ReplaceAllString(text, "")
		if first, rest, _ := strings.Cut(text, " "); row || rank.Stop(rank.Fold(first)) { // a capital that begins the line
			text = strings.ToLower(first) + " " + rest
		}
		return nameForm.MatchString(text) || strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Lo, c) })
	case AFullName:
		text = calendar.ReplaceAllString(text, "")
		return fullNameForm.MatchString(text)
	case ADate:
		return dateForm.MatchString(text)
	case Money:
		return moneyForm.MatchString(text) || row && strings.ContainsAny(text, "0123456789")
	case Percentage:
		return percentForm.MatchString(text)
	case ANumber:
		return strings.ContainsAny(text, "0123456789") || HasPhrase(text, numerals)
	}
	return true
}

// numerals are numbers in words.
const numerals = `one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|zwolf|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez`

// Kind is the kind of value that a statement's end states, AnyValue if it is none of them.
func Kind(text string) ValueKind {
	for _, k := range []ValueKind{ADate, Percentage, Money, ANumber} {
		if k.Holds(text, false) {
			return k
		}
	}
	return AnyValue
}
