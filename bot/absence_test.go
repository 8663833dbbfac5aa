package bot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// searched is a platform that can be asked for one thing. What is in gone it says to be deleted,
// what is in hidden it does not let us see.
type searched struct {
	overheard
	mu           sync.Mutex
	gone, hidden map[string]bool // by message, or by thread, channel or workspace
	looks        map[string]int
}

func (s *searched) Gone(_ context.Context, l platform.Look) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := l.Key.Workspace
	for _, n := range []string{l.Key.Channel, l.Key.Thread, l.Message} {
		if n != "" {
			name = n
		}
	}
	s.looks[name]++
	if s.hidden[name] {
		return false, errors.New("not to be seen")
	}
	return s.gone[name], nil
}

func (s *searched) set(in map[string]bool, names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(in)
	for _, n := range names {
		in[n] = true
	}
}

func (s *searched) looked(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.looks[name]
}

// vanishing is a conversation of Ada with us whose messages the platform may not show, over
// several processes and days.
type vanishing struct {
	t     *testing.T
	path  string
	world *platformtest.World
	p     *searched
	store *memory.Store
	b     *bot.Bot
	key   memory.Key
	said  []string // messages of Ada
	log   *logBuffer
	past  time.Duration // since the beginning
	h     platform.Handler
	end   func()
}

type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newVanishing(t *testing.T) *vanishing {
	v := &vanishing{t: t, path: filepath.Join(t.TempDir(), "test.db"), world: platformtest.NewWorld(), log: new(logBuffer), end: func() {}}
	v.p = &searched{gone: map[string]bool{}, hidden: map[string]bool{}, looks: map[string]int{}}
	v.begin()
	t.Cleanup(func() { v.end() })
	until(t, "the first roll call", func() bool { // it would count among the looks
		at, err := v.store.Cursor(t.Context(), v.p.Name(), "roll call")
		return err == nil && at > 0
	})
	id, at := v.world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "the word is quagga-0", Mention: true})
	v.said = append(v.said, id)
	settle(t, v.b, v.world)
	for n := range 5 {
		id, _ := v.world.Say(platformtest.Said{Who: "Ada", At: at, Text: fmt.Sprintf("the word is quagga-%d", n+1)})
		v.said = append(v.said, id)
		settle(t, v.b, v.world)
	}
	v.key = v.world.Key(at)
	return v
}

// begin starts a process; later lets time pass and starts the next one.
func (v *vanishing) begin() {
	v.t.Helper()
	v.store = v.open()
	v.p.overheard = overheard{v.world.Platform(), make(chan platform.Handler, 1)}
	v.b = &bot.Bot{Store: v.store, Chain: &platformtest.Chain{Store: v.store}, Platforms: []platform.Platform{v.p}, Log: slog.New(slog.NewTextHandler(v.log, nil)), CompareEvery: time.Millisecond, Patience: time.Minute}
	end := start(v.t, v.b)
	v.end = sync.OnceFunc(func() {
		end()
		if err := v.store.Close(); err != nil {
			v.t.Error(err)
		}
	})
	v.h = <-v.p.handler
}

// open is the store of the next process.
func (v *vanishing) open() *memory.Store {
	v.t.Helper()
	store, err := memory.Open(v.t.Context(), v.path)
	if err != nil {
		v.t.Fatal(err)
	}
	past := v.past
	store.Now = func() int64 { return time.Now().Add(past).UnixMilli() }
	return store
}

func (v *vanishing) later(d time.Duration) {
	v.t.Helper()
	until(v.t, "the record of each look", func() bool { // a look that is not recorded is made once more
		due, err := v.store.SuspicionsDue(v.t.Context(), []string{v.p.Name()}, 1)
		at, err2 := v.store.Cursor(v.t.Context(), v.p.Name(), "roll call")
		return errors.Join(err, err2) == nil && len(due) == 0 && v.store.Now()-at < (24*time.Hour).Milliseconds()
	})
	v.end()
	v.past += d
	v.begin()
}

func (v *vanishing) absent(a platform.Absence) {
	v.t.Helper()
	if err := v.h.Absent(v.t.Context(), a); err != nil {
		v.t.Fatal(err)
	}
}

// kept are the messages of Ada that are not erased.
func (v *vanishing) kept() (n int) {
	v.t.Helper()
	session, err := v.store.SessionByKey(v.t.Context(), v.key)
	if errors.Is(err, memory.ErrNotFound) {
		return 0
	}
	all, err2 := v.store.Messages(v.t.Context(), session.ID)
	if err := errors.Join(err, err2); err != nil {
		v.t.Fatal(err)
	}
	for _, m := range all {
		if m.Role == memory.User && m.Text != "" {
			n++
		}
	}
	return n
}

func (v *vanishing) looks(name string, n int) {
	v.t.Helper()
	until(v.t, fmt.Sprintf("look %d at %s", n, name), func() bool { return v.p.looked(name) == n })
}

func (v *vanishing) keeps(n int) {
	v.t.Helper()
	if got := v.kept(); got != n {
		v.t.Fatalf("%d messages are kept, want %d; log:\n%s", got, n, v.log)
	}
}

func (v *vanishing) logs(text string) {
	v.t.Helper()
	until(v.t, text, func() bool { return strings.Contains(v.log.String(), text) })
	if strings.Contains(v.log.String(), "quagga") {
		v.t.Errorf("the log holds what was said: %s", v.log)
	}
}

// TestAMissingMessageIsErasedAfterASecondLook, which another process may make.
func TestAMissingMessageIsErasedAfterASecondLook(t *testing.T) {
	t.Parallel()
	v := newVanishing(t)
	v.p.set(v.p.gone, v.said[2])
	v.absent(platform.Absence{Key: v.key, Messages: v.said[2:3], Of: 6})
	v.logs("level=WARN msg=\"messages were not found")
	v.looks(v.said[2], 1)
	until(t, "the record of the look", func() bool {
		all, err := v.store.SuspicionsOf(t.Context(), v.key)
		return err == nil && len(all) == 1 && all[0].Looks == 1
	})
	v.later(time.Minute)
	v.keeps(6)
	if n := v.p.looked(v.said[2]); n != 1 {
		t.Fatalf("%d looks within a minute", n)
	}
	v.later(5 * time.Minute)
	until(t, "the erasure", func() bool { return v.kept() == 5 })
	v.logs("erased what is gone")
}

// TestFindingsOfASecondLookStay: the first answer was short.
func TestFindingsOfASecondLookStay(t *testing.T) {
	t.Parallel()
	v := newVanishing(t)
	v.p.set(v.p.gone, v.said[2])
	v.absent(platform.Absence{Key: v.key, Messages: v.said[2:4], Of: 6})
	v.looks(v.said[3], 1)
	v.logs("nothing is erased")
	v.looks(v.said[2], 1)
	v.p.set(v.p.gone)
	v.later(6 * time.Minute)
	v.looks(v.said[2], 2)
	v.p.set(v.p.gone, v.said...)
	v.later(48 * time.Hour)
	v.keeps(6)
}

// TestManyMissingAtOnceAreErasedAfterTheGraceTime, and none before, also if they are missed in parts.
func TestManyMissingAtOnceAreErasedAfterTheGraceTime(t *testing.T) {
	t.Parallel()
	v := newVanishing(t)
	v.p.set(v.p.gone, v.said[1:5]...)
	v.absent(platform.Absence{Key: v.key, Messages: v.said[1:3], Of: 6})
	v.looks(v.said[1], 1)
	v.looks(v.said[2], 1)
	v.absent(platform.Absence{Key: v.key, Messages: v.said[3:5], Of: 6})
	v.looks(v.said[4], 1)
	v.logs("many messages of a conversation")
	v.later(10 * time.Minute)
	v.looks(v.said[2], 2)
	v.later(12 * time.Hour)
	v.looks(v.said[4], 2)
	v.keeps(6)
	v.p.set(v.p.gone, v.said[1], v.said[2], v.said[3]) // one of them is found again
	v.later(12 * time.Hour)
	until(t, "the erasure", func() bool { return v.kept() == 3 })
	v.looks(v.said[4], 3)
	v.keeps(3)
}

// TestAMissingConversationIsErasedAfterTheGraceTime: nobody told us of it.
func TestAMissingConversationIsErasedAfterTheGraceTime(t *testing.T) {
	t.Parallel()
	for _, back := range []bool{false, true} {
		v := newVanishing(t)
		v.p.set(v.p.gone, v.key.Thread)
		v.later(25 * time.Hour) // the roll is called again
		v.looks(v.key.Thread, 2)
		v.logs("a conversation was not found")
		v.later(13 * time.Hour)
		v.looks(v.key.Thread, 3)
		v.keeps(6)
		if back {
			v.p.set(v.p.gone)
		}
		v.later(12 * time.Hour)
		v.looks(v.key.Thread, 4)
		if back {
			v.logs("nothing is erased")
			v.keeps(6)
			continue
		}
		until(t, "the erasure", func() bool { return v.kept() == 0 })
	}
}

// TestAHiddenPlaceIsKept, however long.
func TestAHiddenPlaceIsKept(t *testing.T) {
	t.Parallel()
	v := newVanishing(t)
	v.p.set(v.p.hidden, v.key.Thread, v.said[1])
	v.absent(platform.Absence{Key: v.key, Messages: v.said[1:2], Of: 6})
	v.absent(platform.Absence{Key: v.key})
	for n := range 4 {
		v.looks(v.said[1], n+1)
		v.later(48 * time.Hour)
	}
	v.keeps(6)
}

// TestAWorkspaceThatRemovedUsIsErasedAfterTheGraceTime, unless we are back before.
func TestAWorkspaceThatRemovedUsIsErasedAfterTheGraceTime(t *testing.T) {
	t.Parallel()
	for _, back := range []bool{false, true} {
		v := newVanishing(t)
		v.p.set(v.p.gone, v.key.Workspace)
		v.absent(platform.Absence{Told: true}) // which one goes without saying
		v.logs("we were removed from a workspace")
		v.later(6 * time.Minute) // until then the platform may not know of it everywhere
		v.looks(v.key.Workspace, 1)
		v.later(12 * time.Hour)
		v.looks(v.key.Workspace, 2)
		v.keeps(6)
		if back {
			v.p.set(v.p.gone)
		}
		v.later(12 * time.Hour)
		if back {
			v.logs("nothing is erased")
			v.keeps(6)
			continue
		}
		until(t, "the erasure", func() bool { return v.kept() == 0 })
		v.logs("erased what is gone")
		if left, err := v.store.CountPlace(t.Context(), v.key); err != nil || left != (memory.PlaceCounts{}) {
			t.Errorf("left %+v, %v", left, err)
		}
	}
}

// TestAPlatformThatRefusesUsAtOnceIsStillErased: the program ends each time before anything else is done.
func TestAPlatformThatRefusesUsAtOnceIsStillErased(t *testing.T) {
	t.Parallel()
	v := newVanishing(t)
	v.p.set(v.p.gone, v.key.Workspace)
	v.absent(platform.Absence{Key: memory.Key{Workspace: v.key.Workspace}, Told: true})
	v.end()
	for range 3 {
		v.past += 12*time.Hour + time.Minute
		store := v.open()
		refused := &searched{overheard: overheard{Platform: revoked{v.world.Platform()}, handler: make(chan platform.Handler, 1)}, gone: v.p.gone, looks: map[string]int{}}
		b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{refused}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
		if err := b.Run(t.Context()); err == nil {
			t.Error("the platform did not refuse us")
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	v.store = v.open()
	defer v.store.Close()
	v.keeps(0)
}

// revoked is a platform that refuses us for good.
type revoked struct{ platform.Platform }

func (revoked) Run(context.Context, platform.Handler, []platform.Command) error {
	return errors.New("account_inactive")
}

// TestEverythingStoredIsCompared: a pass over everything stored goes on in the next process, and the next pass begins a day later.
func TestEverythingStoredIsCompared(t *testing.T) {
	v := newVanishing(t)
	next := func() (part platform.Part) {
		t.Helper()
		part, err := v.h.NextPart(t.Context(), 4)
		if err == nil {
			err = v.h.SetCompared(t.Context(), part)
		}
		if err != nil || part.Key != v.key {
			t.Fatalf("%+v, %v", part, err)
		}
		return part
	}
	var said, again []string
	first := next()
	v.later(time.Hour)
	for said = first.Messages; len(said) < len(v.said); {
		said = append(said, next().Messages...)
	}
	v.later(25 * time.Hour)
	for again = next().Messages; len(again) < len(v.said); {
		again = append(again, next().Messages...)
	}
	if !slices.Equal(said, v.said) || !slices.Equal(again, v.said) {
		t.Errorf("compared %q, then %q, want %q", said, again, v.said)
	}
}

// TestAnEditOfLongAgoIsFound: what it removed is erased. Nobody is answered again, and what was found once is not changed once
// more because the platform shows it with other names.
func TestAnEditOfLongAgoIsFound(t *testing.T) {
	v := newVanishing(t)
	at := platformtest.Place{Channel: v.key.Channel, Thread: v.key.Thread}
	answers := len(v.world.Posts(at, "Ada"))
	v.later(48 * time.Hour)
	edit := platform.Event{Kind: platform.EventEdit, Key: v.key, Message: v.said[0], Mention: true, Author: platform.Author{ID: "U-Ada", Name: "Ada"}}
	edit.Edited = v.store.Now() - (30 * time.Hour).Milliseconds()
	for id, text := range []string{"there is no word", "there is no word, @Adele"} {
		edit.ID, edit.Text = fmt.Sprint("edit", id), text
		if err := v.h.Receive(t.Context(), edit); err != nil {
			t.Fatal(err)
		}
		settle(t, v.b, v.world)
	}
	m, err := v.store.Message(t.Context(), 1)
	if err != nil || m.Text != "there is no word" {
		t.Errorf("%+v, %v", m, err)
	}
	posts := v.world.Posts(at, "Ada")
	if len(posts) != answers || strings.Contains(fmt.Sprint(posts), "quagga-0") {
		t.Errorf("%d answers before, now %+v", answers, posts)
	}
}
