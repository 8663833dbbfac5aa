package slack

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// live is what Slack would read as a mention, or as a link that hides where it goes.
var live = regexp.MustCompile(`(?i)<[!@#]|(^|[^\w\x{200b}])@(channel|here|everyone)\b`)

var hostile = []string{
	"Hello <!channel>, <!here|here>, <!everyone> and <@U0123ABCD>, <@W1|bob>",
	"<!subteam^S0123|@team> and <#C0123|general> and <!date^1^{date}|x>",
	"@channel, (@here) and @Everyone",
	"`<!channel>` in code and ``<@U1> ` @here``",
	"```\n<!channel> @channel <@U1>\n```",
	"> quoted <!here>\n\n- <!everyone>",
	"[click <!channel>](https://example.com/<@U1>)",
	"| <!here> | @channel |\n|---|---|\n| <@U1> | x |",
	"one tick ` <!channel> and no other",
	"~~~\n<!here>\n```\n<@U1>\n",
}

func TestPostsMentionNoOne(t *testing.T) {
	for _, text := range hostile {
		if got := neutral(text); live.MatchString(got) {
			t.Errorf("Markdown %q still mentions: %q", text, got)
		}
		if got := markup(neutral(text)); live.MatchString(got) {
			t.Errorf("mrkdwn of %q still mentions: %q", text, got)
		}
		if got := markup(text); regexp.MustCompile(`<[!@#]`).MatchString(got) {
			t.Errorf("mrkdwn alone of %q still mentions: %q", text, got)
		}
		if got := plainLabel(text); live.MatchString(got) {
			t.Errorf("a label of %q still mentions: %q", text, got)
		}
	}
}

func TestNeutralLeavesTheRest(t *testing.T) {
	for in, want := range map[string]string{
		"plain text, a & b":                      "plain text, a & b",
		"if a < b and c > d":                     "if a &lt; b and c > d",
		"`List<String>` and `<div>`":             "`List<String>` and `<div>`",
		"```html\n<!DOCTYPE html>\n<p>\n```\n":   "```html\n<\u200b!DOCTYPE html>\n<p>\n```\n",
		"see <https://example.com/a?b=1&c=2>":    "see https://example.com/a?b=1&c=2",
		"<https://evil.example|click here>":      "&lt;https://evil.example|click here>",
		"> a quote\n> goes on":                   "> a quote\n> goes on",
		"ada@here.example is an address":         "ada@here.example is an address",
		"a\x00b\u202egnp.exe":                    "abgnp.exe",
		"[text](https://example.com)":            "[text](https://example.com)",
		"[https://a.example](https://b.example)": "https://a.example (https://b.example)",
		"`[x](javascript:1)` [x](javascript:1)":  "`[x](javascript:1)` x",
		"&lt;!channel&gt; &#60;@U1> &#X3C;#C1>":  "&lt;\u200b!channel&gt; &#60;\u200b@U1> &#X3C;\u200b#C1>",
	} {
		if got := neutral(in); got != want {
			t.Errorf("neutral(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

// What a stream has shown is how the whole begins, wherever the text is cut.
func TestStableTextIsNotTakenBack(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"word ", "<!channel> ", "`code` ", "` ", "`` a ` b `` ", "\n", "\n\n", "```", "```go\n", "~~~\n", "<", "!here>", "@chan", "nel ", "@", "here ",
		"https://example.com ", "<https://example.com> ", "[https://a.example ", "and](", "https://b.example", ") ", "[1] ", "| a | b |\n", "- item ", "é ", "    "})
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(pieces, 1, 30).Draw(t, "pieces")
		whole := strings.Join(parts, "")
		for at := range whole {
			early := whole[:at]
			shown := neutral(early[:stable(early)])
			if !strings.HasPrefix(neutral(whole), shown) {
				t.Fatalf("after %q was shown\n%q, the whole became\n%q", early, shown, neutral(whole))
			}
		}
	})
}
