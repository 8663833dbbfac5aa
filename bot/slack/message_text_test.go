package slack

import (
	"testing"

	"threadkeeper/bot/platform/kit"
)

func TestMarkdown(t *testing.T) {
	n := naming{us: "U0BOT",
		person:  func(id string) string { return map[string]string{"U0ADA": "Ada <L>", "U0BOB": "Bob"}[id] },
		channel: func(id string) string { return map[string]string{"C0GEN": "general"}[id] }}
	for _, c := range []struct{ in, want string }{
		{"<@U0BOT> what is new?", "what is new?"},
		{"<@U0BOT|bot>, what is new?", "what is new?"},
		{"what is new <@U0BOT>?", "what is new?"},
		{"what is new, <@U0BOT>?", "what is new?"},
		{"what is new, <@U0BOT>\nand where?", "what is new\nand where?"},
		{"<@U0BOT> <@U0BOT>: what is new?", "what is new?"},
		{"<@U0BOT> :wave: hello", ":wave: hello"},
		{"well <@U0BOT> :thinking_face: what is new?", "well :thinking_face: what is new?"},
		{"thanks <@U0BOT>", "thanks"},
		{"tell <@U0BOT> about it", "tell about it"},
		{"one\n<@U0BOT> two", "one\ntwo"},
		{"<@U0BOT>", ""},
		{"<@U0BOT>\n```\n  if a &lt; b {\n```", "```\n  if a < b {\n```"},
		{"ask <@U0BOB> or <@U0ADA>", "ask @Bob or @Ada <L>"},
		{"ask <@U0NEW> or <@U0OLD|olga>", "ask @U0NEW or @olga"},
		{"see <#C0GEN> and <#C0OTH|random> and <#C0X|>", "see #general and #random and #C0X"},
		{"<!here> <!channel> <!everyone> <!subteam^S1|@dev> <!subteam^S2>", "@here @channel @everyone @dev @S2"},
		{"<!date^1392734382^{date}|18 Feb 2014>", "18 Feb 2014"},
		{"<https://a.example/x?a=1&amp;b=2>", "https://a.example/x?a=1&b=2"},
		{"<https://a.example/x|the page>", "[the page](https://a.example/x)"},
		{"<http://a.example|a.example>", "http://a.example"},
		{"<https://a.example/(x)|a [b]>", `[a \[b\]](https://a.example/(x%29)`},
		{"<mailto:a@b.example|a@b.example> <tel:+491|+49 1>", "a@b.example +49 1"},
		{"1 &lt; 2 &amp;&amp; 3 &gt; 2, &amp;lt;", "1 < 2 && 3 > 2, &lt;"},
		{"Vec<String>", "Vec<String>"},
		{"*bold* _it_ ~no~ `x`", "*bold* _it_ ~no~ `x`"},
	} {
		if got := n.markdown(c.in); got != c.want {
			t.Errorf("%q became %q, want %q", c.in, got, c.want)
		}
	}
}

func TestOpensToOther(t *testing.T) {
	for text, want := range map[string]bool{
		"<@U0BOB> hi": true, "  , <@U0BOB|bob> hi": true, "<!subteam^S1|@dev> hi": true,
		"<!here> hi": true, "<!channel|@channel>: hi": true, "hi <@U0BOB>": true, ":wave: <@U0BOB>": true,
		"<@U0BOT> <@U0BOB> hi": false, "what does <@U0BOB> say?": false, "": false, "<#C1> hi": false, "<!date^1|now> hi": false,
	} {
		if got := opensToOther(text, "U0BOT"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestBlocksAsText(t *testing.T) {
	for in, want := range map[string]string{
		`[{"type":"section","text":{"type":"mrkdwn","text":"*hi*"},"fields":[{"type":"mrkdwn","text":"a"},{"type":"plain_text","text":"b"}]}]`:                                                                                                                                                      "*hi*\na\nb",
		`[{"type":"header","text":{"type":"plain_text","text":"Title"}},{"type":"markdown","text":"# T"},{"type":"divider"},{"type":"image","image_url":"x"}]`:                                                                                                                                      "Title\n# T",
		`[{"type":"rich_text","elements":[{"type":"rich_text_quote","elements":[{"type":"text","text":"a\nb"}]},{"type":"rich_text_list","style":"bullet","indent":1,"elements":[{"type":"rich_text_section","elements":[{"type":"emoji","name":"tada"},{"type":"broadcast","range":"here"}]}]}]}]`: "> a\n> b\n  - :tada:<!here>",
		`[{"type":"table","rows":[[{"type":"raw_text","text":"a<b"},{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"user","user_id":"U1"}]}]}],[{"type":"raw_text","text":"c"},{"type":"raw_text","text":"d"}]]}]`:                                                 "a&lt;b | <@U1>\nc | d",
	} {
		var blocks list[block]
		if err := kit.Decode([]byte(in), &blocks); err != nil {
			t.Fatal(err)
		}
		if got := written(blocks); got != want {
			t.Errorf("%s says %q, want %q", in, got, want)
		}
	}
}
