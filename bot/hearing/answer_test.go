package hearing

import (
	"testing"

	"threadkeeper/agent"
	"threadkeeper/memory"
)

func TestAnOpenQuestionTakesANumberAsWords(t *testing.T) {
	q := &memory.Question{Text: "How many copies?"}
	for text, want := range map[string]int{"1": agent.ChoiceNone, "2": agent.ChoiceNone, "176": agent.ChoiceNone, "just answer": agent.ChoiceJustAnswer} {
		if choice, ok := ReadAnswer(q, text); choice != want || !ok {
			t.Errorf("%q is %d, %v", text, choice, ok)
		}
	}
}

func TestReadAnswer(t *testing.T) {
	q := &memory.Question{Options: []memory.Option{{Label: "Q3-board.pdf (uploaded Tue)"}, {Label: "Q3-sales.xlsx"}, {Label: "Both reports"}}}
	for _, c := range []struct {
		text   string
		choice int
		ok     bool
	}{
		{"1", 0, true}, {"2.", 1, true}, {" #3 ", 2, true}, {"(2)", 1, true},
		{"4", ChoiceElse, true}, {"Something else", ChoiceElse, true}, {"etwas anderes!", ChoiceElse, true}, {"5", agent.ChoiceJustAnswer, true}, {"6", agent.ChoiceNone, true}, {"0", agent.ChoiceNone, true},
		{"just answer", agent.ChoiceJustAnswer, true}, {"Einfach antworten", agent.ChoiceJustAnswer, true},
		{"Q3-sales.xlsx", 1, true}, {"q3 sales", 1, true}, {"the board one", 0, true}, {"both", 2, true}, {"both reprots", 2, true}, {"not the board one", agent.ChoiceNone, true}, {"nicht den Board-Bericht", agent.ChoiceNone, true}, {"no", agent.ChoiceNone, true}, {"> Bob: have you seen Q3 sales?\n\nthe board one", 0, true},
		{"the one from last year", agent.ChoiceNone, true},
		{"the second one", 1, true}, {"the last one, please", 2, true}, {"1 and 3", agent.ChoiceNone, true}, {"cancel", agent.ChoiceNone, true},
		{"What is the weather in Oslo?", agent.ChoiceNone, false},
		{"write a poem about rain", agent.ChoiceNone, false},
		{"What do I have to do with reports?", agent.ChoiceNone, false},
		{"I need to find out who will leave", agent.ChoiceNone, false},
		{"Deploy FastAPI app", agent.ChoiceNone, false},
	} {
		choice, ok := ReadAnswer(q, c.text)
		if choice != c.choice || ok != c.ok {
			t.Errorf("%q: %d %v, want %d %v", c.text, choice, ok, c.choice, c.ok)
		}
	}
	q.Answer = memory.Awaited
	if choice, ok := ReadAnswer(q, "What about the one from May?"); choice != agent.ChoiceNone || !ok {
		t.Errorf("after \"Something else\": %d %v", choice, ok)
	}
}
