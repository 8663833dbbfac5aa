package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/memory"
)

// The limits that -strict holds the program to.
const (
	ackLimit    = time.Second // of 99 acknowledgements in 100
	growthLimit = 32 << 20    // bytes that memory may grow in the second half
)

// How long the program may take to connect, and to finish when all is said, on a slow
// machine: Slack takes some hundred messages a minute.
const (
	patience  = 5 * time.Minute
	perThread = 400 * time.Millisecond
)

var question = regexp.MustCompile(`(?s).*question (\d+)`)

func scriptedAnswer(r fakemodel.Request) string {
	asked := question.FindStringSubmatch(r.User())
	if asked == nil {
		return "{}" // no question: a summary is wanted
	}
	return "ANSWER\nThis is answer " + asked[1] + ". " + strings.Repeat("The ferry leaves the pier when the water is high enough. ", 4)
}

// run drives the program through the load. Problems are what it did wrong.
func (l load) run(ctx context.Context, w outside) (problems []string, err error) {
	defer w.Close()
	m, err := fakemodel.Start(fakemodel.Options{Default: scriptedAnswer})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	p, err := start(l.program, append(w.Environ(), "MODEL=load", "JUDGE_MODEL=off", "OPENAI_BASE_URL="+m.URL(), "OPENAI_API_KEY=none"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.remove()) }()
	t := newTalk(l, w, p)
	if err := errors.Join(t.talk(ctx), p.stop()); err != nil {
		problems, worse := t.compare(ctx)
		return append(problems, t.missing()...), errors.Join(err, worse)
	}
	problems, err = t.compare(ctx)
	return append(problems, t.report()...), err
}

// compare holds what was kept and answered against what was said.
func (t *talk) compare(ctx context.Context) (found []string, err error) {
	store, err := memory.OpenReadOnly(ctx, filepath.Join(t.dir, database))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	acknowledged := t.Kept()
	for i := range t.said {
		said := slices.DeleteFunc(slices.Clone(t.said[i]), func(m *remark) bool { return m.text == "" })
		kept, err := keptIn(ctx, store, t.Key(i))
		if err != nil {
			return nil, err
		}
		if apart := departs(kept, said, acknowledged); apart != "" {
			found = append(found, fmt.Sprintf("thread %d: %d messages were said, %d kept%s", i, len(said), len(kept), apart))
		}
		if got := t.answers(i); !slices.Equal(got, t.asked[i]) {
			found = append(found, fmt.Sprintf("thread %d: answers %q, want %q", i, got, t.asked[i]))
		}
	}
	kept, err := conversations(ctx, store, t.Key(0))
	if err == nil && kept != t.threads {
		found = append(found, fmt.Sprintf("%d conversations are kept, the bot was asked in %d", kept, t.threads))
	}
	return append(found, t.Violations()...), err
}

// departs tells where the texts kept depart from what was said, "" if they do not. A
// message may stand before those that were not acknowledged yet when it was said.
func departs(kept []string, said []*remark, acknowledged map[string]time.Time) string {
	waiting := slices.Clone(said)
	for n, text := range kept {
		i := slices.IndexFunc(waiting, func(m *remark) bool { return m.text == text })
		if i < 0 {
			return fmt.Sprintf("; number %d is %q, which was not said", n+1, text)
		}
		for _, m := range waiting[:i] {
			if !acknowledged[m.id].After(waiting[i].at) {
				return fmt.Sprintf("; number %d is %q, want %q", n+1, text, m.text)
			}
		}
		waiting = slices.Delete(waiting, i, i+1)
	}
	if len(waiting) > 0 {
		return fmt.Sprintf("; %q is missing", waiting[0].text)
	}
	return ""
}

// conversations is how many are kept of the workspace of key, whose channels are public.
func conversations(ctx context.Context, store *memory.Store, key memory.Key) (int, error) {
	session, err := store.SessionByKey(ctx, key)
	if err != nil {
		return 0, err
	}
	a, err := store.Audience(ctx, session.ID, 0)
	if err != nil {
		return 0, err
	}
	all, err := store.Views.Sessions(ctx, a, 1_000_000)
	return len(all), err
}

// report prints what was measured, and returns which limits were passed.
func (t *talk) report() (found []string) {
	said, asked := 0, 0
	for i := range t.said {
		said, asked = said+len(t.said[i]), asked+len(t.asked[i])
	}
	const mib = 1 << 20
	fmt.Printf("%d messages in %d threads, %d of them asked, %d edited or deleted, %d beside\n", said, t.threads, asked, t.changes, t.beside)
	fmt.Printf("%d conversations at once were answered after %s; the last answer came %s after the last message\n",
		t.threads, tenths(t.opened), tenths(t.late))
	fmt.Printf("memory: %d MiB at the start, %d in the middle, %d at the end; %s of CPU; database %.1f MiB\n",
		t.begin/mib, t.middle/mib, t.after/mib, tenths(t.worked()), float64(t.size())/mib)
	if t.strict && t.after-t.middle > growthLimit {
		found = append(found, fmt.Sprintf("memory grew by %d MiB in the second half", (t.after-t.middle)/mib))
	}
	acks := t.Acks()
	if len(acks) == 0 {
		return found
	}
	slices.Sort(acks)
	of := func(percent int) time.Duration { return acks[(len(acks)-1)*percent/100] }
	fmt.Printf("acknowledged %d, p50 %s, p95 %s, p99 %s, the last %s\n", len(acks), shown(of(50)), shown(of(95)), shown(of(99)), shown(of(100)))
	if t.strict && of(99) >= ackLimit {
		found = append(found, fmt.Sprintf("p99 of the acknowledgements is %s, at most %s is allowed", of(99), ackLimit))
	}
	return found
}

// keptIn are the messages of people in a thread, in the order they were kept.
func keptIn(ctx context.Context, store *memory.Store, key memory.Key) ([]string, error) {
	session, err := store.SessionByKey(ctx, key)
	if err != nil {
		return nil, err
	}
	all, err := store.Messages(ctx, session.ID)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, m := range all {
		if m.Role == memory.User && m.ErasedAt == 0 {
			texts = append(texts, m.Text)
		}
	}
	return texts, nil
}

func shown(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }

func tenths(d time.Duration) string { return d.Round(100 * time.Millisecond).String() }
