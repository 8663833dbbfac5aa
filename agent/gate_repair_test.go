package agent

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/memory"
)

// income is a document of one table and some words.
var income = []string{"NORTHWIND\nCONSOLIDATED STATEMENTS OF OPERATIONS\n(in thousands)\n2015 2014\nRevenues $ 6,779,511 $ 5,504,656\nOperating income 305,826 402,648\nNet income $ 122,641 $ 266,799\n" +
	"The auditors are Baker Lindholm. We do not pay dividends."}

const (
	revenues = `Revenues were $6.78 billion in 2015 [d1 p1 "Revenues $ 6,779,511 $ 5,504,656"].`
	lastYear = `Net income was $266.8 million in 2015 [d1 p1 "Net income $ 122,641 $ 266,799"].`
	netRight = `Net income was $122.6 million in 2015 [d1 p1 "Net income $ 122,641 $ 266,799"].`
	auditors = `The auditors are Baker Lindholm [d1 p1 "The auditors are Baker Lindholm"].`
)

// A reply with a contradicted block is put right in one more call, which is told what is wrong and what people have read.
func TestAReplyIsPutRight(t *testing.T) {
	first := "otherwise:\nsay: ANSWER\n  " + revenues + "\n  \n  " + lastYear + "\n  \n  " + auditors + "\n"
	const left = "\n\n1 statement was left out: page 1 says “Net income: 122,641 (2015), in thousands”."
	for name, c := range map[string]struct {
		second, want string
		calls        int
	}{
		"put right":    {"say: ANSWER\n  " + netRight + "\n  \n  " + auditors, "Revenues were $6.78 billion in 2015 [1].\n\nNet income was $122.6 million in 2015 [2].\n\nThe auditors are Baker Lindholm [3].", 2},
		"as wrong":     {"say: ANSWER\n  " + lastYear + "\n  \n  " + auditors, "Revenues were $6.78 billion in 2015 [1].\n\nThe auditors are Baker Lindholm [2]." + left, 2},
		"all again":    {"say: ANSWER\n  " + revenues + "\n  \n  " + netRight, "Revenues were $6.78 billion in 2015 [1].\n\nNet income was $122.6 million in 2015 [2].", 2},
		"model fails":  {"fault: 500", "Revenues were $6.78 billion in 2015 [1].\n\nThe auditors are Baker Lindholm [2]." + left, 2},
		"model mumble": {"say: SILENT", "Revenues were $6.78 billion in 2015 [1].\n\nThe auditors are Baker Lindholm [2]." + left, 2},
	} {
		t.Run(name, func(t *testing.T) {
			second := c.second
			if strings.HasPrefix(second, "fault") {
				second = "say: none\n" + second
			}
			k := newTalk(t, "when /The check stopped at the next block/:\n"+second+"\n\n"+first)
			k.document("Northwind 2015.txt", income...)
			r := k.turn("Ada", "What were revenues and net income in 2015, and who are the auditors?", ChoiceNone)
			if got := strings.TrimSpace(r.Text); got != c.want || r.Ledger.ModelCalls != c.calls || r.Err != nil {
				t.Errorf("%d calls, error %v:\n%s\nwant\n%s", r.Ledger.ModelCalls, r.Err, got, c.want)
			}
			if strings.TrimSpace(k.emitted) != strings.TrimSpace(r.Text) {
				t.Errorf("shown as it came:\n%s\nat last\n%s", k.emitted, r.Text)
			}
			if n := len(r.Checks.LeftOut); n != strings.Count(c.want, "left out") || r.Checks.Verified < 2 {
				t.Errorf("checks %+v", r.Checks)
			}
			p := k.lastRequest().Prompt()
			for _, part := range []string{"page 1 says: Net income: 122,641 (2015), in thousands", "Of it people have read this", "Do not repeat"} {
				if !strings.Contains(p, part) {
					t.Errorf("the second prompt lacks %q", part)
				}
			}
		})
	}
}

// A correction that first repeats the error, and then puts it right, has lost nothing: the line below the answer is for readers,
// who have the right statement; the record keeps what was left out.
func TestARepairedLossIsNotReported(t *testing.T) {
	k := newTalk(t, "when /The check stopped at the next block/:\nsay: ANSWER\n  "+lastYear+"\n  \n  In 2015, net income was $122.6 million "+
		`[d1 p1 "Net income $ 122,641 $ 266,799"].`+"\n\notherwise:\nsay: ANSWER\n  "+revenues+"\n  \n  "+lastYear+"\n")
	k.document("Northwind 2015.txt", income...)
	r := k.turn("Ada", "What were revenues and net income in 2015?", ChoiceNone)
	if want := "Revenues were $6.78 billion in 2015 [1].\n\nIn 2015, net income was $122.6 million [2]."; strings.TrimSpace(r.Text) != want || len(r.Checks.LeftOut) != 1 {
		t.Errorf("%s\nleft out: %v", r.Text, r.Checks.LeftOut)
	}
}

// The call that corrects a reply is shown the pages the contested claim is about, and may look up one thing more.
func TestARepairIsShort(t *testing.T) {
	pages := slices.Clone(income)
	for n := range 40 {
		pages = append(pages, fmt.Sprintf("Harbour %d\n", n)+strings.Repeat("Revenues and income of the year depend on the ships that the cranes of this harbour unload in winter. ", 8))
	}
	for name, c := range map[string]struct {
		second string
		calls  int
	}{
		"at once":        {"", 2},
		"after a search": {"when /The check stopped at the next block/ nth=1:\ncall: search_documents {\"queries\": [\"net income\"]}\n\n", 3},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTalk(t, c.second+"when /The check stopped at the next block/:\nsay: ANSWER\n  "+netRight+"\n\notherwise:\nsay: ANSWER\n  "+lastYear+"\n")
			k.document("Northwind 2015.txt", pages...)
			r := k.turn("Ada", "What was net income in 2015, and what do revenues depend on?", ChoiceNone)
			if want := "Net income was $122.6 million in 2015 [1]."; strings.TrimSpace(r.Text) != want || r.Ledger.ModelCalls != c.calls {
				t.Errorf("%d calls: %s", r.Ledger.ModelCalls, r.Text)
			}
			all := k.server.Requests()
			first, repair := all[0].Prompt(), all[1].Prompt()
			t.Logf("tokens: %d, then %d", memory.Count(first)-fixedTokens(), memory.Count(repair)-fixedTokens())
			if memory.Count(repair)-fixedTokens() > (memory.Count(first)-fixedTokens())*2/3 {
				t.Errorf("the repair has %d tokens, the first prompt %d", memory.Count(repair), memory.Count(first))
			}
			if !strings.Contains(repair, "Net income $ 122,641") || !strings.Contains(repair, "calls left: 1") {
				t.Error("the repair lacks the page that the claim cites, or a call")
			}
		})
	}
}

// The call that corrects an answer made from notes is shown the notes on what the contradicted and the following blocks are about, not
// what a search finds, and is not told to read all again.
func TestARepairKeepsTheNotes(t *testing.T) {
	k := newTalk(t, otherwise)
	wrong := func(text string) string { return strings.Replace(text, "R3 earned 102", "R3 earned 999", 1) }
	k.serve(fakemodel.Options{Count: memory.Count, Default: func(r fakemodel.Request) string {
		if strings.Contains(r.Messages[0].Text, "one part of one document") {
			return reader(r)
		}
		answer := "ANSWER"
		for _, page := range []int{3, 20, 60} {
			for _, m := range noted.FindAllStringSubmatch(r.User(), -1) {
				if m[1] == fmt.Sprint(page) {
					said := m[2]
					if !strings.Contains(r.User(), "The check stopped at the next block") {
						said = wrong(said)
					}
					answer += fmt.Sprintf("\n\n%s [d1 p%s \"%s\"]", said, m[1], m[2])
				}
			}
		}
		return answer
	}})
	k.chain.Budget.Usual = usualTurn / 4
	k.document("report.txt", reportPages(70)...)
	r := k.turn("Ada", "Summarise report.txt", ChoiceNone)
	all := k.server.Requests()
	first, repair := all[len(all)-2].User(), all[len(all)-1].User()
	t.Logf("tokens: %d, then %d", memory.Count(first), memory.Count(repair))
	for text, want := range map[string]bool{"[d1 p3]\nRegion R3 earned": true, "[d1 p20]\nRegion R20 earned": true, "[d1 p60]\nRegion R60 earned": true, "R21 earned": false, "read_whole reads all": false} {
		if strings.Contains(repair, text) != want {
			t.Errorf("%q: %v in %s", text, !want, repair)
		}
	}
	if strings.Contains(r.Text, "999") || !strings.Contains(r.Text, "R60 earned 159") {
		t.Error(r.Text)
	}
}

// In a file without pages the model is told the lines where it stands otherwise.
func TestAHintNamesThePlaceAsItsReaderDoes(t *testing.T) {
	k := newTalk(t, "when /The check stopped at the next block/:\nsay: ANSWER\n  "+netRight+"\n\n"+"otherwise:\nsay: ANSWER\n  "+lastYear)
	k.file("northwind.txt", "The year\n\n"+strings.Join(income, "\n"))
	k.turn("Ada", "What was net income in 2015?", ChoiceNone)
	if p := k.lastRequest().Prompt(); strings.Contains(p, "page 1 says") || !regexp.MustCompile(`lines? \d+(–\d+)? says: Net income`).MatchString(p) {
		t.Errorf("the hint has no line:\n%s", p)
	}
}

// What cites nothing beside documents is marked, so that the marks add up to the count below; what says that a document does not say a thing is not.
func TestUncheckedStatementsAreMarked(t *testing.T) {
	for reply, want := range map[string]string{
		auditors + " They have been in office for years.":                                                                                                     "The auditors are Baker Lindholm [1]. They have been in office for years. (unchecked)\n\n1 statement could not be checked against the document.",
		auditors + " They are a large firm. They sit in Oslo. " + auditors + "\n\n- " + auditors:                                                              "The auditors are Baker Lindholm [1]. They are a large firm. They sit in Oslo. (2 unchecked) The auditors are Baker Lindholm [1].\n\n- The auditors are Baker Lindholm [1].\n\n2 statements could not be checked against the document.",
		"| What | Amount |\n|---|---|\n| Net income | $122,641 thousand [d1 p1 \"Net income $ 122,641 266,799\"] |\n| Bonus of the board | $7,105 thousand |": "| What | Amount |\n|---|---|\n| Net income | $122,641 thousand [1] |\n| Bonus of the board | $7,105 thousand (unchecked) |\n\n1 statement could not be checked against the document.",
		auditors + " The report does not say since when.":                                                                                                     "The auditors are Baker Lindholm [1]. The report does not say since when.",
		`The auditors are Baker Lindholm [d1 p1 "A firm from Oslo looks at the books of the group every single year"].`:                                       "The auditors are Baker Lindholm. (unchecked)\n\n1 statement could not be checked against the document. Quotes that are not in it: 1.",
		"The auditors are Baker Lindholm.":                                                                                                                    "The auditors are Baker Lindholm. (unchecked)\n\n1 statement could not be checked against the document.",
		"- " + auditors + "\n- They meet in Oslo.\n- They are many.":                                                                                          "- The auditors are Baker Lindholm [1].\n- They meet in Oslo. (unchecked)\n- They are many. (unchecked)\n\n2 statements could not be checked against the document.",
	} {
		k := newTalk(t, "otherwise:\nsay: ANSWER\n  "+strings.ReplaceAll(reply, "\n", "\n  "))
		k.document("Northwind 2015.txt", income...)
		if r := k.turn("Ada", "Who are the auditors in the document?", ChoiceNone); strings.TrimSpace(r.Text) != want || r.Ledger.ModelCalls != 1 {
			t.Errorf("%q in %d calls, want %q", r.Text, r.Ledger.ModelCalls, want)
		}
	}
}

// A row that a correction words anew is no loss, and one whose figures it lacks is.
func TestACorrectionMakesGoodWhatItShows(t *testing.T) {
	g := testRun(newTalk(t, ""), "How many stores were opened?").newGate(context.Background())
	g.corrects, g.stands = true, []string{"| First | 10 | 0 | 1,318 |", "| Second | 7 | 0 | 1,325 |"}
	for text, want := range map[string]bool{"| 1st | 10 | 0 | 1,318 |": true, "| 1st | 10 | 0 | 1,319 |": false, "It closed 1,318": false} {
		if got := g.madeGood(text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// A draft is copied out, so it has no marks: the line below names what could not be checked.
func TestADraftHasNoMarks(t *testing.T) {
	k := newTalk(t, "otherwise:\nsay: ANSWER\n  Dear Jane,\n  "+auditors+" They sit in Oslo.\n  \n  Best,\n  [Your name]")
	k.document("Northwind 2015.txt", income...)
	r := k.turn("Ada", "Now with the auditors of the document", ChoiceNone)
	body, below, _ := strings.Cut(r.Text, "[Your name]")
	if strings.Contains(body, "(unchecked)") || !strings.Contains(below, "could not be checked against the document. “They sit in Oslo.”") {
		t.Errorf("%q", r.Text)
	}
	greeting := newTalk(t, "otherwise:\nsay: ANSWER\n  Hi Ada,\n  "+auditors+" They sit in Oslo.")
	greeting.document("Northwind 2015.txt", income...)
	if text := greeting.turn("Ada", "Who are the auditors in the document?", ChoiceNone).Text; !strings.Contains(text, "They sit in Oslo. (unchecked)") {
		t.Errorf("an answer that greets who asks is none: %q", text)
	}
	if left := withoutMarks(r.Text); strings.Contains(left, "could not") || strings.Contains(left, "“") {
		t.Errorf("%q", left)
	}
}

// A general question beside a document is answered, and so is one about the conversation.
func TestGeneralQuestionsBesideADocument(t *testing.T) {
	for request, reply := range map[string]string{
		"What is the capital of Norway?":               "The capital of Norway is Oslo.",
		"What did I say about the gate?":               "On 3 March Ada said that the gate opens at seven.",
		"How do I reverse a string in Python, please?": "Use a slice:\n```python\nprint('abc'[::-1])\n```",
	} {
		k := newTalk(t, "otherwise:\nsay: ANSWER\n  "+strings.ReplaceAll(reply, "\n", "\n  "))
		k.say("Ada", "On 3 March the gate opens at seven.")
		k.document("Northwind 2015.txt", income...)
		if r := k.turn("Ada", request, ChoiceNone); strings.TrimSpace(r.Text) != reply {
			t.Errorf("%s: %q", request, r.Text)
		}
	}
}

// The result stands before its evidence, and is shown with it.
func TestAResultWaitsForItsOperands(t *testing.T) {
	k := newTalk(t, `otherwise:
say: ANSWER
  The operating margin was 4.5% [= 305,826 / 6,779,511 * 100].
  
  - Operating income: $305.8 million [d1 p1 "Operating income 305,826 402,648"]
  - Revenues: $6.78 billion [d1 p1 "Revenues $ 6,779,511"]`)
	k.document("Northwind 2015.txt", income...)
	r := k.turn("Ada", "What was the operating margin in 2015?", ChoiceNone)
	want := "The operating margin was 4.5% (= 305,826 / 6,779,511 × 100).\n\n- Operating income: $305.8 million [1]\n- Revenues: $6.78 billion [2]"
	if strings.TrimSpace(r.Text) != want || r.Checks.Verified != 3 {
		t.Errorf("%q, %+v", r.Text, r.Checks)
	}
}

func TestMarksAreHiddenFromTheModel(t *testing.T) {
	for _, p := range phrasesIn {
		text := "It lifts 40 tonnes. " + p.unchecked + " It is old. It is blue. " + fmt.Sprintf(p.uncheckedRun, 2) + "\n\n" + fmt.Sprintf(p.manyUnchecked, 3) + "\n\n" + fmt.Sprintf(p.manyLeftOut, 2, "page 3 says so; page 4 too")
		if got := withoutMarks(text); got != "It lifts 40 tonnes. It is old. It is blue." {
			t.Errorf("%q", got)
		}
	}
}
