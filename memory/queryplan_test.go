package memory

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

// statements are what was sent to the database.
type statements struct{ sent []string }

func (l *statements) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }
func (l *statements) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	l.sent = append(l.sent, e.Query)
}

// short are scans of what waits only, of channels and settings, and of rows made in memory.
var short = regexp.MustCompile(`INDEX (?:\w+_(?:open|quick|waiting|ready|quiet))\b|VIRTUAL TABLE|CONSTANT ROW|^SCAN (?:settings|\(?subquery|\d|[a-z]+ USING INTEGER PRIMARY KEY$)`)

// TestAnEventReadsNoTableFromEndToEnd follows a message with a file from its arrival to its
// erasure, and one that is answered again: each takes no longer the more is kept.
func TestAnEventReadsNoTableFromEndToEnd(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	log := new(statements)
	s.writer, s.reader = s.writer.WithQueryHook(log), s.reader.WithQueryHook(log)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	in := incoming("e1", "m1", "where does the ferry to Lyon leave", true)
	in.Files = []File{{PlatformID: "f1", Name: "a.txt"}}
	r, err := s.Queue.Receive(ctx, in)
	must(err)
	_, err = s.Queue.Receive(ctx, incoming("e1b", "m1", "where does the ferry to Lyon leave", true))
	must(err)
	turn, err := claim(s, "w", time.Minute)
	must(err)
	files, err := s.WaitingFiles(ctx, r.Session.ID)
	must(err)
	document := &Document{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, MessageID: r.Message.ID, Name: "a.txt", State: DocumentReady}
	must(s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(document).ExcludeColumn("id").Returning("id").Exec(ctx)
		return err
	}))
	must(s.SetFileResult(ctx, files[0].ID, document.ID, FileRead, ""))
	must(s.Queue.OutboxMakeReady(ctx, &turn.Lease, turn.Post, turn.Rows[0].ID))
	_, err = s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "r", Posts: []string{"p1"}, Inbox: []int64{turn.Rows[0].ID},
		Interactions: []int64{r.Message.InteractionID}, State: InteractionFailed,
		Message:   Message{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, InteractionID: r.Message.InteractionID, Text: "at the pier", ReplyTo: r.Message.ID},
		Citations: []Citation{{N: 1, DocumentID: document.ID, Page: 1, Quote: "the pier"}},
		Question:  &Question{InteractionID: r.Message.InteractionID, MessageID: r.Message.ID, PersonID: r.Person.ID, Token: "q", Text: "which?"}})
	must(err)
	_, err = s.Queue.LeavesQuestions(ctx, r.Person.ID)
	must(err)
	_, err = s.Queue.AskedBefore(ctx, r.Session.ID, r.Person.ID, "where does the ferry leave")
	if !errors.Is(err, ErrNotFound) {
		must(err)
	}
	_, err = s.Carried(ctx, Audience{Channel: Channel{ID: r.Session.ChannelID, Kind: Public, Platform: "test", Workspace: "w"}, Session: r.Session.ID + 1, Person: r.Person.ID})
	must(err)
	q, err := s.Queue.OpenQuestion(ctx, r.Session.ID)
	must(err)
	_, err = s.Queue.CloseQuestion(ctx, q.ID, "this", QuestionAnswered)
	must(err)
	click := incoming("e2", "", "", false)
	click.Message, click.Command = nil, true
	c, err := s.Queue.Receive(ctx, click)
	must(err)
	_, err = s.Queue.InboxCommands(ctx, 10)
	must(err)
	failed, err := s.Queue.FailedRequest(ctx, r.Session.ChannelID, turn.Post.Nonce)
	must(err)
	if _, err := s.Queue.QuestionBefore(ctx, failed[0]); err != ErrNotFound {
		t.Fatal(err)
	}
	_, err = s.Queue.InboxRequeue(ctx, c.Inbox.ID, []int64{failed[0].ID}, "{}", nil)
	must(err)
	_, err = s.Views.Shelf(ctx, Audience{Channel: Channel{ID: r.Session.ChannelID}, Session: r.Session.ID}, 10)
	must(err)
	_, err = s.Views.LastPostRef(ctx, r.Session.ID)
	must(err)
	_, err = s.Queue.OutboxDue(ctx, 10)
	must(err)
	_, err = s.Backfill(ctx, r.Session, []Incoming{incoming("", "m0", "hello", false)})
	must(err)
	_, err = s.Queue.ReceiveEdit(ctx, about("edit"), "m1", "when does the ferry to Lyon leave")
	must(err)
	_, err = s.Queue.ReceiveErase(ctx, about("delete"), "m1")
	must(err)
	must(s.RemoveDocument(ctx, 0, document.ID))

	if len(log.sent) < 100 {
		t.Fatalf("only %d statements", len(log.sent))
	}
	told := map[string]bool{}
	for _, statement := range log.sent {
		if strings.HasPrefix(statement, `INSERT INTO "sessions"`) {
			continue // the plan holds the search for rows that wait for their session: there are none
		}
		var plan []struct {
			ID, Parent, Notused int
			Detail              string
		}
		if err := s.writer.NewRaw("EXPLAIN QUERY PLAN "+statement).Scan(ctx, &plan); err != nil {
			continue // BEGIN and the like
		}
		for _, step := range plan {
			if strings.HasPrefix(step.Detail, "SCAN ") && !short.MatchString(step.Detail) && !told[statement] {
				told[statement] = true
				t.Errorf("%s: %s", step.Detail, statement)
			}
		}
	}
}
