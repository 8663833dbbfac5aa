package memory

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// ear is a store whose clock stands still, and what is overheard there.
type ear struct {
	*Store
	t   *testing.T
	now int64
}

func newEar(t *testing.T) *ear {
	e := &ear{Store: openTest(t), t: t, now: 1_700_000_000_000}
	e.Now = func() int64 { return e.now }
	return e
}

// hears stores what somebody says after a pause; sure says that it is for us.
func (e *ear) hears(pause time.Duration, who, id string, sure bool) *Received {
	e.t.Helper()
	e.now += pause.Milliseconds()
	in := incoming("event "+id, id, id, sure)
	in.Overheard, in.Person, in.Message.Author = !sure, Person{PlatformID: who, Name: who}, who
	r, err := e.Queue.Receive(context.Background(), in)
	if err != nil {
		e.t.Fatal(err)
	}
	return r
}

// turn is the turn that is due after a pause, nil for none.
func (e *ear) turn(pause time.Duration) *Turn {
	e.t.Helper()
	e.now += pause.Milliseconds()
	turn, err := e.Queue.ClaimTurn(context.Background(), TurnClaim{Owner: "w", TTL: time.Minute, Burst: Burst{Rows: 8, Gap: 10 * time.Second},
		Nonce: func(last *Inbox) string { return "n" + last.EventID }})
	if err != nil {
		e.t.Fatal(err)
	}
	return turn
}

// about are the texts of a turn's messages.
func (e *ear) about(turn *Turn) (texts []string) {
	e.t.Helper()
	for _, row := range turn.Rows {
		m, err := e.Message(context.Background(), row.MessageID)
		if err != nil {
			e.t.Fatal(err)
		}
		texts = append(texts, m.Text)
	}
	return texts
}

func (e *ear) count(query string) (n int) {
	e.t.Helper()
	if err := e.reader.NewRaw(query).Scan(context.Background(), &n); err != nil {
		e.t.Fatal(err)
	}
	return n
}

func TestAnOverheardLineWaitsForItsBurst(t *testing.T) {
	e := newEar(t)
	e.hears(0, "Ada", "one", false)
	if at, ok, err := e.Queue.NextTurnAt(t.Context()); e.turn(1900*time.Millisecond) != nil || !ok || err != nil {
		t.Fatalf("taken at once; %d %v %v", at, ok, err)
	}
	if at, _, _ := e.Queue.NextTurnAt(t.Context()); at != e.now+100 {
		t.Errorf("due in %d ms, want 100", at-e.now)
	}
	e.hears(0, "Ada", "two", false)
	if e.turn(1900*time.Millisecond) != nil {
		t.Fatal("another line does not make it wait")
	}
	turn := e.turn(100 * time.Millisecond)
	if turn == nil || !turn.Overheard || !slices.Equal(e.about(turn), []string{"one", "two"}) || turn.Post.State != OutboxHeard || turn.Resumed {
		t.Fatalf("%+v", turn)
	}
	if n := e.count("SELECT COUNT(*) FROM interactions WHERE state = 'open'"); n != 0 {
		t.Error("an interaction is open")
	}
}

func TestABurstWaitsNoLongerThanSixSeconds(t *testing.T) {
	e := newEar(t)
	for _, id := range []string{"one", "two", "three", "four"} {
		e.hears(1500*time.Millisecond, "Ada", id, false)
	}
	if e.turn(1400*time.Millisecond) != nil {
		t.Fatal("taken early")
	}
	if turn := e.turn(100 * time.Millisecond); turn == nil || len(turn.Rows) != 4 {
		t.Fatalf("%+v", turn)
	}
}

func TestAMentionMakesTheWholeBurstARequest(t *testing.T) {
	for _, c := range []struct {
		name   string
		said   []string // by whom, "!" if it is certain
		turn   []string
		silent int
	}{
		{"of the same person", []string{"Ada", "Ada!"}, []string{"0", "1"}, 0},
		{"before the rest of it", []string{"Ada!", "Ada"}, []string{"0", "1"}, 0},
		{"of somebody else", []string{"Ada", "Bob!"}, []string{"1"}, 1},
		{"after others", []string{"Ada", "Bob", "Ada!"}, []string{"0", "2"}, 1},
		{"before others", []string{"Ada!", "Bob"}, []string{"0"}, 0},
		{"before others and more of it", []string{"Ada!", "Ada", "Bob"}, []string{"0", "1"}, 0},
		{"between others", []string{"Bob", "Ada!", "Ada", "Bob"}, []string{"1", "2"}, 1},
	} {
		e := newEar(t)
		for i, who := range c.said {
			name, sure := who, false
			if who[len(who)-1] == '!' {
				name, sure = who[:len(who)-1], true
			}
			e.hears(time.Second, name, string(rune('0'+i)), sure)
		}
		turn := e.turn(0)
		if turn == nil || turn.Overheard || turn.Post.State != OutboxNew || !slices.Equal(e.about(turn), c.turn) {
			t.Fatalf("%s: %+v", c.name, turn)
		}
		if n := e.count("SELECT COUNT(*) FROM inbox WHERE state = 'silent'"); n != c.silent {
			t.Errorf("%s: %d silent", c.name, n)
		}
		if n := e.count("SELECT COUNT(*) FROM interactions WHERE state = 'open'"); n != len(c.turn) {
			t.Errorf("%s: %d interactions open", c.name, n)
		}
	}
}

func TestSilenceLeavesNothingOpen(t *testing.T) {
	e := newEar(t)
	r := e.hears(0, "Ada", "one", false)
	turn := e.turn(2 * time.Second)
	end := Silence{Outbox: turn.Post.ID, Inbox: []int64{turn.Rows[0].ID}, Message: r.Message.ID, Ledger: Ledger{ModelCalls: 1, PromptTokens: 70}}
	if err := e.Queue.FinishInSilence(t.Context(), &Lease{SessionID: turn.SessionID, Epoch: turn.Epoch - 1}, end); !errors.Is(err, ErrFenced) {
		t.Fatal(err)
	}
	if err := e.Queue.FinishInSilence(t.Context(), &turn.Lease, end); err != nil {
		t.Fatal(err)
	}
	if n, err := e.Queue.CountOpen(t.Context()); n != 0 || err != nil {
		t.Errorf("%d open, %v", n, err)
	}
	if n := e.count("SELECT (SELECT COUNT(*) FROM outbox) + (SELECT COUNT(*) FROM inbox WHERE state <> 'silent') + (SELECT COUNT(*) FROM messages WHERE role = 'assistant')"); n != 0 {
		t.Errorf("%d things left", n)
	}
	if l, err := e.ledgerOf(t.Context(), r.Message.ID); err != nil || l.PromptTokens != 70 {
		t.Errorf("ledger %+v, %v", l, err)
	}
	if _, err := e.Queue.LastFailedRequest(t.Context(), r.Session.ID, 0); !errors.Is(err, ErrNotFound) {
		t.Error("silence can be asked again", err)
	}
}

func TestALineFoundToBeForUsIsARequest(t *testing.T) {
	e := newEar(t)
	e.hears(0, "Ada", "one", false)
	turn := e.turn(2 * time.Second)
	if err := e.Queue.AnswerOverheard(t.Context(), &turn.Lease, turn.Post.ID, []int64{turn.Rows[0].ID}); err != nil {
		t.Fatal(err)
	}
	e.hears(0, "Ada", "two", false)
	if err := e.Queue.ResetLeases(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := e.turn(0)
	if again == nil || again.Overheard || !again.Resumed || again.Post.ID != turn.Post.ID || !slices.Equal(e.about(again), []string{"one"}) {
		t.Fatalf("%+v", again)
	}
}

func TestACrashBeforeTheAnswerBeginsLeavesNothingToLookFor(t *testing.T) {
	e := newEar(t)
	e.hears(0, "Ada", "one", false)
	e.turn(2 * time.Second)
	e.hears(time.Second, "Ada", "two", false)
	if err := e.Queue.ResetLeases(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := e.turn(30 * time.Minute)
	if again == nil || !again.Overheard || again.Resumed || !slices.Equal(e.about(again), []string{"one", "two"}) {
		t.Fatalf("%+v", again)
	}
	if n := e.count("SELECT COUNT(*) FROM outbox"); n != 1 {
		t.Errorf("%d posts begun", n)
	}
}

func TestOverheardLinesSurviveAClockSetBack(t *testing.T) {
	e := newEar(t)
	e.hears(0, "Ada", "one", false)
	e.now -= time.Hour.Milliseconds()
	if err := e.Queue.ResetDelays(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e.turn(0) == nil {
		t.Error("it waits for an hour")
	}
}

func TestAnEditAndADeletionReachWhatIsOverheard(t *testing.T) {
	key := about("").Key
	for _, begun := range []bool{false, true} {
		e := newEar(t)
		e.hears(0, "Ada", "one", false)
		var turn *Turn
		if begun {
			turn = e.turn(2 * time.Second)
		}
		mention := Incoming{Platform: "test", EventID: "edit", Kind: "edit", Key: key, Answer: true}
		if _, err := e.Queue.ReceiveEdit(t.Context(), mention, "one", "now it is for us"); err != nil {
			t.Fatal(err)
		}
		if begun {
			if err := e.Queue.FinishInSilence(t.Context(), &turn.Lease, Silence{Outbox: turn.Post.ID, Inbox: []int64{turn.Rows[0].ID}}); !errors.Is(err, ErrInterrupted) {
				t.Fatal("the old text is decided about", err)
			}
			if err := e.Queue.UnclaimTurn(t.Context(), &turn.Lease, []int64{turn.Rows[0].ID}); err != nil {
				t.Fatal(err)
			}
		}
		turn = e.turn(0)
		if turn == nil || turn.Overheard || !slices.Equal(e.about(turn), []string{"now it is for us"}) {
			t.Fatalf("edited: %+v", turn)
		}

		e = newEar(t)
		e.hears(0, "Ada", "one", false)
		if begun {
			turn = e.turn(2 * time.Second)
		}
		if _, err := e.Queue.ReceiveErase(t.Context(), Incoming{Platform: "test", EventID: "delete", Kind: "delete", Key: key}, "one"); err != nil {
			t.Fatal(err)
		}
		if begun {
			if why, err := e.Queue.Interruption(t.Context(), []int64{turn.Rows[0].ID}); why != StopErased || err != nil {
				t.Fatal(why, err)
			}
			if err := e.Queue.AbandonTurn(t.Context(), &turn.Lease, turn.Post.ID, []int64{turn.Rows[0].ID}, StopErased); err != nil {
				t.Fatal(err)
			}
		}
		if n := pending(t, e.Store); n != 0 || e.turn(time.Minute) != nil {
			t.Errorf("%d deleted lines wait", n)
		}
	}
}

func TestAnEditThatMentionsUsMakesALineARequest(t *testing.T) {
	e := newEar(t)
	r := e.hears(0, "Ada", "one", false)
	turn := e.turn(2 * time.Second)
	if err := e.Queue.FinishInSilence(t.Context(), &turn.Lease, Silence{Outbox: turn.Post.ID, Inbox: []int64{turn.Rows[0].ID}, Message: r.Message.ID}); err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"now it is for us", "and it still is"} {
		in := Incoming{Platform: "test", EventID: text, Kind: "edit", Key: about("").Key, Answer: true}
		if _, err := e.Queue.ReceiveEdit(t.Context(), in, "one", text); err != nil {
			t.Fatal(err)
		}
		if n := pending(t, e.Store); n != 1 {
			t.Errorf("edit %d: %d wait, want 1", i, n)
		}
	}
}

func TestStopCountsOnlyKnownTurns(t *testing.T) {
	e := newEar(t)
	r := e.hears(0, "Ada", "one", false)
	if n, _, err := e.Queue.Interrupt(t.Context(), r.Session.ID); n != 0 || err != nil {
		t.Errorf("%d stopped, %v", n, err)
	}
	if n, err := e.Queue.CountOpen(t.Context()); n != 0 || err != nil {
		t.Errorf("%d open, %v", n, err)
	}
	if n := e.count("SELECT COUNT(*) FROM interactions WHERE state <> 'closed'"); n != 0 {
		t.Error("it counts as a request")
	}
}

func TestASecondEventOfAnOverheardLineThatIsForUs(t *testing.T) {
	e := newEar(t)
	e.hears(0, "Ada", "one", false)
	begun := e.turn(2 * time.Second)
	in := incoming("another event", "one", "one", true)
	if r, err := e.Queue.Receive(t.Context(), in); err != nil || r.Inbox.State != InboxDone {
		t.Fatalf("%+v, %v", r, err)
	}
	rows := []int64{begun.Rows[0].ID}
	if err := e.Queue.FinishInSilence(t.Context(), &begun.Lease, Silence{Outbox: begun.Post.ID, Inbox: rows}); !errors.Is(err, ErrInterrupted) {
		t.Fatal("it ends in silence", err)
	}
	if err := e.Queue.UnclaimTurn(t.Context(), &begun.Lease, rows); err != nil {
		t.Fatal(err)
	}
	if turn := e.turn(0); turn == nil || turn.Overheard || len(turn.Rows) != 1 {
		t.Errorf("%+v", turn)
	}
}

func TestHiddenEvidenceEndsAnOverheardTurn(t *testing.T) {
	e := newEar(t)
	e.hears(0, "Ada", "one", false)
	turn := e.turn(2 * time.Second)
	err := e.Queue.interruptReaders(t.Context(), e.writer, "test", "w", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Queue.AnswerOverheard(t.Context(), &turn.Lease, turn.Post.ID, []int64{turn.Rows[0].ID}); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
}
