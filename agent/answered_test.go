package agent

import (
	"context"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
)

// record keeps what the last reply answers, as the bot does.
func (k *talk) record() *memory.Message {
	k.t.Helper()
	m := new(memory.Message)
	err := k.store.Write(k.t.Context(), func(ctx context.Context, tx bun.Tx) error {
		if err := tx.NewSelect().Model(m).Where("role = ?", memory.Assistant).OrderExpr("id DESC").Limit(1).Scan(ctx); err != nil {
			return err
		}
		_, err := tx.NewRaw(`INSERT INTO ledgers (message_id, json, answers) VALUES (?, '{}', ?)`, m.ID, k.last.Ledger.Answers).Exec(ctx)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return m
}

// TestTheSameQuestionIsAnsweredOnce: who opens another conversation with it gets the answer that stands, with its link; it goes
// with that answer, and nobody gets it who may not see it, who asks of other documents, or for whom it may be another.
func TestTheSameQuestionIsAnsweredOnce(t *testing.T) {
	k := newTalk(t, `when /text:\nHow much (?:does the crane lift|may it lift).*\n/:
say: ANSWER
  It lifts 40 tonnes [d1 p1 "The crane lifts 40 tonnes"].

otherwise:
say: ANSWER
  Something else.`)
	k.link = func(key memory.Key, message string) string { return "https://chat.example/" + key.Thread }
	d := k.document("crane.txt", "The crane lifts 40 tonnes since 2025.")
	share := func(shared bool) {
		t.Helper()
		err := k.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewUpdate().Model((*memory.Document)(nil)).Set("shared = ?", shared).Where("id = ?", d.ID).Exec(ctx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	share(true)
	const question = "How much does the crane lift in 2025?"
	r := k.turn("Ada", question, ChoiceNone)
	if r.Ledger.Answers == "" || len(r.Citations) != 1 {
		t.Fatalf("%+v", r)
	}
	first := k.record()

	k.thread++
	r = k.turn("Bob", "how much does the crane lift in 2025", ChoiceNone)
	if r.Ledger.ModelCalls != 0 || r.Text != "Answered before, on [1 March 2026](https://chat.example/t0):\n\nIt lifts 40 tonnes [1]." || len(r.Citations) != 1 || r.Citations[0].DocumentID != d.ID {
		t.Errorf("%+v", r)
	}
	if len(r.Rests.Messages) != 1 || r.Rests.Messages[0] != first.ID || r.Ledger.Answers != "" {
		t.Errorf("it does not go with the first answer: %+v, %q", r.Rests, r.Ledger.Answers)
	}
	for _, other := range []string{"How much does the crane lift today?", "How much did the crane lift last week?", "How much does the crane lift for me?", "How much does the crane lift?"} {
		k.thread++
		if r := k.turn("Bob", other, ChoiceNone); r.Ledger.ModelCalls != 1 {
			t.Errorf("%q: %+v", other, r)
		}
	}
	if r := k.turn("Bob", question, ChoiceNone); r.Ledger.ModelCalls != 1 {
		t.Errorf("after something was said: %+v", r)
	}
	k.thread++
	k.person("Bob")
	k.document("other.txt", "The press is blue.")
	if r := k.turn("Bob", question, ChoiceNone); r.Ledger.ModelCalls != 1 {
		t.Errorf("beside another document: %+v", r)
	}
	k.channel++
	k.kind = memory.DM
	k.person("Eve")
	copied := &memory.Document{ContentID: d.ContentID, SessionID: k.session.ID, ChannelID: k.session.ChannelID, Name: "crane.txt", State: memory.DocumentReady}
	err := k.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(copied).ExcludeColumn("id").Returning("id").Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := k.turn("Eve", question, ChoiceNone); r.Ledger.ModelCalls != 1 || strings.Contains(r.Text, "before") {
		t.Errorf("where it may not be told: %+v", r)
	}
}
