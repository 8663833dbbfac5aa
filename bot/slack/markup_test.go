package slack

import "testing"

func TestMrkdwn(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"emphasis", "**bold**, *italic*, ~~gone~~, `code`", "*bold*, _italic_, ~gone~, `code`"},
		{"escaping", "a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"},
		{"entities are not escaped twice", "a &lt; b &amp; c", "a &lt; b &amp; c"},
		{"backslash", `\*not bold\*`, "*not bold*"},
		{"link", "[the *docs*](https://example.com/a?b=1&c=2)", "<https://example.com/a?b=1&amp;c=2|the docs>"},
		{"address", "see https://example.com/x.", "see <https://example.com/x>."},
		{"a link that runs code", "[x](javascript:alert(1))", "x"},
		{"a link's text cannot end the link", "[a|b>c](https://example.com)", "<https://example.com|a¦b&gt;c>"},
		{"an address cannot end the link", "[a](https://example.com/%3E|<!channel)", "<https://example.com/%3E%7C%3C%21channel|a>"},
		{"picture", "![a cat](https://example.com/cat.png)", "<https://example.com/cat.png|a cat>"},
		{"heading", "# Title **bold**\ntext", "*Title bold*\n\ntext"},
		{"lists", "- one\n- two\n    1. deep\n    2. deeper\n- three", "• one\n• two\n    1. deep\n    2. deeper\n• three"},
		{"a list that starts later", "3. c\n4. d", "3. c\n4. d"},
		{"quote", "> said\n> so\n\nme", "> said\n> so\n\nme"},
		{"fence", "```go\nif a < b {\n}\n```", "```\nif a &lt; b {\n}\n```"},
		{"a fence in a fence", "````\n```\n````", "```\n``\u200b`\n```"},
		{"wide table", "|  | Acme & Co | Zenith |\n|---|---|---|\n| Price | 4,000 euros, paid in two halves, one with the order [1] | not stated |\n| Delivery | 6 weeks [2] | 9 weeks [3] |",
			"• Price · *Acme &amp; Co*: 4,000 euros, paid in two halves, one with the order [1] · *Zenith*: not stated\n• Delivery · *Acme &amp; Co*: 6 weeks [2] · *Zenith*: 9 weeks [3]"},
		{"table", "| name | n |\n|---|--:|\n| Ada & Bob | 1 |\n| Cy | 22 |", "```\nname       n\n─────────  ──\nAda &amp; Bob  1\nCy         22\n```"},
		{"rule", "a\n\n---\n\nb", "a\n\n———\n\nb"},
		{"lines", "one\ntwo  \nthree", "one\ntwo\nthree"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := markup(c.in); got != c.want {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}
