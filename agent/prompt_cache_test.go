package agent

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/memory"
)

// mostUncached is how many tokens of a following message a service may have to read anew, beside the evidence.
const mostUncached = 600

// TestAFollowingMessageIsMostlyCached: the next prompt of a conversation begins as the last one did, however long it
// gets, also where a small window leaves the oldest lines out.
func TestAFollowingMessageIsMostlyCached(t *testing.T) {
	for name, window := range map[string]int{"a large window": 128_000, "a small window": 8_192} {
		t.Run(name, func(t *testing.T) {
			k := newTalk(t, "otherwise:\nsay: ANSWER\n  I took note of it, and of everything that was said about the boats before.")
			k.chain.Budget.Window = window
			most := 0
			for i := range 80 {
				k.turn("Ada", fmt.Sprintf("Boat %d of the fleet sails on %s at %d o'clock with a crew of %d, and comes back before it gets dark.",
					i, []string{"Monday", "Tuesday", "Friday"}[i%3], 6+i%6, 2+i%9), ChoiceNone)
				if r := k.lastRequest(); i > 0 {
					most = max(most, r.Uncached-recalledTokens(r.User()))
				}
			}
			if t.Logf("at most %d tokens", most); most > mostUncached {
				t.Errorf("a service has to read %d tokens anew", most)
			}
		})
	}
}

// recalledTokens are those of the recalled lines of a request, which are evidence.
func recalledTokens(request string) int {
	_, rest, ok := strings.Cut(request, `kind="recalled">`)
	if !ok {
		return 0
	}
	recalled, _, _ := strings.Cut(rest, "</data")
	return memory.Count(recalled)
}
