package discord

import (
	"strings"
	"testing"
	"unicode"
)

// TestAGrowingReplyNeverShowsLess: word by word no message of it goes, and no letter that was shown.
func TestAGrowingReplyNeverShowsLess(t *testing.T) {
	t.Parallel()
	block := "# Terms of lease\n\nThe **notice period** is `six months` [1], see [the lease](https://example.com/lease).\n\n" +
		"1. Rent is due on the first.\n2. A deposit of __two__ rents ~~is~~ stays.\n\n> Quoted from page 3,\n> in two lines.\n\n" +
		"| Room | Rent | Deposit paid by the tenant in full before the day of moving in | Kept for damage |\n|---|---:|---|---|\n| North | 1,200 | yes, by transfer on the third of May | nothing so far |\n| South | 950 | no | the whole of it, as agreed |\n\n" +
		"| Room | What is still to be done before the tenant moves in on the first of June | By whom it is to be done |\n|---|---|---|\n| | | |\n| North | | Ada |\n\n" +
		"```go\nfunc rent() int {\n\treturn 1200 // || not less\n}\n```\n\n- [x] signed\n- [ ] paid || open\n\n"
	text := strings.Repeat(block, 3)
	letters := func(all []message) (n int) {
		for _, m := range all {
			for _, r := range m.Content {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					n++
				}
			}
		}
		return n
	}
	var before []message
	for at, r := range text {
		if r != ' ' && r != '\n' {
			continue
		}
		now := renderGrowing(text[:at+1], mark{nonce: "tk"}, "")
		if len(now) < len(before) || letters(now) < letters(before) {
			t.Fatalf("after %q: %d messages with %d letters, %d with %d before", text[max(0, at-60):at+1], len(now), letters(now), len(before), letters(before))
		}
		before = now
	}
}

// TestAGrowingReplyStaysWhereItIs: nothing that was shown in a message moves to the next one.
func TestAGrowingReplyStaysWhereItIs(t *testing.T) {
	t.Parallel()
	line := "The lease ends on the third of May, unless either side gives notice in writing six months before that day. "
	for name, text := range map[string]string{
		"paragraphs": strings.Repeat(strings.Repeat(line, 3)+"\n\n", 14),
		"a list":     strings.Repeat("- "+line+"\n", 40),
	} {
		var before []message
		for at, r := range text {
			if r != ' ' && r != '\n' {
				continue
			}
			now := renderGrowing(text[:at+1], mark{nonce: "tk"}, "")
			for i, m := range before {
				if !strings.HasPrefix(now[i].Content, strings.TrimSpace(m.Content)) {
					t.Fatalf("%s: message %d ended with %q and now does with %q", name, i, m.Content[max(0, len(m.Content)-60):], now[i].Content[max(0, len(now[i].Content)-60):])
				}
			}
			before = now
		}
		if len(before) < 3 {
			t.Errorf("%s: %d messages", name, len(before))
		}
	}
}
