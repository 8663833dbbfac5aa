package agent

import (
	"context"
	"strings"
	"testing"
)

// Where only the asker and we wrote the prompt, words are shown before their sentence ends; what may need a check or a
// filter, or may become a deed, is not. However a reply is cut, the whole is the same.
func TestWordsAreShownAsTheyCome(t *testing.T) {
	const tide = "ANSWER\nThe tide follows the moon, which draws the water of the oceans towards it as the earth turns below"
	k := newTalk(t, "")
	for name, c := range map[string]struct {
		reply, want string
		change      func(*run)
	}{
		"plain":                  {tide, "The tide follows the moon, which draws the water of the oceans towards it as the earth turns ", nil},
		"a second sentence":      {"ANSWER\nYes. Water moves slow", "Yes. Water moves ", nil},
		"no first line":          {tide[len("ANSWER\n"):], "", nil},
		"what others wrote":      {tide, "", func(r *run) { r.untrusted = true }},
		"a document":             {tide, "", func(r *run) { r.evidence = []shown{{}} }},
		"overheard":              {tide, "", func(r *run) { r.turn.Overheard = true }},
		"a number":               {"ANSWER\nThe sum of both is 12 and a bit", "The sum of both is ", nil},
		"a link":                 {"ANSWER\nPlease see [the page](https://example.org) for more of it", "Please see ", nil},
		"a mention":              {"ANSWER\nThis goes to @everyone who is here and", "This goes to ", nil},
		"a token":                {"ANSWER\nThis goes to <!channel> and others who", "This goes to ", nil},
		"a list":                 {"ANSWER\n- an item that goes on", "", nil},
		"the beginning of deeds": {"ANSWER\nOf course, and I have now", "Of course, and ", nil},
		"no deed":                {"ANSWER\nOf course, and I have been thinking about the tides for a long long time now, as you all know by", "Of course, and I have been thinking about the tides for a long long time now, as you ", nil},
		"a deed":                 {"ANSWER\nOf course, and I have just erased your messages for ever and ever, whatever anybody else may say to that", "Of course, and ", nil},
		"code":                   {"ANSWER\n```\nfmt print line", "```\n", nil},
	} {
		whole := ""
		sizes := []int{1, 3, len(c.reply)}
		if name == "a deed" { // of one that comes at once nothing is shown
			sizes = sizes[:2]
		}
		for _, size := range sizes {
			r := testRun(k, "Why are there tides?")
			if c.change != nil {
				c.change(r)
			}
			var b strings.Builder
			r.emit = func(p Progress) { b.WriteString(p.Text) }
			g := r.newGate(context.Background())
			for rest := c.reply; rest != ""; {
				n := min(size, len(rest))
				if err := g.write(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if b.String() != c.want {
				t.Errorf("%s, in pieces of %d: %q is shown, want %q", name, size, b.String(), c.want)
			}
			if err := g.write("."); err != nil {
				t.Fatal(err)
			}
			if err := g.finish(); err != nil {
				t.Fatal(err)
			}
			if whole == "" {
				whole = b.String()
			}
			if b.String() != whole || whole != g.released.String() {
				t.Errorf("%s, in pieces of %d: %q, then %q", name, size, b.String(), whole)
			}
		}
		if name == "a deed" && whole != "Of course, and …\n"+english.noDeed {
			t.Errorf("%s: %q", name, whole)
		}
	}
}

// While the first statements about a document wait for a citation that comes later, it is told which one is being
// checked.
func TestStatementsBeingCheckedAreCounted(t *testing.T) {
	k := newTalk(t, "")
	k.document("Harbour.pdf", "The authority runs three terminals. Its green crane lifts 40 tonnes.")
	r := testRun(k, "What does the crane lift?")
	r.evidence = []shown{{}}
	var seen []string
	r.emit = func(p Progress) { seen = append(seen, p.Status+p.Text) }
	g := r.newGate(context.Background())
	for _, part := range []string{"ANSWER\nThe crane lifts 40 tonnes.\n\n", "It is green.\n\n", "The authority runs three terminals [d1 p1 \"The authority runs three terminals. Its green crane lifts 40 tonnes\"].\n"} {
		if err := g.write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.finish(); err != nil {
		t.Fatal(err)
	}
	if len(seen) < 3 || seen[0] != "🔎 Checking statement 1" || seen[1] != "🔎 Checking statement 2" || !strings.HasPrefix(seen[2], "The crane lifts 40 tonnes") {
		t.Errorf("%q", seen)
	}
}
