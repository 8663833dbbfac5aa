package pdfium

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const parentEnv = "PDFIUM_TEST_PARENT"

// blockIfParent makes this process, if a test started it as one, the parent of a worker in
// the middle of a file: it prints the worker's process id and stays.
func blockIfParent() {
	if os.Getenv(parentEnv) == "" {
		return
	}
	s := &started{Handler: slog.DiscardHandler}
	data, err := os.ReadFile(filepath.Join("..", "testdata", "manual.pdf"))
	if err == nil {
		_, err = New(Options{Log: slog.New(s)}).Pages(context.Background(), data, Limits{}, func(int, Page) error {
			fmt.Println(s.last())
			time.Sleep(time.Hour)
			return nil
		})
	}
	fmt.Println(err)
	os.Exit(1)
}

func TestWorkerDiesWithItsParent(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentEnv+"=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || !running(pid) {
		t.Fatalf("no worker: %q", line)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	for deadline := time.Now().Add(10 * time.Minute); running(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the worker outlives its parent")
		}
	}
}

// running reports whether a process exists and is not only waiting to be buried.
func running(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(b), ") Z ")
}

func TestWorkerInheritsNoSecrets(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	e, s := newEngine(t, Options{})
	mustPages(t, e, "sample.pdf")
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", s.last()))
	if err != nil || strings.Trim(string(b), "\x00") != workerEnv+"=1" {
		t.Errorf("got %q, %v", b, err)
	}
}

func TestMemoryOfABombIsBounded(t *testing.T) {
	e, s := newEngine(t, Options{MemoryMB: 256})
	mustPages(t, e, "bomb-forms.pdf")
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.last()))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	kB, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("peak %d MB", kB/1024)
	if kB > 450<<10 {
		t.Errorf("the worker's peak is %d MB", kB/1024)
	}
}

func TestABusyMachineIsNotTheFilesFault(t *testing.T) {
	idle := exec.Command("sleep", "3600")
	if err := idle.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = idle.Process.Kill()
		_ = idle.Wait()
	})
	const limit = time.Hour
	done := make(chan struct{})
	close(done)
	for name, c := range map[string]struct {
		spent, since time.Duration // of processor time before the request; since its time was over
		killed       bool
	}{
		"no processor time was to be had": {0, time.Minute, false},
		"all of it was used":              {-limit, time.Minute, true},
		"it waited ten times its limit":   {0, 9 * limit, true},
	} {
		w := &worker{cmd: idle, limit: limit, spent: c.spent}
		over := make(chan struct{})
		if !c.killed {
			over = done
		}
		w.expire(time.Now().Add(-c.since), over)
		if cause := w.cause.Load(); (cause != nil) != c.killed {
			t.Errorf("%s: killed %t", name, cause != nil)
		}
	}
}
