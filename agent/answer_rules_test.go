package agent

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory"
)

// ready is a turn up to the point where it is answered, whether or not its request is in doubt.
func (k *talk) ready(author, text string) *run {
	k.t.Helper()
	ctx := context.Background()
	m := k.say(author, text)
	person := k.person(author)
	audience, err := k.store.Audience(ctx, k.session.ID, person.ID)
	if err != nil {
		k.t.Fatal(err)
	}
	r := &run{Chain: k.chain, emit: func(Progress) {}, marker: "m",
		turn: Turn{Session: k.session, Audience: audience, Person: person, Messages: []*memory.Message{m}, Question: k.asked, Choice: ChoiceNone, Now: k.now}}
	r.Log = slog.New(slog.DiscardHandler)
	if err := r.load(ctx); err != nil {
		k.t.Fatal(err)
	}
	r.understand()
	if err := r.retrieve(ctx); err != nil {
		k.t.Fatal(err)
	}
	return r
}

// byRule is the answer without a model; set says what there is: d for a document, s for what was said,
// m for a model that is not asked, q for a question that is open.
func byRule(t *testing.T, set, text string) string {
	k := newTalk(t, "")
	if strings.Contains(set, "d") {
		k.document("warranty.txt", "The warranty lasts three years from the day of delivery. Claims are sent to the office in Lyon.\n\n"+
			"The crane lifts 40 tonnes. It was built by Harland in 1970.")
	}
	if strings.Contains(set, "s") {
		k.sayAll([2]string{"Ada", "The launch of the Kestrel is on 4 May."}, [2]string{"Bob", "We decided to paint the hall green."},
			[2]string{"Ada", "My dentist is Dr Gomez."}, [2]string{"bot", "The gate code is 4711."})
	}
	if strings.Contains(set, "m") {
		k.chain.Model = struct{ llms.Model }{}
	}
	if strings.Contains(set, "q") {
		m := k.say("Ada", "Write a letter")
		k.asked = &memory.Question{MessageID: m.ID, Text: "To whom?"}
	}
	text, cited, err := k.ready("Ada", text).answerByRule(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cited {
		text += fmt.Sprintf(" {%d p%d %s}", c.N, c.Page, c.Quote)
	}
	return text
}

// TestAnswersByRule pins what is answered without a model. {name} stands for one of the phrases.
func TestAnswersByRule(t *testing.T) {
	for _, c := range []struct{ set, text, want string }{
		{"ds", "Thanks a lot!", "{welcome}"},
		{"q", "Thanks a lot!", "{welcome}"},
		{"", "Hello", "{hello}"},
		{"sm", "Hello", "{hello}"},
		{"q", "Hello", "{noModel} {setUp}"},
		{"sqm", "Hello", "You said on 1 March 2026: “Write a letter”"},
		{"d", "", "{hello}"},
		{"dq", "", "{noModel} {setUp}"},
		{"d", "What is the next step?", "{noRecord}"},
		{"s", "What is the next step?", "{onRecord}\n- {lately} (1 March 2026): My dentist is Dr Gomez.\n- {lately} (1 March 2026): We decided to paint the hall green.\n- {lately} (1 March 2026): The launch of the Kestrel is on 4 May."},
		{"", "How long does the warranty last?", "{noModel} {setUp}"},
		{"d", "How long does the warranty last?", "{extract}\n\n> The warranty lasts three years from the day of delivery. [1] {1 p1 The warranty lasts three years from the day of delivery}"},
		{"s", "How long does the warranty last?", "{notSaid} {noModel} {setUp}"},
		{"dm", "How long does the warranty last?", "> The warranty lasts three years from the day of delivery. [1] {1 p1 The warranty lasts three years from the day of delivery}"},
		{"sm", "How long does the warranty last?", "{notSaid}"},
		{"q", "How long does the warranty last?", "{noModel} {setUp}"},
		{"sqm", "How long does the warranty last?", "You said on 1 March 2026: “Write a letter”"},
		{"", "What does the report say about the crane?", "{noModel} {setUp}"},
		{"ds", "What does the report say about the crane?", "{extract}\n\n> The crane lifts 40 tonnes. [1] {1 p1 The crane lifts 40 tonnes}"},
		{"dm", "What does the report say about the crane?", "> The crane lifts 40 tonnes. [1] {1 p1 The crane lifts 40 tonnes}"},
		{"dq", "What does the report say about the crane?", "You said on 1 March 2026: “Write a letter”"},
		{"d", "Summarise the document", "{extract}\n\nKey sentences of **warranty.txt** (1 page), in its order:\n- The warranty lasts three years from the day of delivery. [1] {1 p1 The warranty lasts three years from the day of delivery}"},
		{"s", "Summarise the document", "{noModel} {setUp}"},
		{"m", "Summarise the document", "{notSaid}"},
		{"dq", "Summarise the document", "{extract}\n\nKey sentences of **warranty.txt** (1 page), in its order:\n- The warranty lasts three years from the day of delivery. [1] {1 p1 The warranty lasts three years from the day of delivery}"},
		{"ds", "Remember that Bob is away", "{noted}"},
		{"m", "Remember that Bob is away", "{noted}"},
		{"q", "Remember that Bob is away", "{noModel} {setUp}"},
		{"", "Explain the warranty", "{cannotWrite} {setUp}"},
		{"d", "Explain the warranty", "{cannotWrite} {setUp}"},
		{"dm", "Explain the warranty", "{noted}"},
		{"s", "Describe the launch of the Kestrel", "{cannotWrite} {found}\n\nYou said on 1 March 2026: “The launch of the Kestrel is on 4 May.”"},
		{"s", "Draft a poem about rain", "{cannotWrite} {setUp}"},
		{"m", "Draft a poem about rain", "{notSaid}"},
		{"dm", "Draft a poem about rain", "{notInDocs}"},
		{"q", "Draft a poem about rain", "{noModel} {setUp}"},
		{"", "When is the launch of the Kestrel?", "{noModel} {setUp}"},
		{"d", "When is the launch of the Kestrel?", "{notInDocs} {beyond}"},
		{"ds", "When is the launch of the Kestrel?", "You said on 1 March 2026: “The launch of the Kestrel is on 4 May.”"},
		{"m", "When is the launch of the Kestrel?", "{notSaid}"},
		{"dm", "When is the launch of the Kestrel?", "{notInDocs}"},
		{"dsq", "When is the launch of the Kestrel?", "{noModel} {setUp}"},
		{"s", "What did we decide about the hall?", "Bob said on 1 March 2026: “We decided to paint the hall green.”"},
		{"dm", "What did we decide about the hall?", "{notSaid}"},
		{"sm", "What did we decide about the hall?", "Bob said on 1 March 2026: “We decided to paint the hall green.”"},
		{"ds", "What did Bob say about penguins?", "{notSaid}"},
		{"sqm", "What did Bob say about penguins?", "{notSaid}"},
		{"ds", "Who is my dentist?", "You said on 1 March 2026: “My dentist is Dr Gomez.”"},
		{"sm", "Who is my dentist?", "You said on 1 March 2026: “My dentist is Dr Gomez.”"},
		{"s", "What is the capital of Peru?", "{notSaid} {noModel} {setUp}"},
		{"ds", "What is the capital of Peru?", "{notInDocs} {beyond}"},
		{"q", "What is the capital of Peru?", "{noModel} {setUp}"},
		{"", "Build a website for my shop", "{noModel} {setUp}"},
		{"ds", "Build a website for my shop", "{notInDocs} {beyond}"},
		{"sm", "Build a website for my shop", "{notSaid}"},
		{"dsm", "Build a website for my shop", "{notInDocs}"},
		{"d", "I want to plan a journey to Rome", "{notInDocs} {beyond}"},
		{"s", "I want to plan a journey to Rome", "{noModel} {setUp}"},
		{"m", "I want to plan a journey to Rome", "{notSaid}"},
		{"ds", "The kitchen is full today.", "{noted}"},
		{"sqm", "The kitchen is full today.", "{notSaid}"},
		{"dsq", "The kitchen is full today.", "{noModel} {setUp}"},
		{"s", "What did you say about the gate?", "I said on 1 March 2026: “The gate code is 4711.”"},
		{"m", "What did you say about the gate?", "{notSaid}"},
		{"d", "Wie lange gilt die Garantie?", "{notInDocs} {foreign} {beyond}"},
		{"s", "Wie lange gilt die Garantie?", "{notSaid} {noModel} {setUp}"},
		{"dm", "Wie lange gilt die Garantie?", "{notInDocs}"},
	} {
		p := speak(c.text)
		want := strings.NewReplacer("{hello}", p.hello, "{welcome}", p.welcome, "{noted}", p.noted, "{extract}", p.extract, "{notSaid}", p.notSaid,
			"{noModel}", p.noModel, "{setUp}", p.setUp, "{cannotWrite}", p.cannotWrite, "{found}", p.found, "{noRecord}", p.noRecord,
			"{onRecord}", p.onRecord, "{lately}", p.lately, "{beyond}", p.beyond, "{foreign}", p.foreign,
			"{notInDocs}", fmt.Sprintf(p.notInDocs, "warranty.txt"), "{closest}", fmt.Sprintf(p.closest, "warranty.txt")).Replace(c.want)
		if got := byRule(t, c.set, c.text); got != want {
			t.Errorf("%q with %q: %q, want %q", c.text, c.set, got, want)
		}
	}
}
