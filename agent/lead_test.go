package agent

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/memory"
)

// TestTheWordsReachTheModel: whatever rules think of a message, with a model it is sent as it was written, and the model's
// reply is what people read.
func TestTheWordsReachTheModel(t *testing.T) {
	messages := []string{
		"Can you make it shorter?", "thanks!", "hi", "What's the next step?", "Which of them keeps longer in the fridge?", "notice period",
		"Deploy FastAPI app", "Catch me up", "write a haiku", "42", "no", "Is it better?", "und auf Deutsch?", "how much did they spend?",
		"What about the hotel?", "compare both", "summarise this thread", "forget my shoe size", "Remember that Bob is away", "¿y el otro?", "もっと短く",
	}
	for _, documents := range []int{0, 1, 2} {
		k := newTalk(t, otherwise)
		for i := range documents {
			k.document(fmt.Sprintf("report%d.txt", i), "The crane lifts 40 tonnes. The press is blue.", "The CFO is Ann Blue. The CEO is Bob Red.")
		}
		k.say("Ada", "I'm Dana from Lyon, and I come on Tuesday with the lathe and the press.")
		for i, text := range messages {
			r := k.turn("Ada", text, ChoiceNone)
			if r.Ledger.ModelCalls != 1 || r.Question != nil || r.Text != "Fine." || r.Understanding.Method != "model" {
				t.Errorf("%d documents, %q: %+v", documents, text, r)
			}
			prompt := k.server.Requests()[i].User()
			if !strings.Contains(prompt, "\ntext:\n"+text+"\n</request") {
				t.Errorf("%q was changed in %s", text, prompt[strings.Index(prompt, "<request"):])
			}
			if documents > 0 && !strings.Contains(prompt, "[d1 p2, the whole page]\nThe CFO is Ann Blue.") {
				t.Errorf("%q: the documents are withheld", text)
			}
		}
	}
}

// TestEvidenceIsNeverWithheld: of a large library the fitting pages are shown, each document that is named has its share,
// and a search is left.
func TestEvidenceIsNeverWithheld(t *testing.T) {
	k := newTalk(t, otherwise)
	for _, company := range []string{"BESTBUY", "NETFLIX", "ACME", "3M", "ULTABEAUTY", "WALMART"} {
		pages := make([]string, 40)
		for i := range pages {
			pages[i] = strings.Repeat(fmt.Sprintf("Page %d of the annual report tells much about stores and people. ", i+1), 20)
		}
		pages[16] = company + " had total revenue of 1,234 in the year. " + pages[16]
		k.document(company+"_2017_10K.txt", pages...)
	}
	for question, wanted := range map[string][]string{
		"Compare the revenue of Best Buy and Netflix":      {"[d1 p17", "[d2 p17"},
		"What was the total revenue of 3M?":                {"[d4 p17"},
		"what was total revenue in the Ulta Beauty filing": {"[d5 p17"},
		"Please summarise":                                 {"[d", " p1]"},
		"Wie hoch war der Umsatz?":                         {"[d", "calls left: 3"},
	} {
		k.turn("Ada", question, ChoiceNone)
		prompt := k.lastRequest().User()
		for _, w := range append(wanted, "calls left: 3") {
			if !strings.Contains(prompt, w) {
				t.Errorf("%q: %s is missing in %d characters", question, w, len(prompt))
			}
		}
		if n := k.last.Ledger.DocumentTokens; n > pagesRoom+500 {
			t.Errorf("%q: %d tokens of documents", question, n)
		}
	}
}

// TestToolsSearchWhatWasSaid: in other threads too, by author and day, and nothing that the prompt shows already.
func TestToolsSearchWhatWasSaid(t *testing.T) {
	k := newTalk(t, `when /calls left: 3/:
say: search_messages {"query": "badge code", "author": "Bob", "from": "2026-03-01"}

when /search_messages\([\s\S]*: ok/:
say: ANSWER
  Found.

otherwise:
say: ANSWER
  Nothing.`)
	k.say("Bob", "The badge code of the depot is 7Q-114.")
	k.say("Eve", "My badge code is pinned to the wall.")
	for i := range 40 {
		k.say("Ada", fmt.Sprintf("The badge code is changed on day %d, and the depot is badly lit. Who tells the porter about the badge code?", i))
	}
	k.thread++
	if r := k.turn("Ada", "Good evening", ChoiceNone); r.Text != "Found." {
		t.Fatalf("%+v in %s", r, k.lastRequest().User())
	}
	results := k.lastRequest().User()
	results = results[strings.Index(results, `kind="results"`):]
	if !strings.Contains(results, "Bob] The badge code of the depot is 7Q-114.") || strings.Contains(results, "Eve]") || strings.Contains(results, "Ada]") {
		t.Error(results)
	}
}

// TestWhatIsNotShownCanBeFoundAgain: a result lives one round and a message cannot be kept, so a later search brings it again.
func TestWhatIsNotShownCanBeFoundAgain(t *testing.T) {
	k := newTalk(t, `when /calls left: 3/:
say: search_messages {"query": "badge code depot"}

when /calls left: 2/:
say: list_documents {}

when /calls left: 1/:
say: search_messages {"query": "code of the depot's badge"}

otherwise:
say: ANSWER
  Well.`)
	k.say("Bob", "The badge code of the depot is 7Q-114.")
	k.thread++
	k.turn("Ada", "Good evening", ChoiceNone)
	all := k.server.Requests()
	for i, want := range []bool{false, true, false, true} {
		if len(all) != 4 || strings.Contains(all[i].User(), "7Q-114") != want {
			t.Fatalf("request %d of %d: %s", i, len(all), all[min(i, len(all)-1)].User())
		}
	}
}

// TestToolsAreNotCalledForEver: a call that repeats brings nothing, and after three rounds the model has to reply.
func TestToolsAreNotCalledForEver(t *testing.T) {
	k := newTalk(t, "otherwise:\nsay: list_documents {}")
	k.document("a.txt", "The crane lifts 40 tonnes.")
	r := k.turn("Ada", "What does the crane lift?", ChoiceNone)
	requests := k.server.Requests()
	if len(requests) != searchRounds+2 || !strings.Contains(requests[2].User(), "list_documents({}): repeat") || !strings.Contains(requests[3].User(), "calls left: 0") {
		t.Errorf("%d requests", len(requests))
	}
	if !r.Partial || !strings.Contains(r.Text, "40 tonnes") {
		t.Errorf("%+v", r)
	}
	for _, bad := range []string{`search_documents {"queries": 7}`, `search_documents {}`, `read_pages {"document": "d9", "from": 1}`, `read_pages {"document": "d1", "from": 99}`,
		`search_documents {"queries": ["x y z"], "documents": ["d7"]}`, `search_messages {"query": "x", "from": "yesterday"}`, `search_messages {}`, `read_pages {`} {
		k := newTalk(t, "when /calls left: 3/:\nsay: "+bad+"\n\nwhen /: (error|empty|repeat)/:\nsay: ANSWER\n  Well.")
		k.document("a.txt", "The crane lifts 40 tonnes.")
		if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Text != "Well." {
			t.Errorf("%s: %+v", bad, r)
		}
	}
}

// TestOverheardLines: only a reply that begins with SPEAK is posted.
func TestOverheardLines(t *testing.T) {
	for reply, want := range map[string]string{
		"SILENT": "", "ANSWER\n  Fine.": "", "Fine.": "", "SPEAK\n  The code is 4711.": "The code is 4711.", "NOTFOUND": "",
		`ASK {"question": "Which?", "options": [{"label": "A", "query": "a"}, {"label": "B", "query": "b"}]}`: "",
	} {
		k := newTalk(t, "otherwise:\nsay: "+reply)
		k.overheard = true
		r := k.turn("Ada", "Somebody should look at the code.", ChoiceNone)
		if r.Text != want || r.Silent != (want == "") || r.Question != nil {
			t.Errorf("%s: %+v", reply, r)
		}
		if !strings.Contains(k.lastRequest().User(), "addressed: maybe") {
			t.Error("the model is not told")
		}
	}
	k := newTalk(t, "otherwise:\nsay: x\nfault: 500")
	k.overheard = true
	if r := k.turn("Ada", "Somebody should look at the code.", ChoiceNone); !r.Silent || r.Text != "" {
		t.Errorf("%+v", r)
	}
	k = newTalk(t, "")
	k.overheard = true
	if r := k.turn("Ada", "What is the code?", ChoiceNone); !r.Silent || r.Text != "" {
		t.Errorf("without a model: %+v", r)
	}
}

// TestADecisionToSpeakCostsLittle: beside the conversation an overheard line is read with little, and what an answer needs is
// looked up.
func TestADecisionToSpeakCostsLittle(t *testing.T) {
	k := newTalk(t, `when /calls left: 3/:
say: search_documents {"queries": ["crane tonnes"]}

otherwise:
say: SPEAK
  The crane lifts 40 tonnes [d1 p7 "The crane lifts 40 tonnes"].`)
	var pages []string
	for n := range 40 {
		pages = append(pages, strings.Repeat(fmt.Sprintf("The crane of hall %d is inspected by the guild. ", n), 15))
	}
	pages[6] = "The crane lifts 40 tonnes. " + pages[6]
	for n := range 30 {
		k.say("Ben", fmt.Sprintf("The crane stood still for %d hours, and nobody could say what it lifts or who inspects it.", n))
	}
	k.thread++
	k.say("Ben", "Here is the manual of the crane.")
	k.document("crane.txt", pages...)
	k.overheard = true
	r := k.turn("Ada", "What does the manual say the crane lifts?", ChoiceNone)
	if r.Silent || !strings.Contains(r.Text, "40 tonnes [1]") || len(r.Citations) != 1 {
		t.Errorf("%+v", r)
	}
	if first := k.server.Requests()[0].User(); memory.Count(first) > 800 {
		t.Errorf("the decision costs %d tokens:\n%s", memory.Count(first), first)
	}
}

// TestTheNextPromptBeginsAlike: of a prompt only the end is new, so that a provider need not read the rest again.
func TestTheNextPromptBeginsAlike(t *testing.T) {
	k := newTalk(t, otherwise)
	k.step(0, "fill 40")
	k.step(0, "paste 200")
	before := ""
	for i := range 12 {
		k.turn("Ada", fmt.Sprintf("Explain step %d of the plan to me", i), ChoiceNone)
		r := k.lastRequest()
		prompt := r.Messages[0].Text + r.Messages[1].Text
		prompt = prompt[:strings.LastIndex(prompt, "</data")]
		if !strings.HasPrefix(prompt, before) {
			t.Fatalf("turn %d begins otherwise", i)
		}
		before = prompt
	}
}

// TestOldLinesGoTenAtATime: where the window is too small for the history.
func TestOldLinesGoTenAtATime(t *testing.T) {
	k := newTalk(t, otherwise)
	k.chain.Budget.Window = 8_192
	k.step(0, "fill 300")
	changed := 0
	before := ""
	for i := range 12 {
		k.turn("Ada", fmt.Sprintf("Explain step %d of the plan to me", i), ChoiceNone)
		lines := k.lastRequest().Messages[1].Text
		first := strings.SplitN(lines, "\n", 4)[2]
		if !strings.Contains(first, "0 earlier messages are left out") {
			t.Fatalf("%q", first)
		}
		if before != "" && first != before {
			changed++
		}
		before = first
	}
	if changed > 4 {
		t.Errorf("the beginning changed %d times in 12 turns", changed)
	}
}

// TestNoFirstLine: a reply without a verb is an answer, unless it turns out to be the preface of a call.
func TestNoFirstLine(t *testing.T) {
	for reply, want := range map[string]string{
		"It lifts 40 tonnes.":         "It lifts 40 tonnes.",
		"NOTFOUND\n  It is not told.": "It is not told.",
	} {
		k := newTalk(t, "otherwise:\nsay: "+reply)
		if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Text != want {
			t.Errorf("%q: %q", reply, r.Text)
		}
	}
	k := newTalk(t, "")
	k.serve(fakemodel.Options{Default: func(r fakemodel.Request) string {
		if strings.Contains(r.User(), "calls left: 3") {
			return "I shall look.\n\nsearch_messages {\"query\": \"crane\"}"
		}
		return "ANSWER\nForty."
	}})
	if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Text != "Forty." {
		t.Errorf("%+v", r)
	}
}

// TestWordsBesideACall: what a model says before it calls a tool is not its answer.
func TestWordsBesideACall(t *testing.T) {
	for _, said := range []string{"I'll look that up.", "ANSWER\n  Let me look that up in what was said."} {
		k := newTalk(t, `when /calls left: 3/:
say: `+said+`
call: search_messages {"query": "crane"}

otherwise:
say: ANSWER
  It lifts forty tonnes.`)
		k.say("Bob", "The crane lifts forty tonnes.")
		if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Text != "It lifts forty tonnes." || len(k.server.Requests()) != 2 {
			t.Errorf("%q: %q in %d requests", said, r.Text, len(k.server.Requests()))
		}
	}
	// Where it has been read already, the answer goes on from it.
	k := newTalk(t, `when /calls left: 3/:
say: ANSWER
  There are two cranes. I look up what they lift.
call: search_messages {"query": "crane"}

when /which people have read, as data/:
say: ANSWER
  The red one lifts forty tonnes.

otherwise:
say: ANSWER
  Nobody has read anything.`)
	r := k.turn("Ada", "What does the crane lift?", ChoiceNone)
	if len(k.server.Requests()) != 2 || r.Text != "There are two cranes. I look up what they lift.\n\nThe red one lifts forty tonnes." {
		t.Errorf("%q in %d requests", r.Text, len(k.server.Requests()))
	}
}

// TestACallBelowAnAnswer: a line of an answer that calls a tool, or asks, is none of the answer.
func TestACallBelowAnAnswer(t *testing.T) {
	k := newTalk(t, `when /calls left: 3/:
say: ANSWER
  search_messages {"query": "crane"}

otherwise:
say: ANSWER
  Forty tonnes.`)
	if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Text != "Forty tonnes." {
		t.Errorf("%q", r.Text)
	}
	k = newTalk(t, `otherwise:
say: ANSWER
  Both cranes are on site.
  ASK {"question": "Which crane do you mean?", "options": [{"label": "The red one", "query": "What does the red crane lift?"}, {"label": "The blue one", "query": "What does the blue crane lift?"}]}`)
	if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Question == nil || strings.Contains(r.Text, "{") {
		t.Errorf("%q %+v", r.Text, r.Question)
	}
}

// TestAnEmptyReplyIsAskedForOnceMore before a search answers in its place.
func TestAnEmptyReplyIsAskedForOnceMore(t *testing.T) {
	k := newTalk(t, "")
	k.serve(fakemodel.Options{Default: func(r fakemodel.Request) string {
		if strings.Contains(r.User(), noText) {
			return "ANSWER\nForty tonnes."
		}
		return ""
	}})
	if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Text != "Forty tonnes." || r.Err != nil {
		t.Errorf("%q %v", r.Text, r.Err)
	}
}

// TestAPromptThatIsRefusedIsLaidOutAgain for the window that the refusal names.
func TestAPromptThatIsRefusedIsLaidOutAgain(t *testing.T) {
	k := newTalk(t, `when /Report/ times=1:
fault: 400 body={"error": {"message": "This model's maximum context length is 4200 tokens. However, your messages resulted in 9000 tokens.", "type": "invalid_request_error", "code": "context_length_exceeded"}}

otherwise:
say: ANSWER
  Twelve tonnes.`)
	k.chain.Budget.Window = 0 // what the model tells
	k.document("Report.txt", strings.Repeat("The crane lifts forty tonnes, and the hoist lifts twelve of them. ", 400))
	r := k.turn("Ada", "How many tonnes does the hoist lift?", ChoiceNone)
	asked := k.server.Requests()
	if !strings.HasPrefix(r.Text, "Twelve tonnes.") || r.Err != nil || len(asked) != 2 || len(asked[1].Prompt()) >= len(asked[0].Prompt()) {
		t.Errorf("%q %v in %d requests", r.Text, r.Err, len(asked))
	}
}

// TestNotFoundIsEntered in the ledger, whether the model says it by its first line or in words, or a search does.
func TestNotFoundIsEntered(t *testing.T) {
	for reply, want := range map[string]bool{
		"ANSWER\n  It lifts 40 tonnes.":                        false,
		"NOTFOUND\n  Somebody may know.":                       true,
		"ANSWER\n  Nothing in our history says what it lifts.": true,
	} {
		k := newTalk(t, "otherwise:\nsay: "+reply)
		if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Ledger.NotFound != want {
			t.Errorf("%q: %q %v", reply, r.Text, r.Ledger.NotFound)
		}
	}
	k := newTalk(t, otherwise)
	k.chain.Model = nil
	if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); !r.Ledger.NotFound {
		t.Errorf("without a model: %q", r.Text)
	}
	k.say("Ben", "The crane lifts 40 tonnes.")
	if r := k.turn("Ada", "What does the crane lift?", ChoiceNone); r.Ledger.NotFound {
		t.Errorf("without a model: %q", r.Text)
	}
}

// lastRequest is what the model was sent last.
func (k *talk) lastRequest() fakemodel.Request {
	all := k.server.Requests()
	return all[len(all)-1]
}
