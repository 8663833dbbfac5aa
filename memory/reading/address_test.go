package reading

import "testing"

func TestReplaceAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"See https://evil.shop/a?b=c#d.":               "See <evil.shop/…>.",
		"(https://evil.shop) and http://evil.shop/":    "(<evil.shop>) and <evil.shop/…>",
		"evil.zip/x, evil.shop:8080 and evil.shop?x=1": "<evil.zip/…>, <evil.shop/…> and <evil.shop/…>",
		"https://user:pass@evil.shop/x":                "<evil.shop/…>",
		"https://[2001:db8::1]:8443/x or [::1]/y":      "<[2001:db8::1]/…> or <[::1]/…>",
		"http://203.0.113.9/x and 203.0.113.9:80":      "<203.0.113.9/…> and <203.0.113.9/…>",
		"аррӏе.shop/x and xn--80ak6aa92e.xn--p1ai":     "<аррӏе.shop/…> and <xn--80ak6aa92e.xn--p1ai>",
		"例え．テスト/x と。次":                                 "<例え．テスト/…> と。次",
		"evil.shop./x":                                 "<evil.shop/…>",
		"file.mp3/evil.shop/x":                         "file.mp3/<evil.shop/…>",
		"3.14evil.shop/x":                              "<3.14evil.shop/…>",
		"slack://channel?id=1 and obsidian://x":        "<slack:…> and <obsidian:…>",
		"javascript:alert(1) mailto:a@b.shop?body=x":   "<javascript:…>) <a@b.shop/…>",
		"git@evil.shop:x/y.git or a@b.shop: thanks":    "<git@evil.shop/…> or <a@b.shop>: thanks",
		"Write to a.b@evil.shop, please":               "Write to <a.b@evil.shop>, please",
		"https:/evil.shop/x":                           "<evil.shop/…>",
		"_https://evil.shop/x_ **evil.shop**":          "_<evil.shop/…>_ **<evil.shop>**",
		"Version 1.2.3, 10.5 %, e.g. a.b, p. 3, U.S.A": "Version 1.2.3, 10.5 %, e.g. a.b, p. 3, U.S.A",
		"it ends. Then and/or: 12:30, C:/Users, [12]":  "it ends. Then and/or: 12:30, C:/Users, [12]",
		"at 9.30 a.m. on 3.4.2026 [1]. z.B. 1.000,50":  "at 9.30 a.m. on 3.4.2026 [1]. z.B. 1.000,50",
	} {
		if got := ReplaceAddresses(text, func(a string) string { return "<" + HostOf(a) + ">" }); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestLeads(t *testing.T) {
	for _, spelling := range []string{"https://www.Ours.example/a", "http://ours.example/", "ours.example.", "ours.example/a?b=c"} {
		if !Leads(spelling, "https://ours.example/a?b=c") {
			t.Errorf("does not lead: %s", spelling)
		}
	}
	for _, other := range []string{"https://ours.example/a1", "ours.example.evil.shop", "https://ours.example@evil.shop", "notours.example", "ours.example/a?b", "ours.example/a?b=d"} {
		if Leads(other, "https://ours.example/a?b=c") {
			t.Errorf("leads: %s", other)
		}
	}
}
