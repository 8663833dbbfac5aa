package agent

import (
	"slices"
	"strings"
	"testing"

	"threadkeeper/memory"
)

// read is a turn that has loaded what was said, before anything is looked for.
func (k *talk) read(author, text string) *run {
	k.t.Helper()
	m := k.say(author, text)
	person := k.person(author)
	audience, err := k.store.Audience(k.t.Context(), k.session.ID, person.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	r := &run{Chain: k.chain, emit: func(Progress) {}, marker: "m",
		turn: Turn{Session: k.session, Audience: audience, Person: person, Messages: []*memory.Message{m}, Choice: ChoiceNone, Now: k.now}}
	if err := r.load(k.t.Context()); err != nil {
		k.t.Fatal(err)
	}
	return r
}

func TestHintsNameWhatWasFound(t *testing.T) {
	for _, c := range []struct {
		said, request string
		documents     []string
		want          []string
	}{
		{"We have a lathe and a press.", "How much is it?", nil, []string{`"it" may be lathe or press`}},
		{"We bought the lathe and the press.", "How old are they?", nil, []string{`"they" may be lathe or press`}},
		{"Project Alder and Project Birch are late.", "When does it end?", nil, []string{`"it" may be Project Alder or Project Birch`}},
		{"Project Alder and Project Birch are late.", "Is it raining?", nil, nil},
		{"Write a Go function that reverses a string, safe for Unicode.", "It should keep accents.", nil, nil},
		{"We picked Halden for the sensors, 240 units at 31 EUR each.", "How much is it in all?", nil, nil},
		{"Good morning.", "Summarise the report", []string{"q3.pdf", "q4.pdf"}, []string{`"the report" may be q4.pdf or q3.pdf`}},
		{"Good morning.", "Summarise the report", []string{"q3.pdf"}, nil},
		{"Good morning.", "Write the cover letter", []string{"q3.pdf", "q4.pdf"}, nil},
		{"Good morning.", "Shorten the cover page of the lease", []string{"q3.pdf", "q4.pdf"}, nil},
		{"Good morning.", "Summarise the reports", []string{"q3.pdf", "q4.pdf"}, nil},
		{"Good morning.", "What is in q3.pdf, the report?", []string{"q3.pdf", "q4.pdf"}, nil},
		{"Good morning.", "What is a lathe?", nil, nil},
	} {
		k := newTalk(t, "")
		for _, d := range c.documents {
			k.document(d, "Revenue grew.")
		}
		k.say("Ada", c.said)
		if got := k.read("Ada", c.request).hints(); !slices.Equal(got, c.want) {
			t.Errorf("%q after %q: %q, want %q", c.request, c.said, got, c.want)
		}
	}
}

func TestAFollowUpIsSearchedWithTheQuestionBefore(t *testing.T) {
	k := newTalk(t, "")
	k.say("Ada", "What does the train to Porto cost?")
	k.say("bot", "It costs 30 euros.")
	for _, c := range [][2]string{
		{"Who wrote the report on turbines?", "Who wrote the report on turbines?"},
		{"What about the hotel?", "What about the hotel?\nWho wrote the report on turbines?"},
	} {
		r := k.read("Ada", c[0])
		if got := r.searchText(); got != c[1] || r.request != c[0] {
			t.Errorf("%q is searched as %q, and became %q", c[0], got, r.request)
		}
	}
}

// TestTheModelIsTold what rules make of a request: that it is clear, or what a word of it may stand for.
func TestTheModelIsTold(t *testing.T) {
	k := newTalk(t, otherwise)
	k.turn("Ada", "How many tonnes does the crane in the photos lift?", ChoiceNone)
	if p := k.lastRequest().User(); !strings.Contains(p, "\nhint: clear\n") {
		t.Error(p)
	}
	k.say("Ada", "We bought the lathe and the press.")
	k.turn("Ada", "How old is it?", ChoiceNone)
	if p := k.lastRequest().User(); !strings.Contains(p, "\nhint: \"it\" may be lathe or press\n") || strings.Contains(p, "hint: clear") {
		t.Error(p)
	}
}
