package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestTheHistoryShowsWhatAnswersCited: "which page?" needs no search, and the line stays as it is from turn to turn.
func TestTheHistoryShowsWhatAnswersCited(t *testing.T) {
	k := newTalk(t, `when /text:\nWhat does the roaster cost/:
say: ANSWER
  It costs 38,700 euros [d1 p1 "The roaster costs 38,700 euros net, delivered to the door"].

otherwise:
say: ANSWER
  On page 1.`)
	d := k.document("offer.txt", "The roaster costs 38,700 euros net, delivered to the door.\n\nThe warranty lasts two years.")
	if r := k.turn("Ada", "What does the roaster cost?", ChoiceNone); len(r.Citations) != 1 {
		t.Fatalf("%+v", r)
	}
	cited := `It costs 38,700 euros.` + "\n" + `(cited: offer.txt p1 "The roaster costs 38,700 euros net, delivered to the door")`
	r := k.turn("Ada", "Which page was that?", ChoiceNone)
	before := k.lastRequest()
	if !strings.Contains(before.Prompt(), cited) {
		t.Errorf("not in the prompt:\n%s", before.Prompt())
	}
	if !slices.Contains(r.Rests.Documents, d.ID) {
		t.Errorf("rests on %+v", r.Rests)
	}
	k.turn("Ada", "And the warranty?", ChoiceNone)
	if n := k.lastRequest().Uncached - recalledTokens(k.lastRequest().User()); n > mostUncached {
		t.Errorf("%d tokens are new", n)
	}
}

// TestNamesOfDocumentsCost less than what may be new in a prompt: they stand in the part that changes.
func TestNamesOfDocumentsCost(t *testing.T) {
	k := newTalk(t, otherwise)
	for i := range 20 {
		k.document(fmt.Sprintf("Annual report of harbour %d, 20%02d.pdf", i, i), strings.Repeat("The sea is wide and grey today. ", 200))
	}
	k.turn("Ada", "Which boat is the newest?", ChoiceNone)
	k.turn("Ada", "And who sails it?", ChoiceNone)
	prompt := k.lastRequest().User()
	pages, tokens := k.prompted()
	if n := k.lastRequest().Uncached - tokens - recalledTokens(prompt); pages == "" || n > mostUncached {
		t.Errorf("%d tokens are new beside %d of pages", n, tokens)
	}
}

// TestTheHistoryStaysAsItIsWhoeverAsks: its lines have the time of the first whose zone is known, and the request says so to others.
func TestTheHistoryStaysAsItIsWhoeverAsks(t *testing.T) {
	k := newTalk(t, otherwise)
	k.now = k.now.In(time.FixedZone("CET", 3600))
	k.say("Cora", "Good morning.") // whose zone nobody knows
	k.say("Ada", "The ferry sails at nine.")
	if _, _, err := k.store.Locate(t.Context(), k.session.Key, memory.Channel{Kind: memory.Public}, memory.Person{PlatformID: "ada", Name: "Ada", TimeZone: "Africa/Lagos"}); err != nil {
		t.Fatal(err)
	}
	k.turn("Ada", "When does the ferry sail?", ChoiceNone)
	first := k.lastRequest()
	k.now = k.now.In(time.FixedZone("EST", -5*3600))
	k.turn("Ben", "And the second ferry?", ChoiceNone)
	second := k.lastRequest()
	line, _, _ := strings.Cut(first.Messages[1].Text, "\n</data")
	if !strings.HasPrefix(second.Messages[1].Text, line) {
		t.Errorf("%s\nbecame %s", line, second.Messages[1].Text)
	}
	if strings.Contains(first.User(), "the lines have") || !strings.Contains(second.User(), "EST; the lines have the time of Africa/Lagos, where it is ") {
		t.Errorf("%s\n%s", first.User(), second.User())
	}
}
