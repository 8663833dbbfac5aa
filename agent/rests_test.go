package agent

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/memory"
)

// TestSourcesOfAnAnswer: documents that its prompts held, cited or not, lines of other conversations and our earlier
// answers, as far as it says something of them.
func TestSourcesOfAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		script                    string
		shared, line, other, ours bool
	}{
		"uncited":              {"otherwise:\nsay: ANSWER\n  Roughly forty, if the ground holds.", true, false, false, false},
		"in another language":  {"otherwise:\nsay: ANSWER\n  Der Kran hebt schwere Lasten.", false, false, false, false},
		"a line":               {"otherwise:\nsay: ANSWER\n  Perhaps the ferry.", false, true, false, false},
		"an earlier answer":    {"otherwise:\nsay: ANSWER\n  As the zeppelin did.", false, false, false, true},
		"courtesy":             {"otherwise:\nsay: ANSWER\n  Fine.", false, false, false, false},
		"read with a line":     {"when /./ times=1:\nsay: {\"rewritten_query\": \"What could lift it, perhaps the ferry?\"}\n\notherwise:\nsay: ANSWER\n  Fine.", false, true, false, false},
		"kept":                 {"when /What could/ nth=1:\ncall: search_documents {\"queries\": [\"moored\"], \"keep\": [{\"document\": \"d2\", \"page\": 1, \"quote\": \"A moored ship, loads to forty tonnes\"}]}\n\notherwise:\nsay: ANSWER\n  Gut.", true, false, false, false},
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
			if name == "read with a line" {
				k.chain.Clarify = ClarifyAlways
			}
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

// TestPromptContentIsReportedBeforeItIsSent: of documents and of other conversations.
func TestPromptContentIsReportedBeforeItIsSent(t *testing.T) {
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

// TestEveryPromptIsAnnounced: also those that hold nothing new, of an analysis, a second round, a repair, a judgement, the portions of a
// reading, the choice and the words of a comparison. Once it may not be sent, none is.
func TestEveryPromptIsAnnounced(t *testing.T) {
	for name, begin := range map[string]func(t *testing.T) (*talk, string){
		"an analysis and a repair": func(t *testing.T) (*talk, string) {
			k := newTalk(t, "when /./ times=1:\nsay: {}\n\nwhen /./ times=1:\nsay: ANSWER\n\n"+otherwise)
			k.chain.Clarify = ClarifyAlways
			return k, "Explain how tides come about, please"
		},
		"a reading": func(t *testing.T) (*talk, string) {
			k := newTalk(t, otherwise)
			k.serve(fakemodel.Options{Default: reader})
			k.document("report.txt", reportPages(30)...)
			return k, "Summarise report.txt"
		},
		"a comparison": func(t *testing.T) (*talk, string) {
			k, _, _ := lender(t, func() string { return `{"chosen": [1, 4]}` })
			return k, "Compare north and south on debt"
		},
		"a search": func(t *testing.T) (*talk, string) {
			k := newTalk(t, "when /calls left: 3/:\nsay: search_messages {\"query\": \"tide\", \"keep\": []}\n\nwhen /calls left: 2/:\nsay: search_messages {\"query\": \"ebb\", \"keep\": []}\n\n"+otherwise)
			return k, "Explain how tides come about, please"
		},
		"a correction and a judgement": func(t *testing.T) (*talk, string) {
			k := newTalk(t, "when /The statements to judge/:\n"+saying(noDividends)+"\n\nwhen /The check stopped at the next block/:\nsay: ANSWER\n  "+netRight+"\n  \n  "+auditors+
				"\n\notherwise:\nsay: ANSWER\n  Dividends are not distributed.\n  \n  "+revenues+"\n  \n  "+lastYear)
			k.chain.Judge = k.chain.Model
			k.document("Northwind 2015.txt", income...)
			return k, "What were revenues, dividends and net income in 2015, and who are the auditors?"
		},
	} {
		t.Run(name, func(t *testing.T) {
			k, request := begin(t)
			var announced atomic.Int64
			k.held = func(context.Context, memory.Shown) error {
				announced.Add(1)
				return nil
			}
			k.turn("Ada", request, ChoiceNone)
			sent := int64(len(k.server.Requests()))
			if sent < 3 || announced.Load() < sent {
				t.Fatalf("%d prompts, %d announced", sent, announced.Load())
			}
			for _, last := range []int64{0, 1, sent - 1} {
				k, request := begin(t)
				var announced atomic.Int64
				m, ada := k.say("Ada", request), k.person("Ada")
				a, err := k.store.Audience(t.Context(), k.session.ID, ada.ID)
				if err != nil {
					t.Fatal(err)
				}
				turn := Turn{Session: k.session, Audience: a, Person: ada, Messages: []*memory.Message{m}, Choice: ChoiceNone, Now: k.now}
				turn.Held = func(context.Context, memory.Shown) error {
					if announced.Add(1) > last {
						return memory.ErrInterrupted
					}
					return nil
				}
				if _, err := k.chain.Respond(t.Context(), turn, nil); !errors.Is(err, memory.ErrInterrupted) || int64(len(k.server.Requests())) > last {
					t.Errorf("%d prompts after %d were allowed: %v", len(k.server.Requests()), last, err)
				}
			}
		})
	}
}

// TestAnAnswerRestsOnWhatWasFolded: of folded answers that cite a document, those that hold the word of the summary that
// is said, all if a model put it in other words, none for what people said themselves.
func TestAnAnswerRestsOnWhatWasFolded(t *testing.T) {
	for name, c := range map[string]struct {
		says, narrative string
		method          memory.SegmentMethod
		crane, boat     bool
	}{
		"a word of one":        {"Mind the hydraulics.", "Assistant answered: “The hydraulics leak.”.", memory.Extractive, true, false},
		"other words":          {"Mind the lifting gear.", "The lifting gear of the machine leaks.", memory.ByModel, true, true},
		"what a person said":   {"To the harbour.", "Ada said: “We meet at the harbour.”.", memory.Extractive, false, false},
		"nothing of it":        {"Fine.", "Assistant answered: “The hydraulics leak.”.", memory.Extractive, false, false},
		"the teller's words":   {"You asked and I answered on 4 March.", "On 4 March 2026, Ada asked: “Why?”; Assistant answered: “The hydraulics leak.”.", memory.Extractive, false, false},
		"a word asked with it": {"The crane.", "Assistant answered: “The crane leaks.”.", memory.Extractive, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTalk(t, "otherwise:\nsay: ANSWER\n  "+c.says)
			k.thread = 1
			k.person("Bob")
			elsewhere := k.document("crane.txt", "The hydraulics of the crane leak, the rudder of the boat jams.")
			k.thread = 2
			first := k.say("Ada", "We meet at the harbour.")
			crane, boat := k.say("bot", "The hydraulics leak."), k.say("bot", "The rudder jams.")
			k.write(func(ctx context.Context, tx bun.Tx) error {
				for _, m := range []*memory.Message{crane, boat} {
					if _, err := tx.NewInsert().Model(&memory.Citation{MessageID: m.ID, DocumentID: elsewhere.ID, N: 1}).ExcludeColumn("id").Exec(ctx); err != nil {
						return err
					}
				}
				_, err := tx.NewInsert().Model(&memory.Segment{SessionID: k.session.ID, FromID: first.ID, ToID: boat.ID, Messages: 3,
					Narrative: c.narrative, Method: c.method, CreatedAt: 1}).ExcludeColumn("id").Exec(ctx)
				return err
			})
			k.summary(c.narrative)
			r := k.turn("Ada", "What of the crane?", ChoiceNone)
			for _, w := range []struct {
				m    *memory.Message
				want bool
			}{{crane, c.crane}, {boat, c.boat}} {
				if is := slices.Contains(r.Rests.Messages, w.m.ID); is != w.want {
					t.Errorf("%q rests on %q: %v", r.Text, w.m.Text, is)
				}
			}
		})
	}
}

// TestACodeShowsWhereAnAnswerFoundIt: however many repeated it, and from the name of a shared document as well.
func TestACodeShowsWhereAnAnswerFoundIt(t *testing.T) {
	k := newTalk(t, "otherwise:\nsay: ANSWER\n  It is zq10049.")
	k.thread = 1
	k.person("Bob")
	shared := k.document("zq10049.txt", "Nothing of it stands here.")
	if err := k.chain.Index.Share(t.Context(), memory.Audience{Session: k.session.ID, Channel: memory.Channel{ID: k.session.ChannelID}}, shared.ID); err != nil {
		t.Fatal(err)
	}
	var lines []*memory.Message
	for _, what := range []string{"gate", "shed", "door", "barn", "loft"} {
		lines = append(lines, k.say("Bob", "The code of the "+what+" is zq10049."))
	}
	k.thread = 2
	r := k.turn("Ada", "What is the code of the gate?", ChoiceNone)
	if !slices.Contains(r.Rests.Documents, shared.ID) || !slices.Contains(r.Rests.Messages, lines[0].ID) {
		t.Errorf("%q rests on %+v", r.Text, r.Rests)
	}
}
