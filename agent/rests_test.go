package agent

import (
	"context"
	"slices"
	"testing"

	"threadkeeper/memory"
)

// TestWhatAnAnswerRestsOn: documents that its prompts held, cited or not, lines of other conversations and our earlier
// answers, as far as it says something of them.
func TestWhatAnAnswerRestsOn(t *testing.T) {
	for name, c := range map[string]struct {
		script                    string
		shared, line, other, ours bool
	}{
		"uncited":              {"otherwise:\nsay: ANSWER\n  Roughly forty, if the ground holds.", true, false, false, false},
		"in another language":  {"otherwise:\nsay: ANSWER\n  Der Kran hebt schwere Lasten.", false, false, false, false},
		"a line":               {"otherwise:\nsay: ANSWER\n  Perhaps the ferry.", false, true, false, false},
		"an earlier answer":    {"otherwise:\nsay: ANSWER\n  As the zeppelin did.", false, false, false, true},
		"courtesy":             {"otherwise:\nsay: ANSWER\n  Fine.", false, false, false, false},
		"searched, not quoted": {"when /What could/ nth=1:\ncall: search_messages {\"query\": \"pier\"}\n\notherwise:\nsay: ANSWER\n  At the pier, perhaps.", false, false, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTalk(t, c.script)
			k.thread = 1
			line, other := k.say("Bob", "We could take the ferry to lift it."), k.say("Bob", "Meet at the pier.")
			k.thread = 2
			k.say("Ada", "Hello.")
			ours := k.say("bot", "The zeppelin did it.")
			d := k.document("crane.txt", "The crane lifts 40 tonnes.")
			k.thread = 3
			k.person("Bob")
			shared := k.document("moor.txt", "A moored ship, loads to forty tonnes.")
			if err := k.chain.Index.Share(t.Context(), memory.Audience{Session: k.session.ID, Channel: memory.Channel{ID: k.session.ChannelID}}, shared.ID); err != nil {
				t.Fatal(err)
			}
			k.thread = 2
			r := k.turn("Ada", "What could lift it?", ChoiceNone)
			for what, is := range map[string][2]bool{
				"the document":         {slices.Contains(r.Rests.Documents, d.ID), true},
				"the shared document":  {slices.Contains(r.Rests.Documents, shared.ID), c.shared},
				"the line":             {slices.Contains(r.Rests.Messages, line.ID), c.line},
				"the other line":       {slices.Contains(r.Rests.Messages, other.ID), c.other},
				"the answer before it": {slices.Contains(r.Rests.Messages, ours.ID), c.ours},
			} {
				if is[0] != is[1] {
					t.Errorf("%q rests on %s: %v", r.Text, what, is[0])
				}
			}
		})
	}
}

// TestWhatAPromptHoldsIsToldBeforeItIsSent: of documents and of other conversations.
func TestWhatAPromptHoldsIsToldBeforeItIsSent(t *testing.T) {
	k := newTalk(t, otherwise)
	k.thread = 1
	line := k.say("Bob", "The ferry could lift it.")
	k.thread = 2
	m := k.say("Ada", "What could lift it?")
	d := k.document("crane.txt", "The crane lifts 40 tonnes.")
	a, err := k.store.Audience(t.Context(), k.session.ID, m.PersonID)
	if err != nil {
		t.Fatal(err)
	}
	turn := Turn{Session: k.session, Audience: a, Messages: []*memory.Message{m}, Choice: ChoiceNone, Now: k.now}
	turn.Held = func(_ context.Context, s memory.Shown) error {
		if len(k.server.Requests()) > 0 || !slices.Equal(s.Documents, []int64{d.ID}) || !slices.Equal(s.Messages, []int64{line.ID}) {
			t.Errorf("after %d prompts: %+v", len(k.server.Requests()), s)
		}
		return memory.ErrInterrupted
	}
	if _, err := k.chain.Respond(t.Context(), turn, nil); err == nil || len(k.server.Requests()) > 0 {
		t.Errorf("it is sent though it was erased: %v", err)
	}
}
