package memory

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"threadkeeper/memory/rank"
)

// Bounds of the facts found by cue.
const (
	factWords       = 40 // a longer sentence states no single fact
	factsPerMessage = 5
	factsPerSlice   = 60
)

// cue recognises, in a folded sentence of a person, the kind of fact it states.
// The first that matches decides. All cover English, German, French, Spanish and
// Italian; Portuguese and Dutch only where they share the word.
type cue struct {
	kind    FactKind
	pattern *regexp.Regexp
}

var cues = []cue{
	{OpenQuestion, regexp.MustCompile(`\b(open question|still unclear|not (yet )?(decided|clear)|undecided|tbd|to be (decided|confirmed)|offene frage|noch (offen|unklar)|a decider|reste a|por decidir|pendiente|da decidere|em aberto)\b`)},
	{Preference, regexp.MustCompile(`\b(i|we) (would |'d )?(strongly |really |usually |always )?(prefer|rather|favou?r)\b|\b(my|our) (favou?rite|preferred|preference)\b|\bi (really |do not |don't )?(like|love|hate|dislike)\b` +
		`|\b(ich|wir) (bevorzuge|bevorzugen|mag|mogen)\b|\bam liebsten\b|\blieber\b|\b(je|nous) prefer\w+|\bj'(aime|adore|prefere)\b|\b(prefiero|preferimos|me gusta|prefiro|preferisco|preferiamo|mi piace|gosto de|ik heb liever)\b`)},
	{Decision, regexp.MustCompile(`\b(we|i|they|it was|has been|have been|is) (have |has |had )?(finally )?(decided|agreed|chosen|approved|settled)\b|\b(decided|agreed|chose|settled) (to|on|that)\b|\b(we|i)('ll| will| are going to|'re going to) (go with|use|take|switch to|adopt|stay with)\b|\blet's (go with|use|take|switch to)\b|\bdecision\b` +
		`|\b(wir|ich) (nehmen|haben uns .{0,40}entschieden|habe mich .{0,40}entschieden)\b|\b(entschieden|beschlossen|vereinbart)\b|\b(on a|nous avons|j'ai) (decide|choisi|retenu)\b|\b(hemos|he) (decidido|elegido|acordado)\b|\b(abbiamo|ho) (deciso|scelto)\b|\b(decidimos|decidiu|besloten)\b`)},
	{Constraint, regexp.MustCompile(`\b(must|must not|mustn't|may not|never|no more than|at most|at least|deadline|not allowed|is required|no later than|cannot exceed|should never)\b|\bbudget (is|of)\b|\b(always|only) (use|answer|write|reply)\b` +
		`|\b(muss|mussen|darf nicht|durfen nicht|niemals|hochstens|mindestens|spatestens|frist)\b|\b(doit|doivent|ne doit pas|jamais|au plus|au moins|au plus tard|delai)\b|\b(debe|deben|nunca|como maximo|como minimo|plazo)\b|\b(deve|devono|mai piu di|al massimo|almeno|scadenza|prazo|moet|nooit)\b`)},
	{Todo, regexp.MustCompile(`\b(to-?do|need to|needs to|have to|has to|remember to|don't forget|do not forget|remind (me|us)|next step|action item|follow up)\b` +
		`|\b(noch zu erledigen|zu tun|nicht vergessen|erinnere mich)\b|\b(a faire|il faut|n'oublie[zs]? pas|rappelle-moi)\b|\b(hay que|tenemos que|tengo que|no olvid\w+|recuerdame)\b|\b(bisogna|dobbiamo|non dimenticare|da fare|temos que)\b`)},
}

// defined matches "the X is Y" in English, German, French, Spanish, Italian and
// Portuguese: its groups are the article, X and the verb's end.
var defined = regexp.MustCompile(`(?i)\b(the|my|our|his|her|their|der|die|das|mein[e]?|unser[e]?|le|la|les|mon|ma|notre|nos|el|los|mi|nuestr[oa]|il|lo|mio|mia|nostr[oa]|o|a|meu|minha|nosso|nossa)\s+` +
	`((?:[\pL\pN'’_-]+\s+){0,4}?[\pL\pN'’_-]+)\s+` +
	`(?:is now|is|are|was|will be|has changed to|changed to|ist jetzt|ist|lautet|sind|est|sont|es|son|è|sono|é|são)\s+\S`)

// temporary matches, in a folded sentence, that something holds for a while;
// English, German, French, Spanish.
var temporary = []struct {
	pattern *regexp.Regexp
	days    int
}{
	{regexp.MustCompile(`\b(just |only )?(for )?today\b|\bnur heute\b|\bseulement aujourd'hui\b|\bsolo hoy\b`), 1},
	{regexp.MustCompile(`\b(just |only )?(for|during) this week\b|\b(nur )?(fur )?diese woche\b|\bcette semaine\b|\besta semana\b`), 7},
	{regexp.MustCompile(`\b(just |only )?(for|during) this month\b|\b(nur )?(fur )?diesen monat\b|\bce mois\b|\beste mes\b`), 31},
}

// fillers are words of a name that do not tell one thing from another.
var fillers = map[string]bool{"new": true, "current": true, "updated": true, "correct": true, "actual": true, "latest": true,
	"old": true, "final": true, "neue": true, "neuer": true, "aktuelle": true, "nouveau": true, "nouvelle": true, "nuevo": true, "nueva": true, "nuovo": true}

// extractClaims finds what people stated, by cue. Facts are verbatim sentences.
func extractClaims(sl *Slice) []Claim {
	var claims []Claim
	for _, l := range sl.Lines {
		if !l.Human() || l.Bot || len(claims) >= factsPerSlice {
			continue
		}
		n := 0
		for _, sentence := range Sentences(plainLines(bounded(l.Said))) {
			c, ok := claimOf(l, sentence)
			if !ok {
				continue
			}
			claims = append(claims, c)
			if n++; n == factsPerMessage {
				break
			}
		}
	}
	return claims
}

func claimOf(l Line, sentence string) (Claim, bool) {
	words := len(strings.Fields(sentence))
	if words < 3 || words > factWords || Secret(sentence) {
		return Claim{}, false
	}
	folded := rank.Fold(sentence)
	c := Claim{Subject: l.Name(), Text: l.Name() + ": " + sentence, MessageID: l.ID, Quote: sentence,
		Quarantined: Commanding(sentence), Kind: kindOf(folded)}
	var article string
	article, c.Slot = slotOf(sentence)
	question := strings.HasSuffix(strings.TrimRight(sentence, `"')`), "?")
	switch {
	case question && c.Kind != OpenQuestion:
		return Claim{}, false
	case c.Kind != "":
	case c.Slot != "", len(rank.Numbers(sentence)) > 0 && words > 3:
		c.Kind = KeyFact
	default:
		return Claim{}, false
	}
	if c.Slot != "" && slices.Contains(ownArticles, article) {
		c.Slot = l.Name() + " " + c.Slot
	}
	for _, t := range temporary {
		if t.pattern.MatchString(folded) && (c.Kind == Preference || c.Kind == Constraint) {
			c.ExpiresAt = time.UnixMilli(l.At).AddDate(0, 0, t.days).UnixMilli()
			break
		}
	}
	return c, true
}

func kindOf(folded string) FactKind {
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
	return strings.ToLower(m[1]), Slot(strings.Join(name, " "))
}
