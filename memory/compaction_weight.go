package memory

import (
	"regexp"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Cues of what a sentence tells, in folded text: English, German, French, Spanish, Italian.
var (
	// standing matches what holds until it is taken back: what somebody is, wants, has to avoid, cannot do.
	standing = regexp.MustCompile(`\b(never|always|only|must|don't|do not|not before|not after|allerg\w+|vegetarian\w*|vegan\w*|celiac\w*|coeliac\w*|diabet\w+|(i|we)( \w+)? (want|need|hate|love|prefer|can'?t|cannot|won'?t|don'?t|dont|would rather|insist)|i'?(m|d) (not|rather|a|on|against|for)|am (not|against|for)|please|rather|prefer\w*|no more than|at (most|least)|unless)\b` +
		`|\b(nie|niemals|immer|nur|muss|mussen|bitte|lieber|allergisch|hochstens|mindestens|kein\w*|ich (will|brauche|hasse|mag|kann nicht|mochte))\b` +
		`|\b(jamais|toujours|seulement|doit|je (veux|prefere|deteste|ne peux)|allergique|s'il (te|vous) plait|au (plus|moins))\b` +
		`|\b(nunca|siempre|solo|debe|hay que|prefiero|quiero|odio|no (puedo|quiero|me gusta)|alergic\w+|celiac\w+|vegetarian\w+|por favor|sin)\b` +
		`|\b(mai|sempre|solo|deve|preferisco|voglio|odio|allergic\w+)\b`)
	// settled matches a decision, a promise or its keeping, and a change of either.
	settled = regexp.MustCompile(`\b(decided|agreed|chose\w*|approved|booked|ordered|paid|confirmed|signed|reference|deadline|instead|correction|corrected|misread|actually|changed|now|moved|slip\w*|reversal|cancel\w*|extended|postponed|i'll|i will|we'll|we go|let's|due|by (mon|tues|wednes|thurs|fri|satur|sun)day)\b` +
		`|\b(entschieden|beschlossen|vereinbart|gebucht|bestellt|bezahlt|bestatigt|frist|stattdessen|korrektur|geandert|verschoben|abgesagt|ich (mache|schicke|kummere|ubernehme)|bis (montag|dienstag|mittwoch|donnerstag|freitag))\b` +
		`|\b(decide|reserve|commande|paye|confirme|delai|plutot|correction|change|reporte|annule|je m'en (charge|occupe))\b` +
		`|\b(decidid\w+|acordad\w+|reservad\w+|pagad\w+|confirmad\w+|plazo|correccion|cambiad\w+|cambio|perdon|aplazad\w+|cancelad\w+|apuntad\w+|me encargo|yo me ocupo|al final|quedamos)\b` +
		`|\b(deciso|prenotat\w+|pagat\w+|confermat\w+|scadenza|correzione|cambiat\w+|rimandat\w+|annullat\w+|mi occupo)\b`)
	// chatter matches what nobody looks up again.
	chatter = regexp.MustCompile(`\b(lol|lmao|haha\w*|jaja\w*|hehe\w*|hihi|omg|bravo|gracias|thanks|thank you|danke|merci|good (night|morning)|night night|hello|hola|hallo|bonjour)\b|[😀-🙏]|!!`)
	// exact matches a number with its unit, an amount, a time, a name of a thing.
	exact = regexp.MustCompile(`[$€£¥]\s?\d|\d\s?(%|€|\$|£|kr\b|eur\w*|usd|gbp|chf|k\b|m²|m2\b|km\b|cm\b|mm\b|kg\b|mb\b|gb\b|tb\b|ms\b|kw\w*\b|hours?\b|days?\b|weeks?\b|months?\b|years?\b|minutes?\b|stunden?\b|tage?\b|wochen?\b|monate?\b|jahre?\b|heures?\b|jours?\b|semaines?\b|mois\b|ans?\b|horas?\b|dias?\b|semanas?\b|mes(es)?\b|anos?\b|ore\b|giorni\b|mesi\b)` +
		`|\b\d{1,2}[:.]\d{2}\b|\b\d{1,2}(st|nd|rd|th)?\.? (of |de )?(jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)\w*|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d{1,2}\b|\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b[a-z]+\d[\w-]*\d|\b[a-z]*\d*[a-z]?-\d{2,}`)
)

// salience is how much a sentence of a conversation tells that may be asked for later; 0 is a courtesy.
func salience(sentence string) int {
	folded := rank.Fold(sentence)
	terms := len(rank.Terms(sentence))
	w := min(terms, 8)
	if terms > 30 {
		w -= 4
	}
	w += 4 * min(len(reading.Salient(sentence)), 3)
	if exact.MatchString(folded) {
		w += 6
	}
	if standing.MatchString(folded) {
		w += 7
	}
	if settled.MatchString(folded) {
		w += 6
	}
	if strings.HasSuffix(strings.TrimRight(sentence, `"')” `), "?") {
		w -= 6
	}
	if chatter.MatchString(folded) {
		w -= 6
	}
	return max(w, min(terms/2, 2))
}
