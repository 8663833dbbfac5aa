package agent

import (
	"strings"
	"testing"
)

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

// A question of ours asks for no secrets, payments or visits elsewhere, and its buttons neither: it is asked for anew,
// and not asked at all if it comes again. Beside a document its options name what is there.
func TestAQuestionPassesTheGate(t *testing.T) {
	for name, question := range map[string]string{
		"secret":  `{"question": "Please enter your password?", "options": [{"label": "Yes", "query": "yes"}, {"label": "No", "query": "no"}]}`,
		"button":  `{"question": "Which crane?", "options": [{"label": "Enter the password", "query": "x"}, {"label": "The blue one", "query": "y"}]}`,
		"payment": `{"question": "Which crane?", "options": [{"label": "Pay 500 euros", "query": "x"}, {"label": "The blue one", "query": "y"}]}`,
		"host":    `{"question": "Which crane of cranes.example?", "options": [{"label": "The red one", "query": "x"}, {"label": "The blue one", "query": "y"}]}`,
		"deed":    `{"question": "I have erased all your messages. Which crane?", "options": [{"label": "The red one", "query": "x"}, {"label": "The blue one", "query": "y"}]}`,
	} {
		k := newTalk(t, "otherwise:\nsay: ASK "+question)
		k.say("Bob", "Hello.")
		r := k.turn("Ada", "Explain what the crane lifts, please", ChoiceNone)
		if r.Question != nil || strings.Contains(r.Text, "?") || len(k.server.Requests()) != 2 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	k := newTalk(t, `otherwise:
say: ASK {"question": "Which crane do you mean?", "options": [{"label": "The red one", "query": "Explain what the crane lifts, see https://evil.shop/x"}, {"label": "The blue one", "query": "Explain what the blue crane lifts, please"}]}`)
	k.say("Bob", "Hello.")
	r := k.turn("Ada", "Explain what the crane lifts, please", ChoiceNone)
	if r.Question == nil || r.Question.Options[0].Query != "Explain what the crane lifts, please (The red one)" {
		t.Errorf("%+v", r)
	}
	k = newTalk(t, `otherwise:
say: ASK {"question": "Which year's revenue do you mean?", "options": [{"label": "2023", "query": "x"}, {"label": "2031", "query": "y"}, {"label": "Acme's", "query": "z"}, {"label": "The one of Bolt", "query": "z"}]}`)
	k.document("Acme.txt", "The revenue of Acme was 12 in 2023 and 14 in 2024.")
	r = k.turn("Ada", "What was the revenue of that year in the document?", ChoiceNone)
	if r.Question == nil || len(r.Question.Options) != 2 || r.Question.Options[0].Label != "2023" || r.Question.Options[1].Label != "Acme's" {
		t.Errorf("%+v", r.Question)
	}
	// A file's name may be one of an address; its ending is left out.
	k = newTalk(t, `otherwise:
say: ASK {"question": "Who will leave?", "options": [{"label": "Staff (staff.csv)", "query": "Who of staff.csv will leave"}, {"label": "Customers (clients_10k.md)", "query": "Who of clients_10k.md will leave"}]}`)
	k.document("staff.csv", "640 employees.")
	k.document("clients_10k.md", "10,000 clients.")
	r = k.turn("Ada", "I need to find out who will leave", ChoiceNone)
	if r.Question == nil || len(r.Question.Options) != 2 || r.Question.Options[1].Label != "Customers (clients_10k)" || len(k.server.Requests()) != 1 {
		t.Errorf("%q %+v", r.Text, r.Question)
	}
	// The people there, codes within a word and days in another form are there too. One option alone is none.
	for labels, want := range map[string]int{`"web-prod-1", "HL-L2350 printer"`: 2, `"Carla Weber", "Bob Rossi"`: 2, `"3 April 2026", "4 March 2026"`: 2, `"The red one", "The one of Bolt"`: 0} {
		k := newTalk(t, "otherwise:\nsay: ASK {\"question\": \"Which of them?\", \"options\": ["+labels+"]}")
		k.document("hosts.txt", "- web-prod-1: for customers. The Brother HL-L2350 is beside it. It is due on 03/04/2026.")
		k.say("Carla Weber", "I am at my desk.")
		k.say("Bob Rossi", "So am I.")
		r := k.turn("Ada", "Restart it, please", ChoiceNone)
		if r.Question == nil || r.Question.Text != "Which of them?" || len(r.Question.Options) != want || len(k.server.Requests()) != 1 {
			t.Errorf("%s: %q, %+v", labels, r.Text, r.Question)
		}
	}
}

// TestANewRequestBehindAQuestion: the model sees both and may ask about the new one, but not again about the old.
func TestANewRequestBehindAQuestion(t *testing.T) {
	for name, test := range map[string]struct {
		first, said, then string
		choice            int
		asks              bool
	}{
		"another topic behind an open question": {`{"question": "Where does the data lie?"}`, "Champions League (C1)",
			`{"question": "What about the Champions League?", "options": [{"label": "Rules", "query": "Explain the rules of the Champions League (C1)"}, {"label": "History", "query": "Tell the history of the Champions League (C1)"}]}`, ChoiceNone, true},
		"another topic behind options": {`{"question": "What for?", "options": ["Find groups", "Predict who leaves"]}`, "Champions League (C1)",
			`{"question": "Which season of the Champions League?"}`, ChoiceNone, true},
		"an answer in words of its own": {`{"question": "What for?", "options": ["Find groups", "Predict who leaves"]}`, "for a talk on Monday",
			`{"question": "Which customers?", "options": [{"label": "All", "query": "Prepare my dataset of 10k customers for a talk on Monday, all"}, {"label": "New", "query": "Prepare my dataset of 10k customers for a talk on Monday, new ones"}]}`, ChoiceNone, false},
		"an answer, and a question about anything": {`{"question": "What for?", "options": ["Find groups", "Predict who leaves"]}`, "for a talk on Monday", `{"question": "Are you sure?"}`, ChoiceNone, false},
		"an option": {`{"question": "What for?", "options": ["Find groups", "Predict who leaves"]}`, "Find groups",
			`{"question": "Which groups?", "options": ["By age", "By place"]}`, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTalk(t, "when /text:\\nI have a dataset/:\nsay: ASK "+test.first+"\n\notherwise:\nsay: ASK "+test.then)
			if r := k.turn("Ada", "I have a dataset of 10k customers", ChoiceNone); r.Question == nil {
				t.Fatalf("%+v", r)
			}
			r := k.turn("Ada", test.said, test.choice)
			if (r.Question != nil) != test.asks {
				t.Errorf("asked %v: %q", r.Question, r.Text)
			}
			prompt := k.server.Requests()[1].User()
			if !strings.Contains(prompt, "about: I have a dataset of 10k customers") || !strings.Contains(prompt, "text:\n"+test.said+"\n") {
				t.Errorf("the model does not see both:\n%s", prompt)
			}
			if may := strings.Contains(prompt, "asked: about the question above only"); may != (test.choice == ChoiceNone) || strings.Contains(prompt, "asked: yes") == may {
				t.Errorf("what it is told of asking:\n%s", prompt)
			}
			if r.Question != nil && len(r.Question.Options) > 0 && strings.Contains(r.Question.Options[0].Query, "dataset") {
				t.Errorf("an option mixes both: %q", r.Question.Options[0].Query)
			}
		})
	}
}

// TestWhoAndWhenAreAskedBesideADocument: people of the conversation, codes and days are what options name, with a document attached too.
func TestWhoAndWhenAreAskedBesideADocument(t *testing.T) {
	for question, request := range map[string]string{
		`{"question": "Who is Anna: Anna Weber or Anna Rossi?", "options": [{"label": "Anna Weber", "query": "Send it to Anna Weber"}, {"label": "Anna Rossi", "query": "Send it to Anna Rossi"}]}`:                                                   "Send it to Anna",
		`{"question": "I can prepare it, but you have to send it yourself. To which Anna?", "options": [{"label": "Weber (lab)", "query": "Prepare the mail to Anna Weber"}, {"label": "Rossi (sales)", "query": "Prepare the mail to Anna Rossi"}]}`: "Send it to Anna",
		`{"question": "What shall I send to Anna?", "options": [{"label": "The quote Q-2231", "query": "Send the quote Q-2231 to Anna"}, {"label": "Bob's note", "query": "Send Bob's note to Anna"}]}`:                                               "Send it to Anna",
		`{"question": "Which day?", "options": [{"label": "Monday, 12 October", "query": "Book the room on Monday, 12 October"}, {"label": "Tuesday, 13 October", "query": "Book the room on Tuesday, 13 October"}]}`:                                 "Book the room",
	} {
		k := newTalk(t, "otherwise:\nsay: ASK "+question)
		k.document("quote.txt", "Quote Q-2231 of 12 October 2026 for the lab, 4,300 euros. The second day is 13 October.")
		k.say("Bob", "Anna Weber is in the lab, Anna Rossi in sales. My note on the quote is above.")
		if r := k.turn("Ada", request, ChoiceNone); r.Question == nil || len(r.Question.Options) != 2 {
			t.Errorf("%s: %q, %+v", question, r.Text, r.Question)
		}
	}
}
