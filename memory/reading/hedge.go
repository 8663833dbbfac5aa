package reading

import (
	"strings"
	"unicode"
)

// hedges are words of what may be, is planned, or depends on something, in English, German, French and Spanish.
var hedges = WordSet(`may might could would should perhaps maybe possibly possible possibility potential potentially likely if unless expect expects expected expecting plan plans planned
	planning intend intends intended propose proposes proposed proposal consider considering considers hope hopes anticipate anticipates anticipated forecast outlook guidance projected
	könnte könnten kann können dürfte dürften soll sollen sollte sollten würde würden geplant erwartet erwarten voraussichtlich vielleicht möglicherweise eventuell vorgeschlagen vorgesehen beabsichtigt wenn sofern
	pourrait pourraient peut peuvent devrait devraient serait seraient prévoit prévoient prévu prévue prévus envisage envisagent si
	podría podrían puede pueden debería sería quizá quizás prevé prevén previsto prevista espera esperan planea planean`)

// Hedged reports whether a text says of something that it may be, is planned, or depends on something.
func Hedged(text string) bool {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if hedges[strings.ToLower(w)] && w != "May" && w != "MAY" {
			return true
		}
	}
	return false
}
