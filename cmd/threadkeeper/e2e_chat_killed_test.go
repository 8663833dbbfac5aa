package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/console"
	"threadkeeper/memory"
)

// program is threadkeeper with arguments, in a folder and with settings of its own.
func program(ctx context.Context, t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "threadkeeper")
	if err := os.Symlink(self, link); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, link, args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "XDG_DATA_HOME=" + filepath.Join(dir, "data"), "CACHE_DIR=" + cacheDir(), "TOKEN_THRESHOLD=600", "PATH=" + os.Getenv("PATH")}
	return cmd
}

// TestKilledAtAnyMoment kills a scripted conversation again and again, at moments
// drawn from a fixed seed, and starts the same command after each. In the end
// every line was answered once, in the database and on standard output.
func TestKilledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const lines, kills = 60, 12
	dir := t.TempDir()
	var script []string
	for n := 1; n <= lines; n++ {
		switch {
		case n%10 == 0:
			script = append(script, "/memory status\n")
		case n%7 == 0:
			script = append(script, fmt.Sprintf("What is the code of locker %d?\n", n-1))
		default:
			script = append(script, fmt.Sprintf("The code of locker %d is K-%d.\n", n, 1000+n))
		}
	}
	random := rand.New(rand.NewPCG(7, 11))
	printed := map[string]console.Object{}
	collect := func(out []byte) {
		for _, l := range bytes.SplitAfter(out, []byte("\n")) {
			if !bytes.HasSuffix(l, []byte("\n")) {
				continue // cut off by the kill
			}
			var o console.Object
			if err := json.Unmarshal(l, &o); err != nil {
				t.Fatalf("%s: %v", l, err)
			}
			if old, ok := printed[o.ID]; ok && old.Text != o.Text {
				t.Errorf("%s was printed as %q and as %q", o.ID, old.Text, o.Text)
			}
			printed[o.ID] = o
		}
	}

	for killed := 0; killed <= kills; killed++ {
		cmd := program(t.Context(), t, dir, "chat", "--json", "--run", "night")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// What is to be killed hears a part of the script and no end, so that no machine is
		// fast enough to be through before.
		io.WriteString(in, strings.Join(script[:min(lines, (killed+1)*lines/kills)], ""))
		want := 0
		if killed < kills {
			want = -1 // ended by a signal
			time.AfterFunc(time.Duration(60+random.IntN(240))*time.Millisecond, func() { cmd.Process.Kill() })
		} else {
			in.Close()
		}
		err = cmd.Wait()
		collect(out.Bytes())
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Fatalf("the program ended with %d, want %d: %v\n%s", got, want, err, &errs)
		}
	}
	for n := 1; n <= lines; n++ {
		o, ok := printed[fmt.Sprintf("night:%d", n)]
		if !ok || o.Line != n || o.Kind == "error" {
			t.Errorf("line %d: printed %v, %+v", n, ok, o)
		}
	}
	if len(printed) != lines {
		t.Errorf("%d objects for %d lines", len(printed), lines)
	}
	answeredOnce(t, dir, lines-lines/10)
}

// answeredOnce checks that the main thread holds so many messages, each
// followed by its only answer.
func answeredOnce(t *testing.T, dir string, messages int) {
	t.Helper()
	store, err := memory.OpenReadOnly(t.Context(), filepath.Join(dir, "data", "threadkeeper", "threadkeeper.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	session, err := store.SessionByKey(t.Context(), console.Key(""))
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Messages(t.Context(), session.ID)
	if err != nil {
		t.Fatal(err)
	}
	answers, users := map[int64]int{}, 0
	for _, m := range all {
		if m.Role == memory.User {
			users++
		} else {
			answers[m.ReplyTo]++
		}
	}
	if users != messages || len(all) != 2*messages {
		t.Errorf("%d messages and %d answers in the database, want %d of each", users, len(all)-users, messages)
	}
	for _, m := range all {
		if m.Role == memory.User && answers[m.ID] != 1 {
			t.Errorf("message %d (%q) has %d answers", m.ID, m.Text, answers[m.ID])
		}
	}
}

// TestNothingIsTypedAndWhatWaitsIsAnswered: a conversation is killed while its model thinks. The next run of its thread
// answers, though nothing is typed in.
func TestNothingIsTypedAndWhatWaitsIsAnswered(t *testing.T) {
	asked, killed := make(chan struct{}), make(chan struct{})
	var first sync.Once
	model, err := fakemodel.Start(fakemodel.Options{Default: func(fakemodel.Request) string {
		first.Do(func() { close(asked) })
		<-killed
		return "ANSWER\nBehind the blue barrel."
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	dir := t.TempDir()
	run := func(stdin string) *exec.Cmd {
		cmd := program(t.Context(), t, dir, "chat", "--thread", "yard")
		cmd.Env = append(cmd.Env, "MODEL=test-model", "JUDGE_MODEL=off", "OPENAI_BASE_URL="+model.URL())
		cmd.Stdin = strings.NewReader(stdin)
		return cmd
	}
	cmd := run("Where is the key?\n")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	cmd.Process.Kill()
	cmd.Wait()
	close(killed)
	if out, err := run("").Output(); err != nil || string(out) != "Behind the blue barrel.\n" {
		t.Errorf("%v, %q", err, out)
	}
	if out, err := run("").Output(); err != nil || len(out) != 0 {
		t.Errorf("again: %v, %q", err, out)
	}
}

// TestTermination: SIGTERM ends the program in order, and the same command continues.
func TestTermination(t *testing.T) {
	dir := t.TempDir()
	cmd := program(t.Context(), t, dir, "chat", "--json", "--run", "x")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, "hello")
	var o console.Object
	if err := json.NewDecoder(out).Decode(&o); err != nil || o.ID != "x:1" {
		t.Fatalf("got %+v, %v", o, err)
	}
	began := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(errs.String(), "again to continue") || time.Since(began) > patience {
		t.Errorf("after %s: %s", time.Since(began), &errs)
	}
}

// TestOneWriter: what needs the database alone is told who has it.
func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	store, err := memory.Open(t.Context(), filepath.Join(dir, "data", "threadkeeper", "threadkeeper.db"), memory.Shared())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	cmd := program(t.Context(), t, dir, "import", "-")
	cmd.Stdin = strings.NewReader("hello\n")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
		t.Errorf("got %v", err)
	}
	if want := fmt.Sprintf("process %d holds", os.Getpid()); !strings.Contains(string(out), want) || !strings.Contains(string(out), "--db") {
		t.Errorf("no %q in %s", want, out)
	}
}
