package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestWhatIsTakenBackIsNotShownAsCurrent: a summary over two folds, or one, shows the change or nothing, also when its segments are made
// again, and when the former value is shown no more. Only the same thing is taken back.
func TestWhatIsTakenBackIsNotShownAsCurrent(t *testing.T) {
	for before, after := range map[string]string{
		"I prefer short answers": "I no longer prefer short answers", "Ich mag kurze Antworten": "Ich mag kurze Antworten nicht mehr",
		"I like the dark mode": "I no longer like the dark mode", "Please always write in French": "Please don't always write in French anymore",
	} {
		for _, folds := range []int{1, 2} {
			w := newTown(t)
			now := time.Now()
			w.s.Now = func() int64 { return now.UnixMilli() }
			r := w.say("general", "one", "Ada", before+".")
			rest := func() {
				for i := range 12 {
					w.say("general", "one", "Bob", fmt.Sprint("Item ", i, " is on the list."))
				}
			}
			check := func(when string) {
				t.Helper()
				sn, err := w.s.Snapshot(t.Context(), r.Session.ID)
				if err != nil {
					t.Fatal(err)
				}
				text := strings.ReplaceAll(strings.ReplaceAll(sn.Rendered, after, "…"), "before: Ada: "+before, "…")
				if strings.Contains(text, before) {
					t.Errorf("%s, in %d folds, %s:\n%s", before, folds, when, sn.Rendered)
				}
			}
			if folds == 2 {
				rest()
				fold(t, w.s, r.Session.ID)
			}
			w.say("general", "one", "Ada", after+".")
			rest()
			fold(t, w.s, r.Session.ID)
			check("folded")
			if err := w.s.MarkSegmentsStale(t.Context(), r.Session.ID); err != nil {
				t.Fatal(err)
			}
			compact(t, w.s)
			check("made again")
			now = now.AddDate(0, 2, 0)
			rest()
			fold(t, w.s, r.Session.ID)
			check("later")
		}
	}
	w := newTown(t)
	r := w.say("general", "one", "Ada", "I prefer tea.")
	w.say("general", "one", "Ben", "I prefer short answers.")
	w.say("general", "one", "Ada", "I no longer prefer tea in the morning.")
	w.say("general", "one", "Ada", "I no longer prefer short answers.")
	for i := range 12 {
		w.say("general", "one", "Bob", fmt.Sprint("Item ", i))
	}
	fold(t, w.s, r.Session.ID)
	sn, err := w.s.Snapshot(t.Context(), r.Session.ID)
	if err != nil || !strings.Contains(sn.Rendered, "Ada: I prefer tea. (") || !strings.Contains(sn.Rendered, "Ben: I prefer short answers. (") {
		t.Errorf("%+v, %v", sn, err)
	}
}
