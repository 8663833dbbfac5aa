package memory

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// post stores one message the way an import does.
func post(t testing.TB, s *Store, session string, id string, role Role, author, text string) *Received {
	t.Helper()
	r, err := s.Queue.Receive(context.Background(), imported(session, id, role, author, text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func imported(session string, id string, role Role, author, text string) Incoming {
	in := Incoming{Platform: "test", EventID: session + "/" + id, Kind: "import",
		Key:     Key{Platform: "test", Workspace: "w", Channel: "c", Thread: session},
		Channel: Channel{Kind: Public}, Message: &Message{PlatformID: id, Role: role, Author: author, Text: text}}
	if role == User {
		in.Person = Person{PlatformID: author, Name: author}
	}
	return in
}

// postAll stores the lines of a session from one number to before another as an import does, many in each transaction, and
// compacts whenever that is due. It returns the last, and how often it compacted.
func postAll(t testing.TB, s *Store, session string, from, to int, line func(i int) (role Role, author, text string)) (last *Received, folds int) {
	t.Helper()
	var all []Incoming
	for i := from; i < to; i++ {
		role, author, text := line(i)
		all = append(all, imported(session, fmt.Sprint(i), role, author, text))
	}
	for len(all) > 0 {
		received, err := s.Queue.ReceiveAll(context.Background(), all[:min(len(all), 100)])
		if err != nil {
			t.Fatal(err)
		}
		last, all = received[len(received)-1], all[len(received):]
		folds += compact(t, s)
	}
	return last, folds
}

// compact does every compaction that can be done, extractively.
func compact(t testing.TB, s *Store) int {
	t.Helper()
	ctx, n := context.Background(), 0
	for ; ; n++ {
		j, err := s.ClaimCompaction(ctx, "test", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if j == nil {
			return n
		}
		made := Extract(j.Slice)
		if _, err := s.CommitCompaction(ctx, j, made); err != nil {
			t.Fatal(err)
		}
	}
}

// fold folds what lies outside the window of a session, as somebody may ask for, and does what else is due.
func fold(t testing.TB, s *Store, session int64) {
	t.Helper()
	if due, err := s.ScheduleCompaction(context.Background(), session, ""); err != nil || !due {
		t.Fatal("nothing to fold", err)
	}
	compact(t, s)
}

// checkMemory fails unless segments cover all messages up to the watermark once,
// every quote stands in its message, and the context is small enough.
func checkMemory(t testing.TB, s *Store, session int64) *View {
	t.Helper()
	ctx := context.Background()
	a, err := s.Audience(ctx, session, 0)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Views.Show(ctx, a, session)
	if err != nil {
		t.Fatal(err)
	}
	text, position := map[int64]string{}, map[int64]int{}
	for i, m := range v.Messages {
		text[m.ID], position[m.ID] = m.Text, i
		if (v.Segment(m.ID) == 0) != (m.ID > v.Session.Watermark) {
			t.Fatalf("message %d: segment %d, watermark %d", m.ID, v.Segment(m.ID), v.Session.Watermark)
		}
	}
	next := 0
	for _, sg := range v.Segments {
		from, ok := position[sg.FromID]
		to, ok2 := position[sg.ToID]
		if !ok || !ok2 || from != next || to-from+1 != sg.Messages || strings.TrimSpace(sg.Narrative) == "" {
			t.Fatalf("segment %d–%d (%d messages) does not follow position %d", sg.FromID, sg.ToID, sg.Messages, next)
		}
		next = to + 1
	}
	checkQuotes(t, s, session, text)
	st, err := s.Views.Status(ctx, session)
	if err != nil || len(v.Segments) == 0 {
		return v
	}
	if room := s.Policy.summaryRoom(); st.Snapshot > room || v.Snapshot.Watermark != v.Session.Watermark {
		t.Fatalf("snapshot of %d tokens, room %d, watermark %d of %d", st.Snapshot, room, v.Snapshot.Watermark, v.Session.Watermark)
	}
	if !json.Valid([]byte(v.Snapshot.JSON)) {
		t.Fatalf("snapshot JSON: %s", v.Snapshot.JSON)
	}
	return v
}

func checkQuotes(t testing.TB, s *Store, session int64, text map[int64]string) {
	t.Helper()
	var sources []FactSource
	if err := s.reader.NewSelect().Model(&sources).Where("fact_id IN (SELECT id FROM facts WHERE session_id = ?)", session).
		Scan(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, src := range sources {
		if !strings.Contains(rank.Fold(text[src.MessageID]), rank.Fold(src.Quote)) {
			t.Fatalf("fact %d quotes %q, which message %d does not say", src.FactID, src.Quote, src.MessageID)
		}
	}
}

// checkContext fails unless window and snapshot keep to their shares after a compaction; a longer last
// interaction is exempt.
func checkContext(t testing.TB, s *Store, v *View) {
	t.Helper()
	last := 0
	for _, m := range v.Messages {
		if m.InteractionID == v.Messages[len(v.Messages)-1].InteractionID {
			last += m.Tokens
		}
	}
	h, err := s.History(context.Background(), v.Session.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if limit := max(s.Policy.share(s.Policy.WindowShare), last) + s.Policy.summaryRoom(); h.Tokens() > limit {
		t.Fatalf("context %d > %d after a compaction, last interaction %d", h.Tokens(), limit, last)
	}
}

type importedLine struct {
	ID     string    `json:"id"`
	Role   Role      `json:"role"`
	Author string    `json:"author"`
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
}

func conversation(t *testing.T, name string) []importedLine {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []importedLine
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var l importedLine
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

func TestThreeConversationsCompactWhenTheirSumSays(t *testing.T) {
	for _, c := range []struct {
		name       string
		tokens     []int // of the first messages
		first, min int   // message after which the first compaction is due, and how many there are at least
		max        int
	}{
		{"churn", []int{23, 372, 11, 89, 245, 156, 98, 178, 112}, 9, 1, 3},
		{"scraping", nil, 8, 1, 3},
		{"deployment", nil, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, s := context.Background(), openTest(t)
			s.Policy = DefaultPolicy(1200)
			sum, first, session := 0, 0, int64(0)
			for i, l := range conversation(t, c.name) {
				r := post(t, s, c.name, l.ID, l.Role, l.Author, l.Text)
				session = r.Session.ID
				if i < len(c.tokens) && r.Message.Tokens != c.tokens[i] {
					t.Errorf("message %d has %d tokens, want %d", i+1, r.Message.Tokens, c.tokens[i])
				}
				sum += r.Message.Tokens
				if compact(t, s) > 0 {
					if first == 0 {
						first = i + 1
						if sum <= 1200 {
							t.Errorf("compacted at %d tokens", sum)
						}
					}
					checkContext(t, s, checkMemory(t, s, session))
				} else if first == 0 && sum > 1200 {
					t.Errorf("message %d: %d tokens and no compaction", i+1, sum)
				}
			}
			st, err := s.Views.Status(ctx, session)
			if err != nil || first != c.first || len(st.Compactions) < c.min || len(st.Compactions) > c.max {
				t.Errorf("first compaction after message %d, want %d; %d in all, want %d to %d; %v", first, c.first, len(st.Compactions), c.min, c.max, err)
			}
			for _, done := range st.Compactions {
				if done.TokensBefore <= 1200 || done.TokensAfter > 1200*45/100+400 {
					t.Errorf("compaction %d → %d", done.TokensBefore, done.TokensAfter)
				}
			}
		})
	}
}

func TestShortInteractionsKeepTheLastTenVerbatim(t *testing.T) {
	s, before := openTest(t), 0
	for _, n := range []int{10, 15, 40, 120} {
		r, _ := postAll(t, s, "s", 2*before, 2*n, func(i int) (Role, string, string) {
			if i%2 == 1 {
				return Assistant, "", fmt.Sprintf("Item %d is a lamp.", i/2)
			}
			return User, "Ada", fmt.Sprintf("What is item %d?", i/2)
		})
		session := r.Session.ID
		before = n
		if _, err := s.ScheduleCompaction(context.Background(), session, ""); err != nil {
			t.Fatal(err)
		}
		compact(t, s)
		v := checkMemory(t, s, session)
		verbatim := 0
		for _, m := range v.Messages {
			if v.Segment(m.ID) == 0 {
				verbatim++
			}
		}
		if verbatim != 20 || len(v.Messages) != 2*n || n > 10 && v.Snapshot == nil {
			t.Errorf("%d interactions: %d messages verbatim of %d", n, verbatim, len(v.Messages))
		}
	}
}

// TestWhatIsOlderThanTheWindowIsNarrated under a threshold that a conversation exceeds: its last ten interactions stay word for
// word, and of those before them one segment or another tells.
func TestWhatIsOlderThanTheWindowIsNarrated(t *testing.T) {
	for _, sizes := range [][]int{{10}, {15, 40, 120}} { // of a conversation as it grows
		s, before := openTest(t), 0
		s.Policy = DefaultPolicy(1000)
		for _, n := range sizes {
			r, _ := postAll(t, s, "s", 2*before, 2*n, func(i int) (Role, string, string) {
				switch {
				case i%2 == 1:
					return Assistant, "", "Noted."
				case i/2 < n-10:
					return User, "Ada", fmt.Sprintf("Crate %d weighs %d kg. %s", i, i*7, strings.Repeat("Nothing else of note happened in the hall on that day. ", 20))
				}
				return User, "Ada", fmt.Sprintf("And %d?", i)
			})
			before = n
			checkNarrated(t, s, r.Session.ID, n)
		}
	}
}

func checkNarrated(t *testing.T, s *Store, session int64, n int) {
	t.Helper()
	v := checkMemory(t, s, session)
	verbatim := 0
	for _, m := range v.Messages {
		if v.Segment(m.ID) == 0 {
			verbatim++
		}
	}
	for _, sg := range v.Segments {
		if !strings.Contains(sg.Narrative, "Crate ") {
			t.Errorf("%d interactions: %s", n, sg.Narrative)
		}
	}
	if verbatim < 20 || n > 10 && (len(v.Segments) == 0 || v.Snapshot == nil || len(v.Messages)-verbatim == 0) {
		t.Errorf("%d interactions: %d of %d messages verbatim, %d folds", n, verbatim, len(v.Messages), len(v.Segments))
	}
	checkContext(t, s, v)
}

func TestUnansweredInteractionIsNotFolded(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.Policy = DefaultPolicy(300)
	in := incoming("open", "open", "Please wait for me.", true)
	in.Key.Thread = "s"
	r, err := s.Queue.Receive(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		post(t, s, "s", fmt.Sprint(i), User, "Bob", "Somebody else goes on talking about the weather here.")
	}
	if compact(t, s) != 0 {
		t.Fatal("folded beyond an unanswered request")
	}
	if _, _, err := s.Queue.Interrupt(ctx, r.Session.ID); err != nil {
		t.Fatal(err)
	}
	post(t, s, "s", "more", User, "Bob", "And on.")
	if compact(t, s) != 1 {
		t.Fatal("not folded once it was over")
	}
	checkMemory(t, s, r.Session.ID)
}

func TestLateAnswerKeepsItsInteractionWhole(t *testing.T) {
	rows := []weight{{1, 1, 100, false}, {2, 2, 10, false}, {3, 1, 10, false}, {4, 2, 10, false}, {5, 3, 200, false}}
	p := Policy{Threshold: 400, Window: 10, WindowShare: 50}
	if got := p.cut(rows); got != 5 {
		t.Errorf("cut at %d, inside an interaction; want 5", got)
	}
	if got, more := firstRange(rows, 5); got != [2]int64{1, 4} || more {
		t.Errorf("range %v, more: %v", got, more)
	}
}

func TestLargeRangesAreCutIntoSeveralSegments(t *testing.T) {
	s := openTest(t)
	s.Policy = DefaultPolicy(2000)
	j := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 200) // 2,000 tokens
	var session int64
	for i := range 12 {
		session = post(t, s, "s", fmt.Sprint(i), User, "Ada", fmt.Sprintf("Case %d. %s", i, j)).Session.ID
	}
	n := compact(t, s)
	v := checkMemory(t, s, session)
	if len(v.Segments) < 4 || n != len(v.Segments) {
		t.Fatalf("%d compactions, %d segments", n, len(v.Segments))
	}
	for _, sg := range v.Segments {
		if sg.Messages > 3 {
			t.Errorf("segment of %d messages of 2,000 tokens", sg.Messages)
		}
	}
	st, err := s.Views.Status(t.Context(), session)
	if err != nil || len(st.Compactions) != 1 || st.Compactions[0].ToN != st.Compacted || st.Compactions[0].TokensAfter > 3000 {
		t.Errorf("one fold is shown as %+v, %v", st.Compactions, err)
	}
}

// TestAChannelsThresholdFoldsItsConversations, all but one with a threshold of its own.
func TestAChannelsThresholdFoldsItsConversations(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.Policy = DefaultPolicy(0)
	key := post(t, s, "small", "first", User, "Ada", "hello").Session.Key
	if err := s.SetSetting(ctx, ChannelScope(key), ThresholdSetting, "600"); err != nil {
		t.Fatal(err)
	}
	own := post(t, s, "own", "own first", User, "Ada", "hello").Session.ID
	if err := s.SetThreshold(ctx, own, 5000); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		for _, thread := range []string{"small", "own"} {
			post(t, s, thread, fmt.Sprint(thread, i), User, "Ada", fmt.Sprintf("Case %d. %s", i, strings.Repeat("The quick brown fox jumps. ", 15)))
		}
	}
	if compact(t, s) == 0 {
		t.Error("nothing folded")
	}
	for thread, want := range map[string]int{"small": 600, "own": 5000} {
		key.Thread = thread
		session, err := s.SessionByKey(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		st, err := s.Views.Status(ctx, session.ID)
		if err != nil || st.Threshold != want || (len(st.Compactions) > 0) != (thread == "small") {
			t.Errorf("%s: threshold %d, %d folds, %v", thread, st.Threshold, len(st.Compactions), err)
		}
		p, err := s.policyOf(ctx, s.reader, session.ID)
		if room, failed := s.SummaryRoom(ctx, session.ID); err != nil || failed != nil || room != p.summaryRoom() || p.Threshold != want {
			t.Errorf("%s: room %d of %d, %v %v", thread, room, p.Threshold, err, failed)
		}
	}
}

// TestALookForACompactionLeavesTheWriterAlone: here it would wait for ever.
func TestALookForACompactionLeavesTheWriterAlone(t *testing.T) {
	s := openTest(t)
	must(t, s.Write(t.Context(), func(ctx context.Context, _ bun.Tx) error {
		j, err := s.ClaimCompaction(ctx, "test", time.Minute)
		if j != nil {
			t.Errorf("%+v", j)
		}
		return err
	}))
}

func TestEditWhileSummarisingChangesNothing(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.Policy = DefaultPolicy(300)
	var r *Received
	for i := range 30 {
		r = post(t, s, "s", fmt.Sprint(i), User, "Ada", fmt.Sprintf("The number of house %d is %d.", i, i*7))
	}
	j, err := s.ClaimCompaction(ctx, "a", time.Minute)
	if err != nil || j == nil {
		t.Fatal(j, err)
	}
	if _, err := s.Edit(ctx, r.Session.Key, "0", "The number of house 0 is 99."); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CommitCompaction(ctx, j, Extract(j.Slice)); !errors.Is(err, ErrChanged) {
		t.Fatalf("commit after an edit: %v", err)
	}
	if v := checkMemory(t, s, r.Session.ID); len(v.Segments) != 0 || v.Session.Watermark != 0 {
		t.Fatal("a failed commit left something behind")
	}
	if err := s.ReleaseCompaction(ctx, j, 0, nil); err != nil {
		t.Fatal(err)
	}
	if compact(t, s) == 0 {
		t.Fatal("not done again")
	}
	checkMemory(t, s, r.Session.ID)
	if _, err := s.writer.Exec("DELETE FROM sessions"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CommitCompaction(ctx, j, Extract(j.Slice)); !errors.Is(err, ErrFenced) {
		t.Errorf("commit after the conversation went: %v", err)
	}
	if err := s.Unchanged(ctx, j.Slice); !errors.Is(err, ErrChanged) {
		t.Errorf("after its messages went: %v", err)
	}
}

func TestExpiredLeaseIsTakenOverAndFenced(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	now := int64(1_000_000)
	s.Now = func() int64 { return now }
	s.Policy = DefaultPolicy(300)
	for i := range 30 {
		post(t, s, "s", fmt.Sprint(i), User, "Ada", "Nothing much happened today.")
	}
	first, _ := s.ClaimCompaction(ctx, "a", time.Second)
	if j, _ := s.ClaimCompaction(ctx, "b", time.Second); first == nil || j != nil {
		t.Fatal("claimed twice")
	}
	now += 1001
	second, _ := s.ClaimCompaction(ctx, "b", time.Second)
	if second == nil {
		t.Fatal("not taken over")
	}
	if err := s.RenewCompaction(ctx, first, time.Second); err != ErrFenced {
		t.Fatalf("renewed a lost lease: %v", err)
	}
	if _, err := s.CommitCompaction(ctx, first, Extract(first.Slice)); !errors.Is(err, ErrFenced) {
		t.Fatalf("committed under a lost lease: %v", err)
	}
	if _, err := s.CommitCompaction(ctx, second, Extract(second.Slice)); err != nil {
		t.Fatal(err)
	}
	checkMemory(t, s, first.SessionID)
}

// TestInstructionsReachAFoldThatRuns: what it has made without them is dropped. One asked for without any lets it go on.
func TestInstructionsReachAFoldThatRuns(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.Policy = DefaultPolicy(300)
	for i := range 30 {
		post(t, s, "s", fmt.Sprint(i), User, "Ada", "Nothing much happened today.")
	}
	var running []*Job
	for _, instructions := range []string{"keep the numbers", ""} {
		j, err := s.ClaimCompaction(ctx, "a", time.Minute)
		if err != nil || j == nil {
			t.Fatal(j, err)
		}
		running = append(running, j)
		if due, err := s.ScheduleCompaction(ctx, j.SessionID, instructions); err != nil || !due {
			t.Fatal(due, err)
		}
	}
	if _, err := s.CommitCompaction(ctx, running[0], Extract(running[0].Slice)); !errors.Is(err, ErrFenced) {
		t.Errorf("committed without the instructions: %v", err)
	}
	if got := running[1].Instructions; got != "keep the numbers" {
		t.Errorf("instructions: %q", got)
	}
	if _, err := s.CommitCompaction(ctx, running[1], Extract(running[1].Slice)); err != nil {
		t.Error(err)
	}
}

// TestAFoldThatRunsForgetsWhatItWasToKeep once a message of its conversation is erased, also one that it does not read: neither its
// result nor its rest has the words.
func TestAFoldThatRunsForgetsWhatItWasToKeep(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.Policy = DefaultPolicy(1 << 30) // until all are stored
	long := strings.Repeat("Nothing much happened today. ", 200)
	r, _ := postAll(t, s, "s", 0, 30, func(i int) (Role, string, string) { return User, "Ada", fmt.Sprint(long, i) })
	s.Policy = DefaultPolicy(1000)
	if due, err := s.ScheduleCompaction(ctx, r.Session.ID, "keep QZX-8W731"); err != nil || !due {
		t.Fatal(due, err)
	}
	j, err := s.ClaimCompaction(ctx, "a", time.Minute)
	if err != nil || j == nil || !j.more || j.Instructions == "" {
		t.Fatalf("%+v, %v", j, err)
	}
	if _, err := s.Erase(ctx, r.Session.Key, "29", 0); err != nil {
		t.Fatal(err)
	}
	made := Extract(j.Slice)
	if _, err := s.CommitCompaction(ctx, j, made); !errors.Is(err, ErrFenced) {
		t.Errorf("committed with the words: %v", err)
	}
	if n, err := s.reader.NewSelect().Table("compactions").Where("instructions <> ''").Count(ctx); n != 0 || err != nil {
		t.Errorf("%d folds have instructions, %v", n, err)
	}
	if next, err := s.ClaimCompaction(ctx, "b", time.Minute); err != nil || next == nil || next.Instructions != "" {
		t.Errorf("%+v, %v", next, err)
	}
}

// TestAFoldOfNothingLeavesTheRebuildDue: a segment became stale while it waited or was planned, and its row stood for both.
func TestAFoldOfNothingLeavesTheRebuildDue(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := folded(t, s, "The gate is green.")
	must(t, s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return s.enlist(ctx, tx, Compaction{SessionID: r.Session.ID, Kind: Fold, Reason: BySize})
	}))
	must(t, s.MarkSegmentsStale(ctx, r.Session.ID))
	if n := compact(t, s); n != 1 {
		t.Errorf("%d compactions", n)
	}
	if stale, err := s.reader.NewSelect().Model((*Segment)(nil)).Where("stale").Exists(ctx); stale || err != nil {
		t.Errorf("a segment is stale: %v, %v", stale, err)
	}
}

func TestEmptySummaryNeverCommits(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.Policy = DefaultPolicy(300)
	for i := range 30 {
		post(t, s, "s", fmt.Sprint(i), User, "Ada", "Nothing much happened today.")
	}
	j, _ := s.ClaimCompaction(ctx, "a", time.Minute)
	if _, err := s.CommitCompaction(ctx, j, Summary{}); err == nil {
		t.Fatal("an empty narrative was stored")
	}
	if v := checkMemory(t, s, j.SessionID); v.Session.Watermark != 0 {
		t.Fatal("the watermark moved")
	}
}

func TestRandomConversationsKeepEveryMessageOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for seed, n := range []int{1, 7, 60, 130} {
		r := rand.New(rand.NewSource(int64(seed)))
		s := openTest(t)
		s.Policy = DefaultPolicy(500 + r.Intn(1500))
		var sessions [2]int64
		var marks [2]int64
		for i := range n {
			which := r.Intn(2) // two sessions whose ids interleave
			name := fmt.Sprint("s", which)
			role, author := User, []string{"Ada", "Bob"}[r.Intn(2)]
			if r.Intn(2) == 0 {
				role, author = Assistant, ""
			}
			text := randomText(r, i)
			sessions[which] = post(t, s, name, fmt.Sprint(i), role, author, text).Session.ID
			if r.Intn(40) == 0 {
				if _, err := s.Edit(context.Background(), Key{"test", "w", "c", name}, fmt.Sprint(r.Intn(i+1)), randomText(r, i)); err != nil {
					t.Fatal(err)
				}
			}
			faulty(t, s, r)
			if id := sessions[which]; id != 0 && r.Intn(20) == 0 {
				v := checkMemory(t, s, id)
				if v.Session.Watermark < marks[which] {
					t.Fatal("the watermark went back")
				}
				marks[which] = v.Session.Watermark
			}
		}
		compact(t, s)
		total := 0
		for _, id := range sessions {
			if id != 0 {
				total += len(checkMemory(t, s, id).Messages)
			}
		}
		if total != n {
			t.Fatalf("%d messages of %d", total, n)
		}
	}
}

// faulty takes a due compaction and fails at a random point of it, or not.
func faulty(t *testing.T, s *Store, r *rand.Rand) {
	t.Helper()
	ctx := context.Background()
	j, err := s.ClaimCompaction(ctx, "test", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if j == nil {
		return
	}
	before := checkMemory(t, s, j.SessionID)
	made := Extract(j.Slice)
	switch r.Intn(4) {
	case 0:
		made.Narrative = ""
		if _, err := s.CommitCompaction(ctx, j, made); err == nil {
			t.Fatal("empty narrative committed")
		}
	case 1:
		if err := s.Queue.ResetLeases(ctx); err != nil { // the process died
			t.Fatal(err)
		}
	default:
		if _, err := s.CommitCompaction(ctx, j, made); err != nil {
			t.Fatal(err)
		}
		if j.Kind == Fold {
			checkContext(t, s, checkMemory(t, s, j.SessionID))
		}
		return
	}
	after := checkMemory(t, s, j.SessionID)
	if after.Session.Watermark != before.Session.Watermark || len(after.Segments) != len(before.Segments) {
		t.Fatal("a failed compaction changed something")
	}
	if err := s.ReleaseCompaction(ctx, j, 0, nil); err != nil {
		t.Fatal(err)
	}
}

func randomText(r *rand.Rand, i int) string {
	words := strings.Fields("the budget is must never prefer Acme decided invoice ship 4711 7Q-114 tomorrow Berlin and of with question open lamp " +
		"« été — naïve 東京 “quoted words” we need to https://example.org/x $4.2M 12.5% Ünal")
	var b strings.Builder
	fmt.Fprintf(&b, "Note %d:", i)
	n := r.Intn(30)
	if r.Intn(25) == 0 {
		n = r.Intn(1500)
	}
	for range n {
		b.WriteString(" " + words[r.Intn(len(words))] + []string{"", "", "", ".", "?", "\n"}[r.Intn(6)])
	}
	return b.String()
}

func BenchmarkDue(b *testing.B) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "bench.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	const sessions, each = 1000, 100
	for i := range sessions {
		post(b, s, fmt.Sprint(i), "first", User, "Ada", "Hello")
	}
	if _, err := s.writer.Exec(`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
		INSERT INTO messages (session_id, channel_id, interaction_id, role, text, tokens, platform_id, at)
		SELECT s.id, s.channel_id, (SELECT MIN(id) FROM interactions WHERE session_id = s.id), 'user', printf('%0600d', n.i), 70, n.i, 0
		FROM n, sessions AS s`); err != nil {
		b.Fatal(err)
	}
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Rollback()
	for i := 0; b.Loop(); i++ {
		if due, err := s.scheduleCompaction(ctx, tx, int64(1+i%sessions)); err != nil || due {
			b.Fatal(due, err)
		}
	}
}

// Tokens is what the history costs in a prompt.
func (h *History) Tokens() int {
	n := 0
	if h.Snapshot != nil {
		n = h.Snapshot.Tokens
	}
	for _, m := range h.Messages {
		n += m.Tokens
	}
	return n
}
