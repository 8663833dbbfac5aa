package console

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// spool keeps the answer to an event from its delivery until it is printed, in the
// settings row (run:ID, event id). After that the row says only that it was
// printed, so that no copy of a message stays behind. For a run that nobody will continue
// it is kept in memory: two commits less, and nothing left in the database.
type spool struct {
	store *memory.Store
	kept  *sync.Map // by event; those of other processes' runs are not there
}

// spooled is one row.
type spooled struct {
	Nonce   string             `json:"nonce,omitempty"`
	Printed bool               `json:"printed,omitempty"`
	Answer  *platform.Outgoing `json:"answer,omitempty"`
}

// get returns the row of an event; it is empty if there is none.
func (s spool) get(ctx context.Context, event string) (spooled, error) {
	var e spooled
	if strings.HasPrefix(event, runPrefix) {
		if kept, ok := s.kept.Load(event); ok {
			e = kept.(spooled)
		}
		return e, nil
	}
	value, err := s.store.Setting(ctx, scopeOf(event), event)
	if err == nil && value != "" {
		err = json.Unmarshal([]byte(value), &e)
	}
	if err != nil {
		return spooled{}, fmt.Errorf("console: answer to %s: %w", event, err)
	}
	return e, nil
}

func (s spool) set(ctx context.Context, event string, e spooled) error {
	if strings.HasPrefix(event, runPrefix) {
		s.kept.Store(event, e)
		return nil
	}
	value, err := json.Marshal(e)
	if err == nil {
		err = s.store.SetSetting(ctx, scopeOf(event), event, string(value))
	}
	if err != nil {
		return fmt.Errorf("console: answer to %s: %w", event, err)
	}
	return nil
}

// deliver stores an answer to be printed. What was printed stays as it is.
func (s spool) deliver(ctx context.Context, event string, m platform.Outgoing) error {
	e, err := s.get(ctx, event)
	if err != nil || e.Printed {
		return err
	}
	e.Nonce, e.Answer = m.Nonce, &m
	return s.set(ctx, event, e)
}

// printed marks an event's answer as printed; nonce is that of one that was not delivered before.
func (s spool) printed(ctx context.Context, event, nonce string) error {
	e, err := s.get(ctx, event)
	if err != nil {
		return err
	}
	return s.set(ctx, event, spooled{Nonce: cmp.Or(e.Nonce, nonce), Printed: true})
}

// scopeOf is the scope of an event's row: the run it belongs to.
func scopeOf(event string) string { return "run:" + beforeLast(event, ":") }

// ref names the post with this nonce that answers an event.
func ref(event, nonce string) platform.Ref { return platform.Ref(event + "#" + nonce) }

// eventOf is the event a post answers.
func eventOf(r platform.Ref) string { return beforeLast(string(r), "#") }

// beforeLast is what of s stands before the last sep; all of it without one.
func beforeLast(s, sep string) string {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i]
	}
	return s
}
