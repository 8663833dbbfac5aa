package discord

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

func TestMarkdownAsDiscordShowsIt(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"as it is", "# One\n**bold** _it_ `x` ~~no~~\n- a\n  1. b\n> q [t](https://e.org)", "# One\n**bold** _it_ `x` ~~no~~\n- a\n  1. b\n> q [t](https://e.org)"},
		{"deep headings", "#### Four ##", "**Four**"},
		{"strong", "a __b c__ d, __init__", "a **b c** d, **init**"},
		{"names stay", "call snake__case__name at https://e.org/__init__.py or `__init__`", "call snake__case__name at https://e.org/__init__.py or `__init__`"},
		{"pictures", "![a chart](https://e.org/c.png)", "[a chart](https://e.org/c.png)"},
		{"rules", "a\n\n---\nb\n* * *", "a\n\n⎯⎯⎯⎯⎯⎯⎯⎯\nb\n⎯⎯⎯⎯⎯⎯⎯⎯"},
		{"tasks", "- [ ] open\n- [x] done", "- ☐ open\n- ☑ done"},
		{"a fence in a line", "a ```b``` c ``` d", "a `b` c `\u200b`\u200b` d"},
		{"no spoilers", "a || b || c, `a || b`", `a \|\| b \|\| c, ` + "`a || b`"},
		{"nested quotes", ">>> all\n>> deep", "> all\n> deep"},
		{"breaks", "a<br>b", "a\nb"},
		{"tildes", "~~~go title=x\nx\n~~~", "```go\nx\n```"},
		{"no end", "```\nx", "```\nx\n```"},
		{"longer fences", "````md\n```go\nx\n```\n````", "```md\n`\u200b`\u200b`go\nx\n`\u200b`\u200b`\n```"},
		{"indented fences", "- a\n  ```go\n  x\n    y\n  ```", "- a\n```go\nx\n  y\n```"},
		{"control", "a\x00b\u202ec\r\nd\x1b[31m", "abc\nd[31m"},
		{"a table", "| Year | Sales |\n|:-----|------:|\n| 2023 | **9**  |\n| 2024 | 1,200 |\n\nend",
			"```\nYear  Sales\n───────────\n2023      9\n2024  1,200\n```\n\nend"},
		{"a wide table", "| A | B |\n|---|---|\n| " + strings.Repeat("x", 60) + " | " + strings.Repeat("y", 60) + " |",
			"- **A**: " + strings.Repeat("x", 60) + " · **B**: " + strings.Repeat("y", 60)},
		{"wide characters", "| 日本 | b |\n|--|--|\n| x | y |", "```\n日本  b\n───────\nx     y\n```"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := markup(c.in); got != c.want {
				t.Errorf("got\n%q, want\n%q", got, c.want)
			}
		})
	}
}

// hostile is what a model or a file's name may hold against readers.
var hostile = []string{"@everyone", "@here", "@EVERYONE", "<@1>", "<@!1>", "<@&1>", "<#1>", "<:x:1>", "<a:x:1>", "<t:1:R>", "</memory forget:1>", "<id:guide>", "@every\x00one", "<\u202e@1>", "@ever\u2066yone", "<@U-Bob>"}

func TestNothingWeSayMentions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bad := strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(hostile, "```", "`", "\n", "| a |\n|---|\n", "[", "](https://e.org/", ")", " ", "\\", "**", "__", "<br>")), 1, 30).Draw(t, "text"), "")
		m := platform.Outgoing{Nonce: "tk", Kind: rapid.SampledFrom([]platform.Kind{platform.KindReply, platform.KindNotice, platform.KindError, platform.KindErased}).Draw(t, "kind"), Text: bad,
			Question:  &platform.Question{Text: bad, Options: []platform.Button{{Label: bad + strings.Repeat(bad, 20), Action: "q"}, {Label: "b", Action: "c"}, {Label: "d", Action: "e"}}},
			Citations: []memory.Citation{{N: 1, Document: bad, Link: "https://e.org/" + bad, Page: 2, Quote: bad}}}
		all := render(m, mark{})
		for _, msg := range append(all, renderGrowing(bad, mark{nonce: "tk"}, "")...) {
			if found := tag.FindString(msg.Content); found != "" {
				t.Fatalf("%q in %q", found, msg.Content)
			}
			if len(msg.AllowedMentions.Parse) != 0 || msg.AllowedMentions.Parse == nil || msg.AllowedMentions.RepliedUser || msg.Flags&flagNoEmbeds == 0 {
				t.Fatalf("mentions %+v flags %d", msg.AllowedMentions, msg.Flags)
			}
			if kit.Length(msg.Content) > maxContent || strings.TrimSpace(msg.Content) == "" {
				t.Fatalf("%d units", kit.Length(msg.Content))
			}
		}
		if name := threadName(bad, nil); tag.MatchString(name) || kit.Length(name) > maxThreadName || strings.TrimSpace(name) == "" || strings.Contains(name, "\n") {
			t.Fatalf("thread %q", name)
		}
	})
}

func TestThreadNames(t *testing.T) {
	for in, want := range map[string]string{
		"<@5> what is the notice period?":                       "what is the notice period?",
		"\n  \n**Summarise** [this](https://e.org) <:yes:1>\nx": "Summarise this yes",
		"Hi. Can you help me with my contract? It is long.":     "Hi. Can you help me with my contract?",
		"Tell me a story. A long one.":                          "Tell me a story",
		"wait ...":                                              "wait ...",
		"> a question that came as a command":                   "a question that came as a command",
		"<@5>":                                                  "Conversation",
		"":                                                      "Conversation",
		strings.Repeat("word ", 60):                             strings.TrimSpace(strings.Repeat("word ", 19)) + "…",
		strings.Repeat("🎉", 80):                                 strings.Repeat("🎉", 49) + "…",
	} {
		if got := threadName(in, nil); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := threadName("<@5>", []wireAttachment{{Filename: "a_b.pdf", Title: "a b"}, {Filename: "c.txt"}}); got != "a b.pdf" {
		t.Errorf("a file alone names the thread %q", got)
	}
}

func TestCitationsAreSmallPrint(t *testing.T) {
	m := platform.Outgoing{Nonce: "tk", Kind: platform.KindReply, Text: "Three years [1].", Feedback: true, Citations: []memory.Citation{
		{N: 1, Document: "re_port[1].pdf", Link: "https://discord.com/channels/1/2/3", Page: 6, Quote: "lasts *three*\nyears"},
		{N: 2, Document: "notes.txt", Link: "javascript:alert(1)", Page: 1},
		{N: 3, Document: "re_port[1].pdf", Page: 6, Quote: "again"}}}
	all := render(m, mark{})
	want := "Three years [1].\n\n" +
		"-# [1] [re\\_port\\[1\\].pdf, page 6](https://discord.com/channels/1/2/3) · “lasts \\*three\\* years”\n" +
		"-# [2] notes.txt, page 1\n-# [3] re\\_port\\[1\\].pdf, page 6 · “again”"
	if all[0].Content != want {
		t.Errorf("got\n%s\nwant\n%s", all[0].Content, want)
	}
	var ids []string
	for _, row := range buttons(t, all[0]) {
		ids = append(ids, strings.Join(row, " "))
	}
	if got := strings.Join(ids, " | "); got != "page:tk:1 page:tk:2 fb:tk:helpful fb:tk:unhelpful" {
		t.Errorf("buttons %s", got)
	}
}

// buttons are the actions of a message's rows, those of a menu in parentheses.
func buttons(t *testing.T, m message) [][]string {
	t.Helper()
	b, err := json.Marshal(m.Components)
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Components []struct {
			ID      string `json:"custom_id"`
			Label   string
			Options []struct{ Value, Label string }
		}
	}
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	var all [][]string
	for _, r := range rows {
		var row []string
		for _, c := range r.Components {
			if len(c.ID) > maxCustomID || seen[c.ID] || kit.Length(c.Label) > maxLabel {
				t.Errorf("custom id %q, label %q", c.ID, c.Label)
			}
			seen[c.ID] = true
			action, k := readCustomID(c.ID)
			if k.nonce != m.Nonce && !strings.HasPrefix(m.Nonce, k.nonce+"-") {
				t.Errorf("marked with %q, not %q", k.nonce, m.Nonce)
			}
			row = append(row, action)
			for _, o := range c.Options {
				action, _ := readCustomID(o.Value)
				row = append(row, "("+action+")")
			}
		}
		all = append(all, row)
	}
	return all
}

func asked(labels ...string) platform.Outgoing {
	q := &platform.Question{Text: "Which one?"}
	for i, l := range append(labels, "Something else", "Just answer") {
		q.Options = append(q.Options, platform.Button{Label: l, Action: "q:t:" + itoa(uint64(i))})
	}
	return platform.Outgoing{Nonce: "tk0123456789abcdef0123", Kind: platform.KindReply, Text: q.Text, Question: q}
}

func TestQuestionsAreButtonsOrAMenu(t *testing.T) {
	long := strings.Repeat("long ", 30)
	for name, c := range map[string]struct {
		m    platform.Outgoing
		want string
	}{
		"short labels share a row":   {asked("Red", "Blue"), "q:t:0 q:t:1 q:t:2 q:t:3"},
		"long labels are stacked":    {asked("The colour of the wall", "The colour of the roof", "Both"), "q:t:0 | q:t:1 | q:t:2 | q:t:3 q:t:4"},
		"above five there is a menu": {asked("a", "b", "c", "d"), "menu (q:t:0) (q:t:1) (q:t:2) (q:t:3) | q:t:4 q:t:5"},
	} {
		t.Run(name, func(t *testing.T) {
			all := render(c.m, mark{})
			var rows []string
			for _, r := range buttons(t, all[0]) {
				rows = append(rows, strings.Join(r, " "))
			}
			if got := strings.Join(rows, " | "); got != c.want || all[0].Content != "Which one?" {
				t.Errorf("%q, %s", all[0].Content, got)
			}
		})
	}
	if text := render(asked(long, "b"), mark{})[0].Content; !strings.Contains(text, "1. "+strings.TrimSpace(long)) {
		t.Errorf("a label that is cut is not written out: %q", text)
	}
	many := make([]string, 40)
	for i := range many {
		many[i] = "option " + itoa(uint64(i))
	}
	if rows := buttons(t, render(asked(many...), mark{})[0]); len(rows[0]) != 1+maxMenu || len(rows) != 2 {
		t.Errorf("%d choices", len(rows[0])-1)
	}
}

func TestNoPostHasTooManyButtons(t *testing.T) {
	m := reply("x")
	m.Feedback = true
	m.Buttons = []platform.Button{{Label: "Retry", Action: "retry"}, {Label: "Again", Action: "retry"}, {Label: "Long", Action: strings.Repeat("x", 100)}, {Label: "Nothing"}}
	for i := range 60 {
		m.Citations = append(m.Citations, memory.Citation{N: i + 1, Document: "a.pdf", Page: i + 1})
	}
	all := render(m, mark{thread: "12345678901234567890"})
	rows := buttons(t, all[len(all)-1])
	if len(rows) != maxRows || strings.Join(rows[4], " ") != "retry fb:tk0123456789abcdef0123:helpful fb:tk0123456789abcdef0123:unhelpful" {
		t.Errorf("rows %v", rows)
	}
}

func TestAnAddressStandsInALink(t *testing.T) {
	for in, want := range map[string]string{
		"https://discord.com/channels/@me/1/2":      "https://discord.com/channels/@me/1/2",
		"https://example.org/a_(b)@Everyone?c=<@5>": "https://example.org/a_%28b%29%40Everyone?c=%3C@5%3E",
		"javascript:alert(1)":                       "",
	} {
		if got := webLink(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
