package agent

import "testing"

// TestAModelThatInsistsOnAsking: told to answer and asking again, its question is said in words.
func TestAModelThatInsistsOnAsking(t *testing.T) {
	k := newTalk(t, `otherwise:
say: ASK {"question": "Which crane?", "options": [{"label": "The red one", "query": "What does the red crane lift?"}, {"label": "The blue one", "query": "What does the blue crane lift?"}]}`)
	if r := k.turn("Ada", "Explain what the crane lifts, please", ChoiceNone); r.Question == nil {
		t.Fatalf("%+v", r)
	}
	r := k.turn("Ada", "The red one", 0)
	if want := "Which crane?\n\n- The red one\n- The blue one"; r.Text != want || r.Question != nil || r.Err != nil || r.Partial {
		t.Errorf("%+v", r)
	}
	if n := len(k.server.Requests()); n != 3 {
		t.Errorf("%d requests: one that asks, one again and one to repair", n)
	}
}
