package reading

import (
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

// Phrases of a question for a figure, in English, German, French and Spanish, and words of scripts without
// spaces.
const (
	figureCues = `percent|percentage|what share|interest rate|cost|costs|price|prices|how expensive|budget|fee|fees|rent|salary|salaries|when|what year|what date|what day|what time|which year|how many|how long|how old|how high|how large|how big|how far|how often|how tall|how heavy|how much|what number|what size|revenue|income|profit|sales|` +
		`prozent|kostet|kosten|preis|miete|gehalt|wann|wie viel|wie viele|wie hoch|wie lange|wie alt|wie gross|pourcentage|cout|coute|prix|loyer|quand|quelle date|combien|quel montant|porcentaje|cuesta|cuestan|precio|alquiler|cuando|que fecha|cuanto|cuanta|cuantos|cuantas|когда|сколько`
	// amountCues ask for an amount: one in digits.
	amountCues       = `cost|costs|how expensive|how much|kostet|kosten|wie viel|wie teuer|coute|coutent|combien coute|cuesta|cuestan|cuanto cuesta`
	packedFigureCues = `百分之|パーセント|퍼센트|いくら|値段|価格|費用|报酬|報酬|多少|价格|얼마|いつ|何年|何月|何日|什么时候|何时|언제|何人|何個|几个|몇`
)

// AsksFigure reports whether a question asks for a number, an amount or a date.
func AsksFigure(question string) bool {
	return HasPhrase(question, figureCues) || HasPacked(question, packedFigureCues)
}

// AsksAmount reports whether a question asks for an amount, which is written in digits.
func AsksAmount(question string) bool { return HasPhrase(question, amountCues) }

// HoldsFigure reports whether a text contains a number, in digits or in words.
func HoldsFigure(text string) bool {
	return strings.ContainsAny(text, "0123456789") || HasPhrase(text, numerals)
}

// HasPhrase reports whether a text contains one of the phrases, separated by "|" and folded, as whole
// words.
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

// HasPacked reports whether a text contains one of the words of scripts without spaces, separated by "|".
func HasPacked(text, words string) bool {
	for w := range strings.SplitSeq(words, "|") {
		if w != "" && strings.Contains(text, w) {
			return true
		}
	}
	return false
}

const numerals = `one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|zwolf|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez`
