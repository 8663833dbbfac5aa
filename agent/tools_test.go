package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory"
)

// TestAToolRunsOnlyForItsAudience: not for an audience that may not be told what it fetches, and not without a person's
// yes where it takes one.
func TestAToolRunsOnlyForItsAudience(t *testing.T) {
	k := newTalk(t, "")
	was := slices.Clone(tools)
	t.Cleanup(func() { tools = was })
	ran := false
	tools = append(tools, tool{name: "send", confirm: true, run: func(*toolUse, context.Context, json.RawMessage) (result, error) {
		ran = true
		return result{quality: resultOK}, nil
	}})
	for _, c := range []struct {
		name      string
		outsiders bool
		want      quality
	}{
		{"list_documents", false, resultEmpty}, {"list_documents", true, resultError}, {"search_messages", true, resultEmpty}, {"send", false, resultError},
	} {
		r := testRun(k, "What does the crane lift?")
		r.turn.Session, r.turn.Audience.Session, r.turn.Audience.NoDocuments = k.session, k.session.ID, c.outsiders
		w := &toolUse{run: r, rounds: 1, room: 2_500}
		out, err := w.runCall(t.Context(), 0, &llms.FunctionCall{Name: c.name, Arguments: `{"query": "crane"}`})
		if err != nil || out.quality != c.want {
			t.Errorf("%s, others read along %v: %+v, %v", c.name, c.outsiders, out, err)
		}
	}
	if ran {
		t.Error("a tool ran that nobody allowed")
	}
}

// TestWhatACallBrings: how good it is and what to try next, for one round; a quote that stands nowhere is not kept. Each round is
// rendered anew, without the calls and results of those before, and in the last the tools are listed and forbidden.
func TestWhatACallBrings(t *testing.T) {
	k := newTalk(t, `when /calls left: 3/:
say: search_documents {"queries": ["crane tonnes zeppelin"], "keep": [{"document": "d1", "page": 1, "quote": "The crane lifts 90 tonnes"}, {"document": "d1", "page": 2, "quote": "nobody lives in hall 2"}]}

when /calls left: 2/:
say: search_documents {"queries": ["zeppelin crane unicorn gryphon"]}

when /calls left: 1/:
say: read_pages {"document": "d1", "from": 20, "to": 30}

otherwise:
say: ANSWER
  Well.`)
	pages := make([]string, 40)
	for i := range pages {
		pages[i] = strings.Repeat(fmt.Sprintf("In hall %d somebody counts boxes, and nobody lives in hall %d. ", i+1, i+1), 30)
	}
	pages[30] = "The crane lifts 40 tonnes. " + pages[30]
	k.document("halls.txt", pages...)
	k.turn("Ada", "Is it warm in there?", ChoiceNone)
	all := k.server.Requests()
	if len(all) != 4 {
		t.Fatalf("%d requests", len(all))
	}
	for i, want := range []string{"", "]}): partial. In no document: zeppelin. Try other names", "]}): weak. In no document: ", "}): truncated. Cut before page "} {
		user := all[i].User()
		if !strings.Contains(user, want) || strings.Contains(user, "kind=\"results\"") != (i > 0) || strings.Count(user, "search_documents(")+strings.Count(user, "read_pages(") != min(i, 1) {
			t.Errorf("request %d: %s", i, user)
		}
		if len(all[i].Messages) != 2 || all[i].Messages[0].Role != "system" || all[i].Messages[1].Role != "user" {
			t.Errorf("request %d has %d messages", i, len(all[i].Messages))
		}
		if i > 0 && all[i].Cached < memory.Count(all[0].System()) { // a prompt begins with its tools
			t.Errorf("request %d begins otherwise than those before: %d tokens alike", i, all[i].Cached)
		}
		if len(all[i].Tools) != len(tools) || (all[i].ToolChoice == "none") != (i == 3) {
			t.Errorf("request %d: %d tools, choice %q", i, len(all[i].Tools), all[i].ToolChoice)
		}
		if strings.Contains(user, "90 tonnes\"]") || strings.Contains(user, "[d1 p2 \"nobody lives in hall 2\"]") != (i > 0) {
			t.Errorf("request %d keeps: %s", i, user)
		}
	}
}

// TestNothingIsSentTwice, not even by two calls of one reply.
func TestNothingIsSentTwice(t *testing.T) {
	k := newTalk(t, "")
	k.document("crane.txt", "The sea is grey.", "The crane lifts 40 tonnes.", "The press is blue.")
	r := k.read("Ada", "How strong is it?")
	w := &toolUse{run: r, rounds: 1, room: 2_500}
	for i, c := range []struct {
		name, arguments string
		want            quality
		lines           int
	}{
		{"search_documents", `{"queries": ["crane tonnes"]}`, resultOK, 1},
		{"read_pages", `{"document": "d1", "from": 2}`, resultRepeat, 0},
		{"read_pages", `{"document": "d1", "from": 2, "to": 3}`, resultOK, 1},
	} {
		out, err := w.runCall(t.Context(), i, &llms.FunctionCall{Name: c.name, Arguments: c.arguments})
		if err != nil || out.quality != c.want || len(out.lines) != c.lines {
			t.Errorf("%s %s: %+v, %v", c.name, c.arguments, out, err)
		}
	}
}
