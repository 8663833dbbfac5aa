package kit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// millis are ids that count milliseconds.
var millis = Clock{
	Valid: func(id string) bool { _, err := strconv.Atoi(id); return err == nil },
	Time:  func(id string) time.Time { n, _ := strconv.Atoi(id); return time.UnixMilli(int64(n)) },
	First: func(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) },
}

func TestReadAndNewMessagesOfAConversation(t *testing.T) {
	t.Parallel()
	full := make([]string, platform.SeenMessages)
	for i := range full {
		full[i] = strconv.Itoa(9000 - i)
	}
	thread, top := memory.Key{Channel: "c", Thread: "t"}, memory.Key{Channel: "c"}
	reach := Reach{New: "8000", Earliest: "1000", Overlap: 100 * time.Millisecond}
	since := reach
	since.From, since.New = "5000", "4900"
	for name, c := range map[string]struct {
		reach           Reach
		seen            platform.Seen
		received        string
		after, newAfter string
	}{
		"less than the overlap is stored of a thread": {reach, platform.Seen{Key: thread, Messages: []string{"7050", "7000"}}, "", "6999", "7000"},
		"more than the overlap is":                    {reach, platform.Seen{Key: thread, Messages: []string{"7500", "7000"}}, "", "6999", "7400"},
		"this process has received more":              {reach, platform.Seen{Key: thread, Messages: []string{"7500", "7000"}}, "7600", "6999", "7600"},
		"what is stored is newer than that":           {reach, platform.Seen{Key: thread, Messages: []string{"7500", "7000"}}, "7300", "6999", "7500"},
		"we were away before the newest":              {since, platform.Seen{Key: thread, Messages: []string{"7500", "4000"}}, "", "3999", "5000"},
		"we came into the thread while away":          {since, platform.Seen{Key: thread, Messages: []string{"7500", "7000"}}, "", "6999", "7000"},
		"the first stored ones are not named":         {since, platform.Seen{Key: thread, Messages: full}, "", "5000", "5000"},
		"a channel we were away from":                 {since, platform.Seen{Key: top, Messages: []string{"7500", "7000"}}, "", "5000", "5000"},
		"only what we said is stored":                 {reach, platform.Seen{Key: thread, Posts: []string{"7000", "by a click"}}, "", "6999", "8000"},
		"ids of clicks":                               {reach, platform.Seen{Key: thread, Messages: []string{"by a click"}}, "", "8000", "8000"},
		"a day ago and more":                          {reach, platform.Seen{Key: thread, Messages: []string{"900", "7"}}, "", "1000", "1000"},
	} {
		if g := c.reach.Gap(millis, c.seen, c.received); g.After != c.after || g.NewAfter != c.newAfter || g.Key != c.seen.Key {
			t.Errorf("%s: read after %s, new after %s", name, g.After, g.NewAfter)
		}
	}
}

// shown is a platform's past of ids that Read returns.
type shown struct {
	Past[string]
	absences  []platform.Absence
	delivered []string
}

func newShown(s Span[string], err error) *shown {
	x := new(shown)
	x.Past = Past[string]{
		Clock:  millis,
		ID:     func(id string) string { return id },
		Read:   func(context.Context, *Gap) (Span[string], error) { return s, err },
		Absent: func(_ context.Context, a platform.Absence) error { x.absences = append(x.absences, a); return nil },
		Place:  func(_ context.Context, g *Gap) (memory.Key, error) { return g.Key, nil },
		Deliver: func(_ context.Context, _ *Gap, id string, stored bool) error {
			x.delivered = append(x.delivered, fmt.Sprint(id, stored))
			return nil
		},
	}
	return x
}

func TestMissingAndDeliveredMessages(t *testing.T) {
	t.Parallel()
	gap := Gap{Key: memory.Key{Channel: "c"}, Known: []string{"40", "20"}, Posts: []string{"30"}, NewAfter: "45"}
	settled, whole := gap, gap
	settled.Settled, whole.Whole = "30", true
	for name, c := range map[string]struct {
		gap                Gap
		span               Span[string]
		missing, delivered []string
	}{
		"all is there":              {gap, Span[string]{Said: []string{"20", "30", "40"}}, nil, []string{"20true", "40true"}},
		"the rest was deleted":      {gap, Span[string]{Said: []string{"40"}}, []string{"20", "30"}, []string{"40true"}},
		"an empty answer":           {gap, Span[string]{}, nil, nil},
		"the conversation is gone":  {gap, Span[string]{Gone: true}, []string{"40", "20", "30"}, nil},
		"read from the second on":   {gap, Span[string]{Said: []string{"40"}, Since: "20"}, []string{"30"}, []string{"40true"}},
		"read up to the second":     {gap, Span[string]{Said: []string{"20"}, Until: "30"}, []string{"30"}, []string{"20true"}},
		"one is not understood":     {gap, Span[string]{Said: []string{"40", ""}}, nil, []string{"40true"}},
		"newer ones are not shown":  {settled, Span[string]{Said: []string{"10"}}, []string{"20"}, nil},
		"some are new":              {gap, Span[string]{Said: []string{"20", "30", "40", "45", "46", "100"}}, nil, []string{"20true", "40true", "46false", "100false"}},
		"a comparison finds no new": {whole, Span[string]{Said: []string{"20", "30", "40", "46"}}, nil, []string{"20true", "40true"}},
	} {
		x := newShown(c.span, nil)
		if err := x.CatchUp(t.Context(), &c.gap); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var missing []string
		for _, a := range x.absences {
			if missing = append(missing, a.Messages...); a.Of != 3 || a.Key != c.gap.Key {
				t.Errorf("%s: %+v", name, a)
			}
		}
		if !slices.Equal(missing, c.missing) || !slices.Equal(x.delivered, c.delivered) {
			t.Errorf("%s: missing %q, delivered %q", name, missing, x.delivered)
		}
	}
}

// TestNothingIsHandedOnBeforeItsReadersAreKnown: without permission nothing is known; after any other error the gap is
// read again.
func TestNothingIsHandedOnBeforeItsReadersAreKnown(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	for _, c := range []struct{ err, want error }{{down, down}, {fmt.Errorf("kicked out: %w", platform.ErrUndeliverable), nil}} {
		x := newShown(Span[string]{Said: []string{"40", "50"}}, nil)
		x.Place = func(_ context.Context, g *Gap) (memory.Key, error) { return g.Key, c.err }
		if err := x.CatchUp(t.Context(), &Gap{Known: []string{"40", "20"}}); !errors.Is(err, c.want) || len(x.absences)+len(x.delivered) > 0 {
			t.Errorf("%v, missing %+v, delivered %q", err, x.absences, x.delivered)
		}
	}
}

func TestAHiddenConversationIsNotCompared(t *testing.T) {
	t.Parallel()
	stored := platform.Seen{Messages: []string{"20"}}
	for name, c := range map[string]struct {
		span Span[string]
		seen platform.Seen
		err  error
		want bool // compared
	}{
		"nothing":           {Span[string]{}, stored, nil, false},
		"it is too old":     {Span[string]{Unshown: true}, stored, nil, true},
		"it is gone":        {Span[string]{Gone: true}, stored, nil, true},
		"something":         {Span[string]{Said: []string{"10"}}, stored, nil, true},
		"an error":          {Span[string]{}, stored, errors.New("down"), false},
		"nothing is stored": {Span[string]{}, platform.Seen{Posts: []string{"by a click"}}, nil, true},
	} {
		if err := newShown(c.span, c.err).CompareAll(t.Context(), c.seen); (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
