package discord

import (
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
		if name := threadName(bad, nil); tag.MatchString(name) || kit.Length(name) > maxThreadName || name != "" && strings.TrimSpace(name) == "" || strings.Contains(name, "\n") {
			t.Fatalf("thread %q", name)
		}
	})
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
