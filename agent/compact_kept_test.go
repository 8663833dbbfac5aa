package agent

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
)

// TestAFoldTakesBackWhatAnEarlierOneKept: the model is shown the facts of earlier folds, and what a line replaces is shown as
// former; nothing that stands in them alone is told again. Undone, the earlier fact holds again.
func TestAFoldTakesBackWhatAnEarlierOneKept(t *testing.T) {
	reversal := map[string]any{"kind": "decision", "subject": "Ada", "slot": "broker", "text": "Ada takes it back and stays with RabbitMQ", "line": 13,
		"quote": "Forget it, I stay with RabbitMQ", "until": "", "replaces": 2, "done": false}
	retold := map[string]any{"kind": "decision", "subject": "Ada", "slot": "project", "text": "Ada stays with RabbitMQ for the Fernbrook project", "line": 13,
		"quote": "Forget it, I stay with RabbitMQ", "until": "", "replaces": 0, "done": false}
	m := newMinutes(t, []fakemodel.Rule{
		{Match: regexp.MustCompile("Forget it"), Say: answer("Ada stays with RabbitMQ. She leaves the postgres idea.", reversal, retold)},
		{Say: answer(told, fact("key_fact", "budget", "The budget for the Fernbrook project is $4.2M", 1), fact("decision", "", "Ada uses Postgres 16 for it", 2))},
	})
	m.next()
	before := m.rendered()
	if !strings.Contains(before, "Decisions:\n- Ada uses Postgres 16 for it (4 Mar)") {
		t.Fatal(before)
	}
	for i := range 15 {
		text := fmt.Sprintf("Remark number %d is only small talk.", i)
		if i == 2 {
			text = "Forget it, I stay with RabbitMQ."
		}
		m.say(fmt.Sprint("later ", i), text)
	}
	if due, err := m.store.ScheduleCompaction(t.Context(), m.session.ID, ""); err != nil || !due {
		t.Fatal("nothing to fold", err)
	}
	m.next()
	requests := m.server.Requests()
	if prompt := requests[len(requests)-1].Prompt(); !strings.Contains(prompt, "1 | key_fact | Ada budget | Ada: The budget for the Fernbrook project is $4.2M\n2 | decision |  | Ada uses Postgres 16 for it\n") {
		t.Errorf("prompt: %s", prompt)
	}
	got := m.rendered()
	if !strings.Contains(got, "- Ada takes it back and stays with RabbitMQ (4 Mar, latest; before: Ada uses Postgres 16 for it, 4 Mar)") || strings.Contains(got, "postgres idea") || strings.Contains(got, "RabbitMQ for the Fernbrook") {
		t.Errorf("%s", got)
	}
	if _, err := m.store.UndoFold(t.Context(), m.session.ID); err != nil {
		t.Fatal(err)
	}
	if got := m.rendered(); got != before {
		t.Errorf("undone: %s", got)
	}
}

// TestAPreferenceThatIsTakenBackIsNotCurrent, whether the model tells what replaces it, tells of it without that, or not at all.
func TestAPreferenceThatIsTakenBackIsNotCurrent(t *testing.T) {
	for name, taking := range map[string]map[string]any{"told": {"kind": "preference", "subject": "Ada", "slot": "new wish", "text": "Ada no longer prefers reports as CSV", "line": 13,
		"quote": "I no longer prefer reports as CSV", "until": "", "replaces": 0, "done": false}, "not told": nil} {
		later := answer("Ada and others spoke of small matters on 4 March 2026.")
		if taking != nil {
			later = answer("On 4 March 2026 Ada no longer preferred reports as CSV.", taking)
		}
		m := newMinutes(t, []fakemodel.Rule{
			{Match: regexp.MustCompile("no longer prefer"), Say: later},
			{Say: answer("On 4 March 2026 Ada said that she prefers reports as CSV. The budget for the Fernbrook project was $4.2M.", fact("preference", "report format", "Ada prefers reports as CSV", 4))},
		})
		m.next()
		if got := m.rendered(); !strings.Contains(got, "- Ada prefers reports as CSV (") {
			t.Fatal(got)
		}
		for i := range 15 {
			text := fmt.Sprintf("Remark number %d is only small talk.", i)
			if i == 2 {
				text = "I no longer prefer reports as CSV."
			}
			m.say(fmt.Sprint("later ", i), text)
		}
		if due, err := m.store.ScheduleCompaction(t.Context(), m.session.ID, ""); err != nil || !due {
			t.Fatal("nothing to fold", err)
		}
		m.next()
		if got := m.rendered(); strings.Contains(got, "she prefers") || strings.Contains(got, "- Ada prefers") || !strings.Contains(got, "no longer prefer") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
