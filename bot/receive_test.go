package bot

import (
	"context"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// completing is a platform whose wire tells only ids of people; "P" is a program.
type completing struct {
	named
	answers *[]bool
}

func (c completing) Complete(_ context.Context, ev *platform.Event, answer bool) {
	*c.answers = append(*c.answers, answer)
	if ev.Author.Kind = memory.Human; ev.Author.ID == "P" {
		ev.Author.Kind = memory.Bot
	}
	ev.Author.Name = "called " + ev.Author.ID
}

// TestLookUpsFollowTheDecision: what is ignored is not looked up, what is kept is, once.
func TestLookUpsFollowTheDecision(t *testing.T) {
	for name, c := range map[string]struct {
		author        string
		mention       bool
		looked, shown bool
	}{
		"a question":              {"U", true, true, true},
		"not for us":              {"U", false, false, false},
		"a program that asks us":  {"P", true, true, false},
		"a program that does not": {"P", false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := idleBot(t)
			var answers []bool
			ev := platform.Event{ID: "e", Kind: platform.EventMessage, Key: memory.Key{Workspace: "w", Channel: "c"}, Message: "m", Text: "How long?",
				Channel: memory.Channel{Kind: memory.Public}, Author: platform.Author{ID: c.author}, Mention: c.mention}
			if err := b.receive(t.Context(), completing{answers: &answers}, ev); err != nil {
				t.Fatal(err)
			}
			if looked := len(answers) == 1 && answers[0]; looked != c.looked || len(answers) > 1 {
				t.Errorf("looked up %v", answers)
			}
			ev.Key.Platform = "fake"
			s, err := b.Store.SessionByKey(t.Context(), ev.Key)
			if err != nil && c.shown || err == nil && !c.shown {
				t.Fatalf("session %+v %v", s, err)
			}
			if !c.shown {
				return
			}
			rows, err := inboxPending(t, b.Store, s.ID)
			if err != nil || len(rows) != 1 {
				t.Fatalf("%d rows %v", len(rows), err)
			}
			if m, err := b.Store.Message(t.Context(), rows[0].MessageID); err != nil || m.Author != "called "+c.author {
				t.Errorf("%+v %v", m, err)
			}
		})
	}
}

// inboxPending returns the inbox rows of a session still to be answered, in order.
func inboxPending(t *testing.T, s *memory.Store, session int64) (rows []*memory.Inbox, err error) {
	t.Helper()
	err = s.Read().NewSelect().Model(&rows).Where("session_id = ? AND state = ?", session, memory.InboxNew).Order("seq").Scan(t.Context())
	return rows, err
}
