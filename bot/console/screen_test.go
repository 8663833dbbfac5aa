package console

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// TestEveryLineOfAQuoteHasItsBar: at any width, with and without colours.
func TestEveryLineOfAQuoteHasItsBar(t *testing.T) {
	quote := "> **The cooperative buys a 12-kilogram electric roaster from Ferrum & Sons for €38,700, to be delivered by 30 June 2026.** " +
		"Adopted with 7 votes to 1. The purchase is paid from the investment reserve; no loan is taken. [1]\n"
	for _, color := range []bool{false, true} {
		for cols := 40; cols < 130; cols++ {
			s := &screen{color: color, width: func() int { return cols }}
			for line := range strings.Lines(s.render(quote)) {
				line = strings.TrimSpace(escapes.ReplaceAllString(line, ""))
				if line != "" && !strings.HasPrefix(line, "│") {
					t.Fatalf("%d columns: %q has no bar", cols, line)
				}
			}
		}
	}
}

// TestLinesAreBrokenOnce, at any width: none is longer than the screen, and none ends where its next word had room.
func TestLinesAreBrokenOnce(t *testing.T) {
	quote := "> **The cooperative buys a 12-kilogram electric roaster from Ferrum & Sons for €38,700, to be delivered by 30 June 2026.** " +
		"Adopted with 7 votes to 1 in a show-of-hands vote of all long-standing members. [1]\n"
	for cols := 40; cols < 130; cols++ {
		s := &screen{width: func() int { return cols }}
		var lines []string
		for line := range strings.Lines(s.render(quote)) {
			lines = append(lines, strings.TrimSpace(line))
		}
		for i, line := range lines[1:] {
			first, _, _ := strings.Cut(strings.TrimPrefix(line, "│ "), " ")
			if room := cols - len(margin) - len([]rune(lines[i])); len([]rune(first))+1 <= room {
				t.Errorf("%d columns: %q had room for %q", cols, lines[i], first)
			}
		}
	}
}

// TestWideCharactersStayBehindTheirBar, and within the screen.
func TestWideCharactersStayBehindTheirBar(t *testing.T) {
	const text = "焙煎機は三万八千七百ユーロで、二〇二六年六月三十日までに納品される。組合員総会は七対一で可決した。"
	for _, color := range []bool{false, true} {
		for cols := 20; cols < 130; cols++ {
			s := &screen{color: color, width: func() int { return cols }}
			for _, lead := range []string{"> ", "- ", ""} {
				var got strings.Builder
				for i, line := range strings.Split(s.render(lead+text), "\n") {
					line = escapes.ReplaceAllString(line, "")
					bare := strings.TrimLeft(line, " |│•")
					if ansi.StringWidth(line) > cols || lead != "" && i > 0 && len(bare) == len(line) {
						t.Errorf("%d columns: %q", cols, line)
					}
					got.WriteString(strings.TrimSpace(bare))
				}
				if got.String() != text {
					t.Errorf("%d columns: %q", cols, got.String())
				}
			}
		}
	}
}

// TestLongLinesContinueBelowTheirBeginning.
func TestLongLinesContinueBelowTheirBeginning(t *testing.T) {
	for line, want := range map[string]string{
		"a line that is short":                     "a line that is short",
		"an answer that is longer than this":       "an answer that is\nlonger than this",
		"  2. an option with many words":           "  2. an option with\n     many words",
		"\x1b[2mfaint words in a long line\x1b[0m": "\x1b[2mfaint words in a\nlong line\x1b[0m",
		"納品される納品される納品される":                          "納品される納品される\n納品される",
	} {
		if got := hanging(line, 20); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// TestItemsHang: the further lines of an item stand below its text, at any width, and within the screen.
func TestItemsHang(t *testing.T) {
	const list = "Found:\n\n- the roaster of the cooperative costs €38,700 and arrives by the end of June of the next year\n" +
		"- the budget has €3,200 for the flue and the electrician beside the price of the machine itself\n" +
		"    - of which a part is paid by the city under its programme for the quay, says the treasurer\n\n" +
		"10. the tenth point is as long as the others so that it needs a second line on every screen here\n\n" +
		"A paragraph behind the lists begins where the one before them began, whatever its length may be.\n"
	for _, color := range []bool{false, true} {
		for cols := 40; cols < 90; cols++ {
			s := &screen{color: color, width: func() int { return cols }}
			below := -1 // where the text of an item begins
			for _, line := range strings.Split(s.render(list), "\n") {
				line = escapes.ReplaceAllString(line, "")
				at := len(line) - len(strings.TrimLeft(line, " "))
				text := strings.TrimLeft(line, " ")
				if ansi.StringWidth(line) > cols {
					t.Errorf("%d columns: %q is too long", cols, line)
				}
				switch marker := regexp.MustCompile(`^(?:•|-|\*|\d+\.) +`).FindString(text); {
				case text == "":
					below = -1
				case marker != "":
					below = at + ansi.StringWidth(marker)
				case below >= 0 && at != below:
					t.Errorf("%d columns: %q begins at %d, the text above it at %d", cols, line, at, below)
				case below < 0 && at != 2:
					t.Errorf("%d columns: %q begins at %d", cols, line, at)
				}
			}
		}
	}
}

// TestAStatusIsOneLine, narrower than the screen, whatever the document is called.
func TestAStatusIsOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"Reading a.pdf, page 34 of 150":                                     "▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░ 34/150",
		"Reading a.pdf, page 0 of 0":                                        "░ 0/0",
		"Reading page -5 of 3.pdf":                                          "░ -5/3",
		"Reading the minutes of the last general assembly.pdf, page 7 of 7": "▓▓▓ 7/7",
		"Reading page 9.pdf":                                                "page 9.pdf",
	} {
		for _, cols := range []int{40, 80} {
			var out strings.Builder
			s := &screen{out: &out, width: func() int { return cols }}
			s.status(text)
			if got := out.String(); !strings.Contains(got, want) || ansi.StringWidth(got) >= cols {
				t.Errorf("%d columns, %s: %q", cols, text, got)
			}
		}
	}
}

// TestASourceRepeatsNoQuoteThatStandsAbove: it has its quote where the answer says it in other words.
func TestASourceRepeatsNoQuoteThatStandsAbove(t *testing.T) {
	cited := []memory.Citation{{N: 1, Document: "report.pdf", Page: 6, Quote: "a roaster for €38,700, to be\ndelivered by June"}}
	for text, want := range map[string]string{
		"Page 6:\n> **The cooperative buys a roaster for\n> €38,700, to be delivered by June.** [1]": "  [1] report.pdf, page 6\n\n",
		"It costs €38,700 [1].": "  [1] report.pdf, page 6: “a roaster for €38,700, to be delivered by June”\n\n",
	} {
		var out strings.Builder
		s := &screen{out: &out, width: func() int { return 80 }}
		if err := s.below(platform.Outgoing{Text: text, Citations: cited}); err != nil || out.String() != want {
			t.Errorf("%q: got %q, %v", text, out.String(), err)
		}
	}
}

// TestColoursSuitAnyBackground, as long as the terminal has not reported its own: text has none.
func TestColoursSuitAnyBackground(t *testing.T) {
	s := &screen{color: true, width: func() int { return 80 }}
	const text = "# Head\n\nA **bold** word, `code`, and\n\n```go\nx := 1\n```\n"
	if got := s.render(text); strings.Contains(got, "[38;") || !strings.Contains(got, bold+"bold") {
		t.Errorf("got %q", got)
	}
	for ground, code := range map[background]string{darkBackground: "\x1b[38;5;180mcode", lightBackground: "\x1b[38;5;94mcode"} {
		s.setBackground(ground)
		if got := s.render(text); !strings.Contains(got, code) || !strings.Contains(got, "  A "+bold+"bold"+reset+" word") {
			t.Errorf("on background %d: %q", ground, got)
		}
	}
}

// TestMarkdownInATerminal: each form as it stands on the screen, without colours.
func TestMarkdownInATerminal(t *testing.T) {
	for in, want := range map[string]string{
		"# Head\ntext":                "  Head\n\n  text",
		"one\ntwo  \nthree":           "  one\n  two\n  three",
		"a **b**, *c* ~~d~~ `e  *f*`": "  a b, c d e  *f*",
		"5 \\* 3 &lt; 16 & \\_x\\_":   "  5 * 3 < 16 & _x_",
		"- a\n- b\n  - c\n\n    d":    "  • a\n  • b\n    • c\n\n      d",
		"3. a\n4. b":                  "  3. a\n  4. b",
		"- a\n\n- b":                  "  • a\n\n  • b",
		"- [ ] a":                     "  • [ ] a",
		"> a\n>\n> - b":               "  │ a\n  │\n  │ • b",
		"```go\nx := 1\n\n\ty()\n```": "    x := 1\n\n        y()",
		"[page](https://example.com/a_b) and https://example.com/c_d, <https://example.com>": "  page (https://example.com/a_b) and\n  https://example.com/c_d, https://example.com",
		"<b>x</b>\n\n<!-- a\nb -->\nc": "  <b>x</b>\n\n    <!-- a\n    b -->\n\n  c",
		"a\n\n---\n\nb":                "  a\n\n  ────────\n\n  b",
		"| Item | Cost |\n|---|---:|\n| **roaster** | €38,700 |\n| flue | €900 |":                                              "  Item        Cost\n  ───────  ───────\n  roaster  €38,700\n  flue        €900",
		"| Item | What is left to do |\n|---|---|\n| roaster | the electrician connects it before the inspection of October |": "  • Item: roaster · What is left to do: the electrician\n    connects it before the inspection of October",
	} {
		s := &screen{width: func() int { return 60 }}
		if got := s.render(in); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", in, got, want)
		}
	}
}

// TestAFilesNameIsNoProgress: people call their files what they like.
func TestAFilesNameIsNoProgress(t *testing.T) {
	for text, want := range map[string]string{
		"Reading a.pdf, page 6 of 12":                         "Reading a.pdf ▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░ 6/12",
		"Reading page 0 of 0.pdf":                             "░ 0/0",
		"Reading page -9 of 3.pdf, page 3 of 3":               "▓ 3/3",
		"Reading page -9 of 3.pdf":                            "░ -9/3",
		"Reading page 9223372036854775807 of 2.pdf":           "",
		"Reading page 2 of -9223372036854775808.pdf":          "",
		"Reading page 99999999999999999999999999999999 of .x": "of .x",
	} {
		var out strings.Builder
		s := &screen{out: &out, width: func() int { return 80 }}
		if s.status(text); !strings.Contains(out.String(), want) {
			t.Errorf("%q: got %q", text, out.String())
		}
	}
}
