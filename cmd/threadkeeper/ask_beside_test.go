package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/console"
	"threadkeeper/memory"
)

var besideFor = flag.Duration("beside", 0, "how long TestProcessesSideBySide goes on after its first round")

// TestProcessesSideBySide: two conversations and single questions at the same time, on one database. Every line is
// answered once, and nobody hears of the others.
func TestProcessesSideBySide(t *testing.T) {
	const lines, questions = 20, 5
	dir := t.TempDir()
	run := func(stdin string, args ...string) (out []byte) {
		cmd := program(t.Context(), t, dir, args...)
		var errs bytes.Buffer
		cmd.Stdin, cmd.Stderr = strings.NewReader(stdin), &errs
		out, err := cmd.Output()
		if err != nil || errs.Len() > 0 {
			t.Errorf("%q: %v\n%s", args, err, &errs)
		}
		return out
	}
	rounds := 0
	for end := time.Now().Add(*besideFor); rounds == 0 || time.Now().Before(end); rounds++ {
		var all sync.WaitGroup
		for _, thread := range []string{"a", "b"} {
			all.Go(func() {
				var script strings.Builder
				for n := range lines {
					fmt.Fprintf(&script, "The code of locker %d in hall %s is K-%d.\n", n, thread, 1000*rounds+n)
				}
				out := run(script.String(), "chat", "--json", "--thread", thread)
				answers := json.NewDecoder(bytes.NewReader(out))
				for n := 1; n <= lines; n++ {
					var o console.Object
					if err := answers.Decode(&o); err != nil || o.Line != n || o.Kind == "error" {
						t.Errorf("thread %s, line %d: %+v, %v", thread, n, o, err)
						return
					}
				}
			})
		}
		all.Go(func() {
			for range questions {
				if out := run("", "ask", "Which code has locker 3?"); len(bytes.TrimSpace(out)) == 0 {
					t.Error("no answer")
				}
			}
		})
		all.Wait()
	}
	db := database(t, dir)
	if n := rows[int](t, db, "SELECT COUNT(*) FROM messages WHERE role = 'user'")[0]; n != rounds*(2*lines+questions) {
		t.Errorf("%d messages, want %d", n, rounds*(2*lines+questions))
	}
	for _, m := range rows[string](t, db, `SELECT 'message ' || m.id || ' has ' || count(a.id) || ' answers' FROM messages m
		LEFT JOIN messages a ON a.reply_to = m.id WHERE m.role = 'user' GROUP BY m.id HAVING count(a.id) <> 1`) {
		t.Error(m)
	}
	if left := pending(t, db); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	t.Logf("%d rounds", rounds)
}

// TestAThreadIsOneProcess: a second process in a thread waits for the first, and another thread is free.
func TestAThreadIsOneProcess(t *testing.T) {
	dir := t.TempDir()
	first := program(t.Context(), t, dir, "chat", "--json", "--thread", "a")
	in, err := first.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, "hello")
	var o console.Object
	if err := json.NewDecoder(out).Decode(&o); err != nil {
		t.Fatal(err)
	}
	var told bytes.Buffer
	second := program(t.Context(), t, dir, "ask", "--thread", "a", "Where is the quarry?")
	second.Stdout = &told
	notices, err := second.StderrPipe()
	if err := errors.Join(err, second.Start()); err != nil {
		t.Fatal(err)
	}
	if waits, err := bufio.NewReader(notices).ReadString('\n'); err != nil || !strings.Contains(waits, `thread "a" is in use by another process; waiting`) {
		t.Errorf("it waits without a word: %q, %v", waits, err)
	}
	if third, err := program(t.Context(), t, dir, "ask", "hello?").CombinedOutput(); err != nil {
		t.Errorf("a thread of its own: %v\n%s", err, third)
	}
	in.Close()
	if err := errors.Join(first.Wait(), second.Wait()); err != nil || !strings.Contains(told.String(), "quarry") {
		t.Errorf("the same thread: %v\n%s", err, &told)
	}
}

// TestAQuestionSaysWhatItWaitsFor: an import has the database alone.
func TestAQuestionSaysWhatItWaitsFor(t *testing.T) {
	dir := t.TempDir()
	importing, err := memory.Open(t.Context(), filepath.Join(dir, "x.db"), memory.For("import"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := program(t.Context(), t, dir, "ask", "--db", "x.db", "Where is the quarry?")
	notices, err := cmd.StderrPipe()
	if err := errors.Join(err, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("threadkeeper: the database is in use by another process: process %d (import); waiting up to 15s for it\n", os.Getpid())
	if waits, err := bufio.NewReader(notices).ReadString('\n'); err != nil || waits != want {
		t.Errorf("%q, %v, want %q", waits, err, want)
	}
	if err := errors.Join(importing.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
}
