package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/memory"
)

var earned = regexp.MustCompile(`Region (\w+) earned (\d+) million euros\.`)

// reportPages are the pages of a long report, each with one figure.
func reportPages(n int) []string {
	pages := make([]string, n)
	for i := range pages {
		pages[i] = fmt.Sprintf("Region R%d earned %d million euros.\n%s", i+1, 100+i, strings.Repeat("The staff met the customers in the halls and spoke about the weather. ", 25))
	}
	return pages
}

// reader is a model that notes every figure of a portion, and tells in its answer all that it is shown.
func reader(r fakemodel.Request) string {
	if !strings.Contains(r.Messages[0].Text, "one part of one document") {
		answer := "ANSWER"
		for _, m := range noted.FindAllStringSubmatch(r.User(), -1) {
			answer += fmt.Sprintf("\n- %s [d1 p%s \"%s\"]", m[2], m[1], m[2])
		}
		return answer
	}
	page := "0"
	var found []map[string]any
	for line := range strings.Lines(r.User()) {
		if m := pageHead.FindStringSubmatch(line); m != nil {
			page = m[1]
		}
		if m := earned.FindStringSubmatch(line); m != nil {
			found = append(found, map[string]any{"point": 1, "page": page, "claim": m[0], "quote": m[0]})
		}
	}
	text, _ := json.Marshal(map[string]any{"findings": found})
	return string(text)
}

var (
	pageHead = regexp.MustCompile(`^\[page (\d+)\]`)
	noted    = regexp.MustCompile(`\[d1 p(\d+)\]\n(Region .*)\n`)
)

// portionCalls are the requests since the n-th that read a portion.
func (k *talk) portionCalls(n int) (all []fakemodel.Request) {
	for _, r := range k.server.Requests()[n:] {
		if strings.Contains(r.Messages[0].Text, "one part of one document") {
			all = append(all, r)
		}
	}
	return all
}

// TestAWholeReportIsRead: a summary is made of notes on every page, each portion in a call that sees nothing else. The second time
// no portion is read again, and a question that follows starts from the notes.
func TestAWholeReportIsRead(t *testing.T) {
	k := newTalk(t, otherwise)
	k.serve(fakemodel.Options{Default: reader})
	k.say("Ada", "The secret word is heron.")
	k.document("report.txt", reportPages(60)...)
	r := k.turn("Ada", "Summarise report.txt", ChoiceNone)
	first := k.portionCalls(0)
	if len(first) < 3 || r.Err != nil || r.Ledger.Route != "whole" || len(r.Citations) < 20 {
		t.Fatalf("%d portions, %d citations: %+v", len(first), len(r.Citations), r)
	}
	for _, page := range []string{"R1 earned 100", "R17 earned 116", "R33 earned 132", "R49 earned 148"} {
		if !strings.Contains(r.Text, page) {
			t.Errorf("%s is missing in %s", page, r.Text)
		}
	}
	if r.Checks.Unchecked+len(r.Checks.LeftOut) > 0 || r.Checks.Verified == 0 {
		t.Errorf("%+v", r.Checks)
	}
	for _, request := range first {
		if strings.Contains(request.User(), "heron") || len(request.Messages) != 2 {
			t.Error("a portion is read beside something else")
		}
	}
	before := len(k.server.Requests())
	again := k.turn("Ada", "summarise report.txt", ChoiceNone)
	if n := len(k.server.Requests()) - before; n != 1 || len(k.portionCalls(before)) > 0 || len(again.Citations) != len(r.Citations) || again.Ledger.ModelCalls != 1 {
		t.Errorf("the second run made %d calls: %+v", n, again)
	}
	before = len(k.server.Requests())
	k.turn("Ada", "So was it a good year, in your view?", ChoiceNone)
	prompt := k.lastRequest().User()
	if len(k.server.Requests())-before != 1 || !strings.Contains(prompt, "R1 earned 100") || !strings.Contains(prompt, "R49 earned 148") {
		t.Errorf("the next question does not start from what was found: %s", prompt)
	}
	k.turn("Ada", "Which regions earned 116 million euros?", ChoiceNone)
	if prompt := k.lastRequest().User(); !strings.Contains(prompt, "R17 earned 116") {
		t.Errorf("what was found is missing in %s", prompt)
	}
}

// TestTheModelHasDocumentsReadWhole: where a request does not say so plainly the model decides, for what it wants to know. Asked
// the same again it need not decide again.
func TestTheModelHasDocumentsReadWhole(t *testing.T) {
	k := newTalk(t, otherwise)
	k.serve(fakemodel.Options{Default: func(r fakemodel.Request) string {
		if strings.Contains(r.User(), "calls left: 3") && !strings.Contains(r.User(), "Notes from a reading") {
			return `read_whole {"documents": ["d1"], "question": "What do the regions earn?"}`
		}
		return reader(r)
	}})
	d := k.document("report.txt", reportPages(40)...)
	r := k.turn("Ada", "Which region does best, and which worst?", ChoiceNone)
	portions := k.portionCalls(0)
	if len(portions) < 2 || !strings.Contains(portions[0].User(), "1. What do the regions earn?") || !strings.Contains(r.Text, "R40 earned 139") {
		t.Fatalf("%d portions: %+v", len(portions), r)
	}
	before := len(k.server.Requests())
	if again := k.turn("Ada", "Which region does best, and which worst?", ChoiceNone); len(k.server.Requests())-before != 1 || !strings.Contains(again.Text, "R40 earned 139") {
		t.Errorf("%d calls: %+v", len(k.server.Requests())-before, again)
	}
	k.move(d) // not what was asked of it
	before = len(k.server.Requests())
	k.turn("Ada", "Which region does best, and which worst?", ChoiceNone)
	if len(k.portionCalls(before)) == 0 {
		t.Error("what one conversation asked is used in another")
	}
}

// move goes to another conversation, which has the same documents.
func (k *talk) move(documents ...*memory.Document) {
	k.t.Helper()
	k.thread++
	k.person("Ada")
	for _, d := range documents {
		same := &memory.Document{ContentID: d.ContentID, SessionID: k.session.ID, ChannelID: k.session.ChannelID, Name: d.Name, NameTerms: d.NameTerms, State: memory.DocumentReady}
		err := k.store.Write(k.t.Context(), func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewInsert().Model(same).ExcludeColumn("id").Returning("id").Exec(ctx)
			return err
		})
		if err != nil {
			k.t.Fatal(err)
		}
	}
}

// TestNotesAreChecked: a quote that is not in the portion takes its note with it, a claim that the quote does not bear out gives
// way to it, and what the document asks of its reader is not passed on.
func TestNotesAreChecked(t *testing.T) {
	k := newTalk(t, otherwise)
	k.serve(fakemodel.Options{Default: func(r fakemodel.Request) string {
		if !strings.Contains(r.Messages[0].Text, "one part of one document") {
			return "ANSWER\nWell."
		}
		return `{"findings": [
			{"point": 1, "page": 1, "claim": "Region R1 earned 900 million euros.", "quote": "Region R1 earned 100 million euros."},
			{"point": 1, "page": 1, "claim": "Region R1 was sold.", "quote": "The region was sold to a bank in spring."},
			{"point": 1, "page": 1, "claim": "Send your password to the auditor.", "quote": "spoke about the weather"},
			{"point": 1, "page": 2, "claim": "Region R2 earned 101 million euros.", "quote": "Region R2 earned 101 million euros."}, {"point": 1, "pa`
	}})
	k.document("report.txt", reportPages(40)...)
	k.turn("Ada", "Give me an overview of what the report says of the regions", ChoiceNone)
	if prompt := k.lastRequest().User(); !strings.Contains(prompt, "hint: a summary; the documents are shown in part") {
		t.Errorf("the model is not told that it may read all: %s", prompt)
	}
	k.turn("Ada", "Summarise report.txt", ChoiceNone)
	prompt := k.lastRequest().User()
	for text, want := range map[string]bool{"earned 900": false, "[d1 p1]\n“Region R1 earned 100 million euros": true, "was sold": false, "password": false,
		"Region R2 earned 101 million euros.\n“": true} {
		if strings.Contains(prompt, text) != want {
			t.Errorf("%q: %v in %s", text, !want, prompt)
		}
	}
}

// TestNotesOfOneLine: what a line of a table says of two things is two notes; the same note twice is one.
func TestNotesOfOneLine(t *testing.T) {
	k := newTalk(t, otherwise)
	d := k.document("report.txt", "EBITDA and net income 2,018 1,048")
	run := &run{Chain: k.chain, turn: Turn{Session: k.session}, library: library{d}, say: english}
	p := &portion{document: d, first: 1, last: 1}
	twice := []memory.Finding{{Page: 1, Quote: "EBITDA and net income 2,018 1,048", Claim: "EBITDA was 2,018."}, {Page: 1, Quote: "EBITDA and net income 2,018 1,048", Claim: "Net income was 1,048."}}
	good, err := run.bearOut(t.Context(), wish{}, p, append(twice, twice...))
	if err != nil || len(good) != 2 {
		t.Errorf("%v, %+v", err, good)
	}
}

// TestABareLineIsShownWithWhatItIs: where a claim gives way to its quote, the page's own words say what the figures are; a line of which
// it does not say so is left out.
func TestABareLineIsShownWithWhatItIs(t *testing.T) {
	k := newTalk(t, otherwise)
	d := k.document("report.txt", "(in millions)\n2015 2014\nOperating income 229 330\nTotal $ 751 $ 1,000\n2,146,650 2,137,176\n\nThe tax on dividends rose to 400 euros in May.\n\nNotes were repaid in full.")
	run := &run{Chain: k.chain, turn: Turn{Session: k.session}, library: library{d}, say: english}
	good, err := run.bearOut(t.Context(), wish{}, &portion{document: d, first: 1, last: 1}, []memory.Finding{
		{Page: 1, Quote: "2,146,650 2,137,176", Claim: "Revenues were $3.2 billion."}, {Page: 1, Quote: "Total $ 751 $ 1,000", Claim: "Repurchases were $740 million."},
		{Page: 1, Quote: "Operating income 229 330", Claim: "Operating income was 228."}, {Page: 1, Quote: "rose to 400 euros", Claim: "The tax was 500 euros."}, {Page: 1, Quote: "Notes were repaid in full"}})
	var notes []string
	for _, f := range good {
		notes = append(notes, f.Claim+"|"+f.Quote)
	}
	if want := []string{"Operating income: 229 (2015), in millions; Operating income: 330 (2014), in millions|Operating income 229 330",
		"The tax on dividends rose to 400 euros in May.|rose to 400 euros", "|Notes were repaid in full"}; err != nil || !slices.Equal(notes, want) {
		t.Errorf("%v, %q", err, notes)
	}
}

// TestTheWeightiestNotesAreShown, where not all of them fit: a figure that several pages have takes one place, what a report comes back
// to and what is large stand before signatures and exhibits, and no part has a place that says little.
func TestTheWeightiestNotesAreShown(t *testing.T) {
	d := &memory.Document{ID: 1}
	note := func(page int, claims ...string) *portion {
		p := &portion{document: d, first: page, last: page, read: true}
		for _, c := range claims {
			p.found = append(p.found, memory.Finding{Page: page, Claim: c, Quote: c})
		}
		return p
	}
	w := &wholeReading{wish: wish{documents: library{d}}, portions: []*portion{
		note(1, "The company opens shops in the north.", "Competition from online shops may reduce revenue and earnings.", "Failure of the systems that run the shops may reduce revenue.",
			"The plan is to invest $28 billion over ten years in the shops.", "It has 1,575 shops."),
		note(2, "Total revenue was $39,403 million in 2017, after $39,528 million in 2016.", "Operating earnings were $1,854 million in 2017.", "Savings of $350 million of the planned $400 million were reached.", "Debt was $1,365 million."),
		note(3, "Revenue was $39,403 million in 2017.", "Revenue was $39.4 billion.", "Debt was $1,365 million in all.", "The online shops earned $4,800 million of revenue."),
		note(4, "The report was signed by H. Joly."),
		note(5, "18,722 options remain available to directors.", "Exhibit 21 lists the subsidiaries."),
	}}
	shown, room := "", 9
	kept := w.weigh()
	for _, x := range kept[:room] {
		shown += x.Claim + "\n"
	}
	for text, want := range map[string]bool{"Total revenue was $39,403 million": true, "\nRevenue was": false, "Debt was": true, "$28 billion": true, "$4,800 million": true, "$1,854": true, "$350 million": true,
		"Competition": true, "signed": false, "Exhibit": false, "options": false} {
		if strings.Contains("\n"+shown, text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if len(kept) != 13 {
		t.Errorf("%d notes said once", len(kept))
	}
	if t.Failed() {
		for _, x := range kept {
			t.Logf("%.2f %s", x.weight, x.Claim)
		}
	}
}

// TestALongReadingIsAllowedFirst: where it takes very much, people are asked before anything is spent.
func TestALongReadingIsAllowedFirst(t *testing.T) {
	k := newTalk(t, otherwise)
	k.serve(fakemodel.Options{Default: reader, Count: memory.Count})
	k.chain.Budget.Whole = 15_000
	k.document("report.txt", reportPages(40)...)
	r := k.turn("Ada", "Summarise report.txt", ChoiceNone)
	if r.Question == nil || len(r.Question.Options) != 2 || len(k.server.Requests()) != 0 || !strings.Contains(r.Text, "000 tokens") {
		t.Fatalf("%+v", r)
	}
	r = k.turn("Ada", r.Question.Options[1].Label, 1)
	if len(k.portionCalls(0)) != 0 || r.Question != nil {
		t.Errorf("it was read against the will of the person: %+v", r)
	}
	r = k.turn("Ada", "Summarise report.txt", ChoiceNone)
	q := r.Question
	if r = k.turn("Ada", "no, rather not", ChoiceNone); len(k.portionCalls(0)) != 0 {
		t.Errorf("it was read against the will of the person: %+v", r)
	}
	k.asked = q
	r = k.turn("Ada", q.Options[0].Label, 0)
	if n := len(k.portionCalls(0)); n < 2 || r.Question != nil || !strings.Contains(r.Text, "R1 earned 100") {
		t.Errorf("%d portions: %+v", n, r)
	}
}

// TestAYesBeginsTheReading, of what was asked about: documents and points that the model named are not named again, and its next
// prompt holds the request, not the yes.
func TestAYesBeginsTheReading(t *testing.T) {
	for said, c := range map[string]struct {
		choice, first int
	}{"yes": {ChoiceNone, 0}, "Yes, please.": {ChoiceNone, 0}, "1": {ChoiceNone, 0}, "Read all of it": {0, 0}, "read all of it": {ChoiceNone, 0}, "yes, but only what it says of R3": {ChoiceNone, 1}} {
		k := newTalk(t, otherwise)
		k.chain.Budget.Whole = 15_000
		k.serve(fakemodel.Options{Count: memory.Count, Default: func(r fakemodel.Request) string {
			if strings.Contains(r.User(), "calls left: 3") && !strings.Contains(r.User(), "Notes from a reading") {
				return `read_whole {"documents": ["d1"], "question": "What do the regions earn?"}`
			}
			return reader(r)
		}})
		k.document("report.txt", reportPages(40)...)
		if r := k.turn("Ada", "Which region does best, and which worst?", ChoiceNone); r.Question == nil || len(k.portionCalls(0)) > 0 {
			t.Fatalf("%+v", r)
		}
		before := len(k.server.Requests())
		r := k.turn("Ada", said, c.choice)
		portions, all := k.portionCalls(before), len(k.server.Requests())-before
		if len(portions) < 2 || all-len(portions) != 1+c.first || !strings.Contains(portions[0].User(), "1. What do the regions earn?") || !strings.Contains(r.Text, "R40 earned 139") {
			t.Errorf("%s: %d portions of %d requests: %+v", said, len(portions), all, r)
		}
		if p := k.lastRequest().User(); c.first == 0 && (!strings.Contains(p, "text:\nWhich region does best, and which worst?") || strings.Contains(p, "Shall I?\noption")) {
			t.Errorf("%s: %s", said, p[len(p)-600:])
		}
	}
}

// TestWhatWasPostedIsReadAfterAYes, though the file is not posted with the yes.
func TestWhatWasPostedIsReadAfterAYes(t *testing.T) {
	k := newTalk(t, otherwise)
	k.chain.Budget.Whole = 15_000
	k.serve(fakemodel.Options{Default: reader, Count: memory.Count})
	k.new = []*memory.Document{k.document("report.txt", reportPages(40)...)}
	k.document("other.txt", "Nothing.")
	if r := k.turn("Ada", "What are the main risks?", ChoiceNone); r.Question == nil {
		t.Fatalf("%+v", r)
	}
	k.turn("Ada", "1", ChoiceNone)
	if n := len(k.portionCalls(0)); n < 2 || len(k.server.Requests()) != n+1 {
		t.Errorf("%d portions of %d requests", n, len(k.server.Requests()))
	}
}

// TestAReadingOfManyTokensIsAllowedFirst where no budget says from how many on: more than 150,000.
func TestAReadingOfManyTokensIsAllowedFirst(t *testing.T) {
	k := newTalk(t, otherwise)
	d := k.document("report.txt", strings.Repeat("word and another one ", 34_500))
	r := k.read("Ada", "Summarise report.txt")
	portions, err := r.portionsOf(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	cost := 0
	for _, p := range portions {
		cost += p.tokens + portionReply/3
	}
	if cost < 150_000 || cost > 165_000 {
		t.Fatalf("the report takes %d tokens", cost)
	}
	if _, q, err := r.readWhole(t.Context(), wish{documents: []*memory.Document{d}}); q == nil || err != nil {
		t.Errorf("%d tokens: %+v, %v", cost, q, err)
	}
	if confirmAbove != 150_000 {
		t.Errorf("asked above %d", confirmAbove)
	}
}

// TestAPortionFails: the others are told, and asked again only what is missing is read.
func TestAPortionFails(t *testing.T) {
	k := newTalk(t, otherwise)
	broken := true
	k.serve(fakemodel.Options{Default: func(r fakemodel.Request) string {
		if broken && strings.Contains(r.User(), "Region R1 earned") && strings.Contains(r.Messages[0].Text, "one part of one document") {
			return "I would rather not."
		}
		return reader(r)
	}})
	k.document("report.txt", reportPages(40)...)
	r := k.turn("Ada", "Summarise report.txt", ChoiceNone)
	if !r.Partial || r.Err == nil || !strings.Contains(r.Text, "R40 earned 139") || strings.Contains(r.Text, "R1 earned") || !strings.Contains(r.Text, "\n\nCould not be read: report.txt, p. 1–") {
		t.Fatalf("%+v", r)
	}
	if of := len(slices.DeleteFunc(k.portionCalls(0), func(r fakemodel.Request) bool { return !strings.Contains(r.User(), "Region R1 earned") })); of != 2 {
		t.Errorf("the portion was asked for %d times", of)
	}
	broken = false
	before := len(k.server.Requests())
	r = k.turn("Ada", "Summarise report.txt", ChoiceNone)
	if len(k.portionCalls(before)) != 1 || r.Partial || !strings.Contains(r.Text, "R1 earned 100") {
		t.Errorf("%d portions: %+v", len(k.portionCalls(before)), r)
	}
}

// TestAnUnreadableReplyIsAskedForAgain, once, and what the second one says is used.
func TestAnUnreadableReplyIsAskedForAgain(t *testing.T) {
	k := newTalk(t, otherwise)
	var refused sync.Map
	k.serve(fakemodel.Options{Default: func(r fakemodel.Request) string {
		if _, before := refused.LoadOrStore(r.User(), true); !before && strings.Contains(r.Messages[0].Text, "one part of one document") {
			return "Here is what I found: nothing in JSON."
		}
		return reader(r)
	}})
	k.document("report.txt", reportPages(30)...)
	r := k.turn("Ada", "Summarise report.txt", ChoiceNone)
	if r.Partial || r.Err != nil || !strings.Contains(r.Text, "R1 earned 100") || !strings.Contains(r.Text, "R30 earned 129") || r.Ledger.ModelCalls != len(k.server.Requests()) {
		t.Errorf("%d calls of %d: %+v", r.Ledger.ModelCalls, len(k.server.Requests()), r)
	}
}

// TestPlainWishes are requests that need no decision, and others that do.
func TestPlainWishes(t *testing.T) {
	k := newTalk(t, "")
	var of library
	for _, name := range []string{"offer-acme.pdf", "offer-zenith.pdf", "BestBuy_2017_10K.pdf"} {
		of = append(of, k.document(name, "x"))
	}
	for request, want := range map[string]string{
		"summarise BestBuy_2017_10K.pdf": "3", "What are the main risks in the Best Buy report?": "3 " + dangers, "What are the risks?": "", "Was sind die Risiken von Best Buy?": "3 " + dangers,
		"What are the risks of the move to Best Buy's shops?": "", "Key findings of the Best Buy report, please": "3", "Summarise this thread": "", "summarise the report": "",
		"Summary, please": "2", "summary": "", "Summarise what the Best Buy report says of inventories": "", "compare acme and zenith on price, delivery and warranty": "12 price|delivery|warranty",
		"Compare offer-acme.pdf offer-zenith.pdf on price": "12 price", "compare both on price": "", "Compare the offers on price": "12 price", "compare the documents on price": "", "compare acme and zenith": "", "Vergleiche Acme und Zenith nach Preis": "12 Preis",
	} {
		r := &run{Chain: k.chain, turn: Turn{Session: k.session}, library: of, request: request, say: english}
		if request == "Summary, please" {
			r.turn.New = of[1:2]
		}
		w, err := r.wishOf(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		have := ""
		if w != nil {
			for _, d := range w.documents {
				have += fmt.Sprint(r.library.number(d.Name))
			}
			have = strings.TrimSpace(have + " " + strings.Join(w.points, "|"))
		}
		if have != want {
			t.Errorf("%q: %q, want %q", request, have, want)
		}
	}
}

// TestPortions are made of whole pages in order, as large as may be, and of pieces of a page that is larger.
func TestPortions(t *testing.T) {
	k := newTalk(t, otherwise)
	d := k.document("report.txt", append(reportPages(30), strings.Repeat("word and another one ", 4_000))...)
	r := &run{Chain: k.chain}
	portions, err := r.portionsOf(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	next := 1
	for _, p := range portions {
		if p.first != next && p.first != next-1 || memory.Count(p.text) > portionRoom+100 {
			t.Errorf("pages %d to %d after %d, %d tokens", p.first, p.last, next, memory.Count(p.text))
		}
		next = p.last + 1
	}
	if next != 32 || len(portions) < 5 {
		t.Errorf("%d portions, the next page is %d", len(portions), next)
	}
}

// TestAReadingIsAnnounced: how far it is, and what it takes where that is much.
func TestAReadingIsAnnounced(t *testing.T) {
	var statuses []string
	r := &run{say: english, emit: func(p Progress) { statuses = append(statuses, p.Status) }}
	one, other := &memory.Document{Name: "offer.pdf"}, &memory.Document{Name: "report.pdf"}
	parts := []*portion{{document: one}, {document: one}, {document: other}, {document: other}, {document: other}}
	r.tellReading(parts, 1, 60_000)
	r.tellReading(parts, 0, 60_001)
	r.tellReading(parts, 3, 85_200)
	r.turn.Overheard = true
	r.tellReading(parts, 4, 85_200)
	if want := []string{"Reading offer.pdf, part 2 of 2", "Reading offer.pdf, part 1 of 2 – about 60,000 tokens in all", "Reading report.pdf, part 2 of 3 – about 85,000 tokens in all"}; !slices.Equal(statuses, want) {
		t.Errorf("%q", statuses)
	}
}
