package agent

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ordinals are the words for the first options, from first to fifth, in the four languages.
var ordinals = [][]string{
	{"first", "1st", "erste", "ersten", "erstes", "premier", "première", "primero", "primera", "primer"},
	{"second", "2nd", "zweite", "zweiten", "zweites", "deuxième", "second", "seconde", "segundo", "segunda"},
	{"third", "3rd", "dritte", "dritten", "drittes", "troisième", "tercero", "tercera", "tercer"},
	{"fourth", "4th", "vierte", "vierten", "viertes", "quatrième", "cuarto", "cuarta"},
	{"fifth", "5th", "fünfte", "fünften", "fünftes", "cinquième", "quinto", "quinta"},
}

// Words for the last option and for all options, and words that may accompany a pick ("the second one, please").
var (
	lastWords = strings.Fields("last letzte letzten letztes dernier dernière último última")
	allWords  = strings.Fields("both all everything beide beides alle alles ambos ambas todos todas tous toutes")
	besides   = strings.Fields(`the a one ones option options number no nr and please of them it take choose i mean would like
		die der das den nummer und bitte von le la les l numéro et s il vous te plaît el los las número y por favor`)
)

// Picks returns the options that a message names by number or order ("1 and 3", "the second one", "both"), as indexes in
// the message's order. It is empty if the message says anything else, or names an option that does not exist.
func Picks(text string, options int) []int {
	var picked []int
	for _, w := range plainWords(text) {
		at := slices.IndexFunc(ordinals, func(o []string) bool { return slices.Contains(o, w) })
		if n, err := strconv.Atoi(w); err == nil {
			at = n - 1
			if at < 0 || at >= options {
				return nil
			}
		}
		switch {
		case at >= options:
			return nil
		case at >= 0:
			picked = append(picked, at)
		case slices.Contains(lastWords, w) && options > 0:
			picked = append(picked, options-1)
		case slices.Contains(allWords, w) && (options == 2 || w != "both" && w != "beide" && w != "beides"):
			for i := range options {
				picked = append(picked, i)
			}
		case !slices.Contains(besides, w):
			return nil
		}
	}
	return picked
}

// plainWords are the words of a text as they are spelled, in lower case.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
