package agent

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/tmc/langchaingo/llms"
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
		w := &toolUse{run: r, rounds: 1, room: resultRoom}
		out, err := w.runCall(t.Context(), 0, &llms.FunctionCall{Name: c.name, Arguments: `{"query": "crane"}`})
		if err != nil || out.quality != c.want {
			t.Errorf("%s, others read along %v: %+v, %v", c.name, c.outsiders, out, err)
		}
	}
	if ran {
		t.Error("a tool ran that nobody allowed")
	}
}
