package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"threadkeeper/memory"
)

// Prose above a table, and its first rows, are no part of its head.
func TestATableHeadHasNoAmounts(t *testing.T) {
	for head, want := range map[string]string{
		"Net income increased 17.8% to $340.8 million compared to\n13 Weeks Ended\n2023 2022 % Change": "13 Weeks Ended | 2023 2022 % Change",
		"($ in millions) 2023 2022\nInventories $ 20 $ 15":                                             "($ in millions) 2023 2022",
		"Gross profit increased 18.0% to $1.2 billion":                                                 "",
	} {
		if got := headOnly(head); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

// A head that names years stands above rows with as many values; one of another table is left out. Passages of one page are shown
// under one name, with what lies between them left open.
func TestHeadsAndPassagesOfAPage(t *testing.T) {
	l := library{{ID: 7}}
	const head = "(in thousands) 2023 2022 2021"
	got := l.evidenceLines([]shown{
		{document: 7, page: 3, passage: 4, text: "Crude oil 120 95 80", head: head}, {document: 7, page: 3, passage: 5, text: "Gas 12 9 8", head: head},
		{document: 7, page: 3, passage: 9, text: "Ann Blue 340 410\nBob Red 120 90", head: head}, {document: 7, page: 4, text: "All."}})
	want := []string{"[d1 p3]\n(from above, perhaps the head of this table: " + head + ")\nCrude oil 120 95 80\nGas 12 9 8\n[…]\nAnn Blue 340 410\nBob Red 120 90", "[d1 p4, the whole page]\nAll."}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestPagesThatSayLittle are not shown whole: signatures, certifications, tables of contents, unless they are asked for.
func TestPagesThatSayLittle(t *testing.T) {
	contents := ""
	for i := range 12 {
		contents += fmt.Sprintf("Item %d. Properties %d\n", i, 3+i*4)
	}
	for page, want := range map[string]bool{
		"Table of Contents\nSIGNATURES\nPursuant to the requirements of the Act, the registrant has signed.": true,
		"CERTIFICATION PURSUANT TO RULE 13a-14(a)\nI, Ann Blue, certify that I have reviewed this report.":   true,
		"TABLE OF CONTENTS\n" + contents: true,
		"Table of Contents\nItem 7. Results\nNet sales grew by 8 percent to $412 million.":         false,
		"Contents of the box\nThe box holds a crane and a hoist.":                                  false,
		"Signatures are checked by the clerk at the gate of the harbour before a crane is lifted.": false,
	} {
		if got := saysLittle(page, "What does the crane lift?"); got != want {
			t.Errorf("%q: %v", page, got)
		}
		if saysLittle(page, "Who signed the report? Show me the table of contents.") {
			t.Errorf("%q is not shown though it is asked for", page)
		}
	}
}

// prompted are the pages that the last prompt showed, and their tokens.
func (k *talk) prompted() (pages string, tokens int) {
	_, pages, _ = strings.Cut(k.lastRequest().User(), `kind="pages">`)
	pages, _, _ = strings.Cut(pages, "</data")
	return pages, memory.Count(pages)
}

// TestHowMuchOfTheDocumentsIsShown: a library of up to libraryRoom tokens whole, of a larger one the best passages with three
// pages whole. TURN_TOKENS changes it.
func TestHowMuchOfTheDocumentsIsShown(t *testing.T) {
	page := strings.Repeat("The crane of the harbour lifts much on ordinary days. ", 40)
	each := memory.Count("1 "+page) + pageOverhead
	for _, c := range []struct {
		pages, usual int
		whole        bool
		least, most  int
	}{
		{libraryRoom / each, 0, true, libraryRoom * 9 / 10, libraryRoom},
		{libraryRoom/each + 2, 0, false, pagesRoom * 7 / 10, pagesRoom},
		{libraryRoom/each + 2, 20_000, true, libraryRoom, libraryRoom * 12 / 10},
		{libraryRoom/each + 2, 3_000, false, 1_200, pagesRoom * 3 / 10},
	} {
		k := newTalk(t, otherwise)
		k.chain.Budget.Usual = c.usual
		var pages []string
		for i := range c.pages {
			pages = append(pages, fmt.Sprintf("%d %s", i%9, page))
		}
		k.document("crane.txt", pages...)
		k.turn("Ada", "What does the crane of the harbour lift on ordinary days?", ChoiceNone)
		shown, tokens := k.prompted()
		if strings.Contains(k.lastRequest().User(), "The documents, whole,") != c.whole || tokens < c.least || tokens > c.most {
			t.Errorf("%d pages with TURN_TOKENS %d: whole %v, %d tokens", c.pages, c.usual, !c.whole, tokens)
		}
		if n := strings.Count(shown, "the whole page]"); c.usual == 0 && !c.whole && n != wholePages {
			t.Errorf("%d whole pages", n)
		}
	}
}

// TestHowMuchOfWhatWasSaidIsShown: thirty lines, or recallTokens of longer ones.
func TestHowMuchOfWhatWasSaidIsShown(t *testing.T) {
	for _, long := range []bool{false, true} {
		k := newTalk(t, otherwise)
		for i := range 60 {
			line := fmt.Sprintf("Crane %d lifts %d tonnes of timber.", i, i*3)
			if long {
				line += strings.Repeat(fmt.Sprintf(" Crew %d of the crane oils it and lifts tonnes of timber.", i), 15)
			}
			k.say("Bob", line)
		}
		k.thread++
		k.turn("Ada", "How many tonnes of timber does each crane lift?", ChoiceNone)
		prompt := k.lastRequest().User()
		lines, tokens := strings.Count(prompt, "| Bob"), recalledTokens(prompt)
		if !long && lines != recallLimit || long && (tokens < recallTokens*8/10 || tokens > recallTokens+50) {
			t.Errorf("long %v: %d lines, %d tokens", long, lines, tokens)
		}
	}
}
