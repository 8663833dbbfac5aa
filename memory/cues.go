package memory

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Limits on the facts found by cue.
const (
	factWords       = 40 // a longer sentence states no single fact
	wholeWords      = 20 // a longer message is not taken as one statement
	factsPerMessage = 5
	factsPerSlice   = 60
)

// cue recognises, in a folded sentence of a person, the kind of fact it states.
// The first that matches decides. All cover English, German, French, Spanish and
// Italian; Portuguese and Dutch only where they share the word.
type cue struct {
	kind    FactKind
	pattern *reading.Pattern
}

var cues = []cue{
	{OpenQuestion, reading.NewPattern(`\b(open question|still (unclear|open|undecided)|(not|haven't|hasn't|isn't|have not|has not) (yet |been )*(decided|clear|settled|agreed|chosen)|undecided|tbd|to be (decided|confirmed)|don't know (yet )?(who|what|when|where|how|which|whether|if)` +
		`|offene frage|noch (offen|unklar)|offen (ist|bleibt)|(noch )?nicht (entschieden|beschlossen|geklart)|(pas encore|n'avons pas|n'a pas) (\w+ )?(decide|choisi)|a decider|reste a (decider|savoir|voir)|on ne sait pas encore` +
		`|por decidir|pendiente|falta (saber|decidir|definir)|no (hemos|se ha|esta) (decidido|elegido)|queda por|da decidere|non abbiamo (ancora )?(deciso|scelto)|resta da|em aberto)\b`)},
	{Preference, reading.NewPattern(`\b(i|we) (would |'d |do not |don't |no longer )?(strongly |really |usually |always )?(prefer|rather|favou?r)\b|\b(my|our) (favou?rite|preferred|preference)\b|\bi (really |do not |don't )?(like|love|hate|dislike)\b` +
		`|\b(ich|wir) (bevorzuge|bevorzugen|mag|mogen)\b|\bam liebsten\b|\blieber\b|\b(je|nous) (ne )?prefer\w+|\bj'(aime|adore|prefere)\b|\b(prefiero|preferimos|me gusta|prefiro|preferisco|preferiamo|mi piace|gosto de|ik heb liever)\b`)},
	{Decision, deciding},
	{Constraint, reading.NewPattern(`\b(must|must not|mustn't|may not|no more than|at most|at least|deadline|not allowed|is required|no later than|cannot exceed|(?:should|can|may|will|please|we|i|and|but|or) never)\b|(?:^|[,;:] ?)never\b|\bever[.!]?$|\bbudget (is|of)\b|\b(allergic|coeliac|celiac|diabetic)\b|\bonly\b[.!]?$|\b(always|only) (use|answer|write|reply)\b` +
		`|\b(muss|mussen|darf (\w+ ){0,4}nicht|durfen (\w+ ){0,4}nicht|niemals|hochstens|mindestens|spatestens|frist)\b|\b(doit|doivent|ne doit pas|ne peut pas|ne pouvons pas|jamais|au plus|au moins|au plus tard|delai)\b|\b(debe|deben|nunca|no podemos|no puede|no se puede|como maximo|como minimo|plazo)\b|\b(deve|devono|non possiamo|non si puo|mai piu di|al massimo|almeno|scadenza|prazo|moet|nooit)\b`)},
	{Todo, reading.NewPattern(`\bto-?do:|\b(to-do|need to|needs to|have to|has to|remember to|don't forget|do not forget|remind (me|us)|next step|action item|follow up|i('ll| will) (ask|call|check|send|write|have|prepare|set up|book|order|take care|look into|get|finish|draft|review|fix|test|update|bring|buy|contact|email|organi[sz]e|do it|handle)|still need|can you .{3,80} by|will have .{2,80} by)\b` +
		`|\b(noch zu erledigen|zu tun|nicht vergessen|erinnere mich|ich kummere mich|ich (frage|rufe|schreibe|schicke|besorge|bestelle|prufe|klare|melde) |ich ubernehme|wir mussen noch|muss noch)|\b(a faire|il faut|n'oublie[zs]? pas|rappelle-moi|je m'occupe|je m'en charge|on doit encore)\b|\b(hay que|tenemos que|tengo que|no olvid\w+|recuerdame|me encargo|yo me ocupo|queda pendiente)\b|\b(bisogna|dobbiamo|non dimenticare|da fare|mi occupo|ci penso io|temos que)\b`)},
}

// deciding matches, in a folded sentence, that something was decided.
var deciding = reading.NewPattern(`\b(we|i|they|it was|has been|have been|is) (have |has |had )?(finally )?(decided|agreed|chosen|approved|settled)\b|\b(decided|agreed|chose|settled) (to|on|that)\b|\b(we|i)('ll| will| are going to|'re going to) (go with|use|take|switch to|adopt|stay with)\b|\blet's (go with|use|take|switch to|do|stick with|move to|keep)\b|\b(we|i) (go|went) with\b|\bdecision( is|:)` +
	`|\b(wir nehmen|nehmen wir|wir haben uns .{0,60}entschieden|ich habe mich .{0,60}entschieden|wir machen es|dabei bleibt es)\b|\b(entschieden|beschlossen|vereinbart)\b|\b(on a|nous avons|j'ai) (decide|choisi|retenu)\b|\bon (prend|garde|part sur)\b|\b(hemos|he) (decidido|elegido|acordado)\b|\b(nos quedamos con|vamos con)\b|\b(abbiamo|ho) (deciso|scelto)\b|\b(prendiamo|teniamo)\b|\b(decidimos|decidiu|besloten)\b`)

// defined matches "the X is Y" in English, German, French, Spanish, Italian and
// Portuguese: its groups are the article, X and the verb's end.
var defined = reading.Lazy(`(?i)\b(the|my|our|his|her|their|der|die|das|mein[e]?|unser[e]?|le|la|les|mon|ma|notre|nos|el|los|mi|nuestr[oa]|il|lo|mio|mia|nostr[oa]|o|a|meu|minha|nosso|nossa)\s+` +
	`((?:[\pL\pN'’_-]+\s+){0,4}?[\pL\pN'’_-]+)\s+` +
	`(?:is now|is|are|was|will be|has changed to|changed to|ist jetzt|ist|lautet|sind|est|sont|es|son|è|sono|é|são)\s+\S`)

// temporary matches, in a folded sentence, that something is true for a while;
// English, German, French, Spanish.
var temporary = []struct {
	pattern *reading.Regexp
	days    int
}{
	{reading.Lazy(`\b(just |only )?(for )?today\b|\bnur heute\b|\bseulement aujourd'hui\b|\bsolo hoy\b`), 1},
	{reading.Lazy(`\b(just |only )?(for |during )?this week\b|\b(nur )?(fur )?diese woche\b|\bcette semaine\b|\besta semana\b`), 7},
	{reading.Lazy(`\b(just |only )?(for |during )?this month\b|\b(nur )?(fur )?diesen monat\b|\bce mois\b|\beste mes\b`), 31},
}

// fillers are words of a name that do not tell one thing from another.
var fillers = reading.WordSet(`new current updated correct actual latest old final neue neuer aktuelle nouveau nouvelle nuevo nueva nuovo`)

// extractClaims finds what people stated, by cue: of a message and of all the claims that tell most. Facts are
// verbatim sentences.
func extractClaims(sl *Slice) []Claim {
	var claims []Claim
	for _, l := range sl.Lines {
		if l.Human() && !l.Bot {
			claims = append(claims, statedIn(l)...)
		}
	}
	return mostTelling(claims, factsPerSlice)
}

// statedIn is what a message states, by cue.
func statedIn(l Line) (stated []Claim) {
	if l.Joking || reading.Jest(l.Said) {
		return nil
	}
	text := reading.PlainLines(bounded(l.Said))
	sentences := reading.MessageSentences(text)
	for _, sentence := range sentences {
		if c, ok := claimOf(l, sentence); ok {
			stated = append(stated, c)
		}
	}
	if c, ok := wholeClaim(l, text, sentences, stated); ok {
		return []Claim{c}
	}
	return mostTelling(stated, factsPerMessage)
}

// wholeClaim is what a short message of several sentences states as a whole, if not more than one of them does alone:
// they explain one another, as in "Bad news from Castell. Earliest start is 17 August." A sentence with a slot needs no other.
func wholeClaim(l Line, text string, sentences []string, stated []Claim) (Claim, bool) {
	text = strings.TrimSpace(text)
	if len(sentences) < 2 || len(stated) > 1 || len(stated) == 1 && stated[0].Slot != "" || len(strings.Fields(text)) > wholeWords || strings.Contains(text, "\n") {
		return Claim{}, false
	}
	c, ok := claimOf(l, text)
	if len(stated) == 1 {
		ok = ok && c.Quarantined == stated[0].Quarantined
		c.Kind, c.Slot, c.ExpiresAt = stated[0].Kind, "", stated[0].ExpiresAt
	}
	return c, ok
}

// mostTelling are the n claims whose quotes tell most, in their order. What people want and do not want comes first: many figures
// around it, which search finds, do not take its place.
func mostTelling(claims []Claim, n int) []Claim {
	if len(claims) <= n {
		return claims
	}
	order := func(a, b Claim) int {
		return cmp.Or(cmp.Compare(one(ofPerson(b.Kind)), one(ofPerson(a.Kind))), cmp.Compare(b.weight, a.weight))
	}
	least := slices.SortedStableFunc(slices.Values(claims), order)[n-1]
	kept := claims[:0]
	for _, c := range claims {
		if order(c, least) <= 0 && len(kept) < n {
			kept = append(kept, c)
		}
	}
	return kept
}

func claimOf(l Line, sentence string) (Claim, bool) {
	words := len(strings.Fields(sentence))
	if words < 3 || words > factWords {
		return Claim{}, false
	}
	own := rank.Fold(reading.OutsideQuotes(l.Said, sentence)) // a quoted wish or decision is somebody else's
	c := Claim{Subject: l.Name(), Text: l.Name() + ": " + sentence, MessageID: l.ID, Quote: sentence, Kind: kindOf(own), weight: salience(sentence), quoted: true}
	var article string
	article, c.Slot = slotOf(sentence)
	question := strings.HasSuffix(strings.TrimRight(sentence, `"')`), "?")
	switch {
	case question && c.Kind != OpenQuestion && c.Kind != Todo:
		return Claim{}, false
	case c.Kind != "":
	case c.weight >= leastTelling && personal.MatchString(own):
		c.Kind = Preference
	case c.Slot != "" && definite(sentence), len(rank.Numbers(sentence)) > 0 && words > 3, c.weight >= leastTelling:
		c.Kind = KeyFact
	default:
		return Claim{}, false
	}
	if reading.Secret(sentence) || codeLine.MatchString(sentence) {
		return Claim{}, false
	}
	c.Quarantined = reading.Commanding(sentence)
	if c.Slot != "" && slices.Contains(ownArticles, article) {
		c.Slot = l.Name() + " " + c.Slot
	}
	if ofPerson(c.Kind) {
		if days := daysItHolds(rank.Fold(sentence)); days > 0 {
			c.ExpiresAt = time.UnixMilli(l.At).AddDate(0, 0, days).UnixMilli()
		}
	}
	return c, true
}

// daysItHolds is for how many days a folded sentence says that it is true, 0 for ever.
func daysItHolds(folded string) int {
	for _, t := range temporary {
		if at := t.pattern.FindStringIndex(folded); at != nil {
			before := " " + strings.TrimRight(folded[:at[0]], " ")
			if slices.ContainsFunc(begins, func(w string) bool { return strings.HasSuffix(before, w) }) {
				return 0
			}
			return t.days
		}
	}
	return 0
}

// begins are what stands before the time that something begins at; English, German, French, Spanish.
var begins = []string{" from", " as of", " since", " starting", " beginning", " effective", " ab", " seit", " a partir de", " des", " depuis", " desde"}

// leastTelling is the least salience of a sentence without another cue to become a fact.
const leastTelling = 9

// personal matches, in a folded sentence, what a person says of what they are, want or cannot do.
var personal = reading.NewPattern(`(?:^|[.,;:!?()-] ?|\b(?:and|but|so|or|because|since|that|then|yes|no|ok|well|honestly|really|sorry) )(i|we) (really |just |still |also )?(want|need|hate|love|can'?t|cannot|won'?t|don'?t|do not|only|insist)\b|\bi(m|'m| am) (not|a|an|on|against|allergic|vegetarian|vegan|coeliac|celiac)\b|\bi'?d (rather|want|like|prefer)\b|\bfrom me\b|\bi vote\b` +
	`|\bich (will|brauche|hasse|kann nicht|mochte|bin|esse)\b|\bje (veux|deteste|ne peux|suis)\b|\b(yo )?(quiero|odio|soy|no puedo|no quiero)\b|\b(voglio|odio|sono|non posso)\b`)

// codeLine matches a line of a program or its output, whose words state nothing.
var codeLine = reading.Lazy(`\w\([^)]*\)\s*[{;]|[{};]\s*$|=>|:=|==|</|^\s*[$>#] |\bat [\w.$]+\(|^\s*(import|func|def|class|var|const|let|return|select|insert|update)\s.*[(={*]`)

// definite reports whether a sentence of the form "the X is Y" says what Y is: a name, a
// number, something quoted, or a phrase with an article or a preposition. "The weather is nice"
// does not.
func definite(sentence string) bool {
	at := defined.FindStringIndex(sentence)
	if at == nil {
		return false
	}
	_, size := utf8.DecodeLastRuneInString(sentence[:at[1]])
	value := strings.Fields(sentence[at[1]-size:])
	return rank.Stop(rank.Fold(strings.Trim(value[0], ".,!"))) || slices.ContainsFunc(value, func(w string) bool {
		return strings.ContainsAny(w, "0123456789\"*`“„«") || strings.IndexFunc(w, unicode.IsUpper) >= 0 || dayNames[rank.Fold(strings.Trim(w, ".,!"))]
	})
}

// dayNames are days and months where they are written without a capital.
var dayNames = reading.WordSet(`lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo
	lunedi martedi mercoledi giovedi venerdi domenica janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
	enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
	gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre tomorrow today manana domani demain`)

// guessed matches, in a folded sentence, what sounds like a rule or a decision and is a guess or a cheer: "that must have
// been hard", "let's keep helping". English, German, French, Spanish.
var guessed = reading.NewPattern(`\bmust(?:'ve| have) (?:\w+ )?(?:been|had|felt|taken|made|done|gone|come|known|seen|\w+ed)\b|\blet's keep (?:\w+ )?\w+ing\b` +
	`|\bmuss\b.{1,60}\b(?:gewesen sein|gehabt haben)\b|\b(?:doit|doivent) avoir (?:ete|eu)\b|\b(?:debe|deben) (?:de )?haber (?:sido|tenido)\b`)

func kindOf(folded string) FactKind {
	if guessed.MatchString(folded) {
		return ""
	}
	for _, c := range cues {
		if c.pattern.MatchString(folded) {
			return c.kind
		}
	}
	return ""
}

// ownArticles make what follows the speaker's own.
var ownArticles = []string{"my", "mein", "meine", "mon", "ma", "mi", "mio", "mia", "meu", "minha"}

// slotOf is what a sentence of the form "the X is Y" is about, and its article;
// "" for any other sentence.
func slotOf(sentence string) (article, slot string) {
	m := defined.FindStringSubmatch(sentence)
	if m == nil {
		return "", ""
	}
	var name []string
	for _, w := range strings.Fields(m[2]) {
		if !fillers[rank.Fold(w)] {
			name = append(name, w)
		}
	}
	return strings.ToLower(m[1]), strings.Join(name, " ")
}
