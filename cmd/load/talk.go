package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"time"
)

const fileName = "notes.txt"

type talk struct {
	load
	outside
	*program
	chance               *rand.Rand
	said                 [][]*remark // by thread
	asked                [][]string  // by thread: the answers that are due
	beside, changes      int         // messages that are not for us, edits and deletions
	begin, middle, after int64       // memory
	opened, late         time.Duration
}

// remark is a message in a thread. The text is "" once it was deleted.
type remark struct {
	id, text string
	at       time.Time // before it was said
	fixed    bool      // is neither edited nor deleted
}

func newTalk(l load, w outside, p *program) *talk {
	return &talk{load: l, outside: w, program: p, chance: rand.New(rand.NewPCG(1, 2)),
		said: make([][]*remark, l.threads), asked: make([][]string, l.threads)}
}

func (t *talk) talk(ctx context.Context) error {
	if err := t.until(ctx, "the program never connected", t.Connected); err != nil {
		return err
	}
	start := time.Now()
	for i := range t.threads {
		t.ask(i, func(person int, text string) string { return t.Begin(i, person, text) })
	}
	if err := t.until(ctx, "not every thread was opened", t.answered); err != nil {
		return err
	}
	t.opened = time.Since(start)
	t.begin = t.memory()
	if err := t.flood(ctx); err != nil {
		return err
	}
	spoken := time.Now()
	if err := t.until(ctx, "not everything was answered", func() bool { return t.answered() && t.Waiting() == 0 }); err != nil {
		return err
	}
	t.late = time.Since(spoken)
	t.after = t.memory()
	return t.until(ctx, "not everything that was said is kept", t.kept(ctx))
}

// kept tells whether what was said is kept. What is said last may be on its way yet:
// Discord's gateway has no receipts.
func (t *talk) kept(ctx context.Context) func() bool {
	return func() bool {
		found, err := t.compare(ctx)
		return err == nil && len(found) == 0
	}
}

// flood lets people do rate things a second, at even distances.
func (t *talk) flood(ctx context.Context) error {
	tick := time.NewTicker(time.Second / time.Duration(t.rate))
	defer tick.Stop()
	total := int(t.lasts.Seconds() * float64(t.rate))
	for n := range total {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		if n == total/2 {
			t.middle = t.memory()
		}
		thread := (n + n/t.threads) % t.threads // each in turn, so that two messages in one are apart
		if n%t.every == 0 {
			t.ask(thread, func(person int, text string) string { return t.Say(thread, person, text, "", true) })
			continue
		}
		t.chat(n, thread)
	}
	return nil
}

// chat is what people do beside the bot. Of a hundred things they do, five are files,
// six edits, three deletions, six previews of links and the like; the others are messages, half
// of them where the bot is not wanted.
func (t *talk) chat(n, thread int) {
	person, dice := t.chance.IntN(people), t.chance.IntN(100)
	file := ""
	if dice < 5 {
		file = fmt.Sprintf("The berth of the ferry at high tide is %d.\n", n)
	}
	if old := t.old(thread); old != nil && dice >= 85 {
		t.change(thread, person, dice, old)
		return
	}
	if dice%2 == 0 {
		t.beside++
		t.Beside(thread, person, fmt.Sprintf("Aside %d: *see* <https://example.org/%d> :wave: before lunch", n, n%17), file)
		return
	}
	text := fmt.Sprintf("Remark %d: the tide table of pier %d was copied into the book.", n, n%97)
	at := time.Now()
	t.said[thread] = append(t.said[thread], &remark{id: t.Say(thread, person, text, file, false), text: text, at: at, fixed: file != ""})
}

// change does something to what was said.
func (t *talk) change(thread, person, dice int, m *remark) {
	switch {
	case dice < 88:
		t.changes++
		m.text, m.fixed = "", true
		t.Delete(thread, m.id)
	case dice < 94:
		t.changes++
		m.text += " (Corrected.)"
		t.Edit(thread, m.id, m.text)
	default:
		t.Stir(thread, person, m.id)
	}
}

// old is one of the later messages of a thread that may be changed, nil if none may.
func (t *talk) old(thread int) *remark {
	all := t.said[thread]
	all = all[:max(0, len(all)-3)]
	for range 5 {
		if len(all) == 0 {
			return nil
		}
		if m := all[len(all)-1-t.chance.IntN(min(20, len(all)))]; !m.fixed {
			return m
		}
	}
	return nil
}

func (t *talk) ask(thread int, say func(person int, text string) (id string)) {
	n := 1
	for _, a := range t.asked {
		n += len(a)
	}
	text := fmt.Sprintf("Please answer question %d", n)
	at := time.Now()
	t.said[thread] = append(t.said[thread], &remark{id: say(t.chance.IntN(people), text), text: text, at: at, fixed: true})
	t.asked[thread] = append(t.asked[thread], fmt.Sprintf("This is answer %d.", n))
}

func (t *talk) answered() bool {
	for i := range t.asked {
		if len(t.answers(i)) < len(t.asked[i]) {
			return false
		}
	}
	return true
}

func (t *talk) missing() []string {
	var all []string
	for i := range t.asked {
		if got := t.answers(i); len(got) < len(t.asked[i]) {
			all = append(all, fmt.Sprintf("thread %d: %d of %d answers", i, len(got), len(t.asked[i])))
		}
	}
	return all
}

var answer = regexp.MustCompile(`This is answer \d+\.`)

// answers are those in a thread, in their order; notices are left out.
func (t *talk) answers(thread int) []string {
	var all []string
	for _, text := range t.Answers(thread) {
		all = append(all, answer.FindAllString(text, -1)...)
	}
	return all
}

func (t *talk) until(ctx context.Context, otherwise string, ok func() bool) error {
	end := time.Now().Add(patience + time.Duration(t.threads)*perThread)
	for !ok() {
		switch {
		case t.gone():
			return errors.New("the program ended by itself")
		case time.Now().After(end):
			return errors.New(otherwise)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
