package platformtest

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
)

// said are words of what the suite's people and the chain say, and of the files.
var said = []string{"swordfish", "walrus", "mauve", "lasts three years", "You said", "Which colour", "Dark green", "the code is"}

// Discreet is a log, at every level, that fails the test when something of what was
// said stands in it above debug, or one of secrets (tokens, addresses that hold one) at
// any level.
func Discreet(t *testing.T, secrets ...string) *slog.Logger {
	l := &discreet{secrets: slices.DeleteFunc(secrets, func(s string) bool { return s == "" })}
	t.Cleanup(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, line := range l.told {
			t.Errorf("the log tells too much: %s", line)
		}
	})
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// discreet reads lines of a log.
type discreet struct {
	secrets []string
	mu      sync.Mutex
	told    []string
}

func (l *discreet) Write(p []byte) (int, error) {
	line := string(p)
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, w) })
	}
	if has(l.secrets) || !strings.Contains(line, "level="+slog.LevelDebug.String()) && has(said) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.told = append(l.told, line)
	}
	return len(p), nil
}
