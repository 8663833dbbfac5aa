package kit

import "testing"

func TestLinksSayWhereTheyGo(t *testing.T) {
	for in, want := range map[string]string{
		"[text](https://example.com)":                                  "[text](https://example.com)",
		"[https://example.com/a](https://example.com/b)":               "[https://example.com/a](https://example.com/b)",
		"[www.example.com](https://example.com)":                       "[www.example.com](https://example.com)",
		"[https://bank.example](https://evil.example)":                 "https://bank.example (https://evil.example)",
		"[go to HTTPS://Bank.example/login](https://evil.example/x)":   "go to HTTPS://Bank.example/login (https://evil.example/x)",
		"[https://bank.example](https://bank.example@evil.example)":    "https://bank.example (https://bank.example@evil.example)",
		"[www.bank.example]( <https://evil.example> \"title\" )":       "www.bank.example (https://evil.example)",
		"[a](javascript:alert(1)) [b](JAVASCRIPT:x)":                   "a b",
		"[a](data:text/html,x) [b](file:///etc/passwd) [c](slack://x)": "a b c",
		"[a](http://[) [b](https:)":                                    "a b",
		"[report.pdf](https://files.example/1) [1] (see 2)":            "[report.pdf](https://files.example/1) [1] (see 2)",
		"[wiki](https://en.wikipedia.org/wiki/A_(b))":                  "[wiki](https://en.wikipedia.org/wiki/A_(b))",
		"[mail](mailto:a@b.example) [there](../x)":                     "[mail](mailto:a@b.example) [there](../x)",
		"![https://a.example](https://b.example)":                      "!https://a.example (https://b.example)",
	} {
		if got := HonestLinks(in); got != want {
			t.Errorf("HonestLinks(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}
