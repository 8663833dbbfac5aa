package discord

import (
	"encoding/json"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// buttons are the actions of a message's rows, those of a menu in parentheses.
func buttons(t *testing.T, m message) [][]string {
	t.Helper()
	b, err := json.Marshal(m.Components)
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Components []struct {
			ID      string `json:"custom_id"`
			Label   string
			Options []struct{ Value, Label string }
		}
	}
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	var all [][]string
	for _, r := range rows {
		var row []string
		for _, c := range r.Components {
			if len(c.ID) > maxCustomID || seen[c.ID] || kit.Length(c.Label) > maxLabel {
				t.Errorf("custom id %q, label %q", c.ID, c.Label)
			}
			seen[c.ID] = true
			action, k := readCustomID(c.ID)
			if k.nonce != m.Nonce && !strings.HasPrefix(m.Nonce, k.nonce+"-") {
				t.Errorf("marked with %q, not %q", k.nonce, m.Nonce)
			}
			row = append(row, action)
			for _, o := range c.Options {
				action, _ := readCustomID(o.Value)
				row = append(row, "("+action+")")
			}
		}
		all = append(all, row)
	}
	return all
}

func asked(labels ...string) platform.Outgoing {
	q := &platform.Question{Text: "Which one?"}
	for i, l := range append(labels, "Something else", "Just answer") {
		q.Options = append(q.Options, platform.Button{Label: l, Action: "q:t:" + itoa(uint64(i))})
	}
	return platform.Outgoing{Nonce: "tk0123456789abcdef0123", Kind: platform.KindReply, Text: q.Text, Question: q}
}

func TestQuestionsAreButtonsOrAMenu(t *testing.T) {
	long := strings.Repeat("long ", 30)
	for name, c := range map[string]struct {
		m    platform.Outgoing
		want string
	}{
		"short labels share a row":   {asked("Red", "Blue"), "q:t:0 q:t:1 q:t:2 q:t:3"},
		"long labels are stacked":    {asked("The colour of the wall", "The colour of the roof", "Both"), "q:t:0 | q:t:1 | q:t:2 | q:t:3 q:t:4"},
		"above five there is a menu": {asked("a", "b", "c", "d"), "menu (q:t:0) (q:t:1) (q:t:2) (q:t:3) | q:t:4 q:t:5"},
	} {
		t.Run(name, func(t *testing.T) {
			all := render(c.m, mark{})
			var rows []string
			for _, r := range buttons(t, all[0]) {
				rows = append(rows, strings.Join(r, " "))
			}
			if got := strings.Join(rows, " | "); got != c.want || all[0].Content != "Which one?" {
				t.Errorf("%q, %s", all[0].Content, got)
			}
		})
	}
	if text := render(asked(long, "b"), mark{})[0].Content; !strings.Contains(text, "1. "+strings.TrimSpace(long)) {
		t.Errorf("a label that is cut is not written out: %q", text)
	}
	many := make([]string, 40)
	for i := range many {
		many[i] = "option " + itoa(uint64(i))
	}
	if rows := buttons(t, render(asked(many...), mark{})[0]); len(rows[0]) != 1+maxMenu || len(rows) != 2 {
		t.Errorf("%d choices", len(rows[0])-1)
	}
}

func TestNoPostHasTooManyButtons(t *testing.T) {
	m := reply("x")
	m.Feedback = true
	m.Buttons = []platform.Button{{Label: "Retry", Action: "retry"}, {Label: "Again", Action: "retry"}, {Label: "Long", Action: strings.Repeat("x", 100)}, {Label: "Nothing"}}
	for i := range 60 {
		m.Citations = append(m.Citations, memory.Citation{N: i + 1, Document: "a.pdf", Page: i + 1})
	}
	all := render(m, mark{thread: "12345678901234567890"})
	rows := buttons(t, all[len(all)-1])
	if len(rows) != maxRows || strings.Join(rows[4], " ") != "retry fb:tk0123456789abcdef0123:helpful fb:tk0123456789abcdef0123:unhelpful" {
		t.Errorf("rows %v", rows)
	}
}
