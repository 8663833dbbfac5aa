package agent

import "testing"

func TestNumberedIn(t *testing.T) {
	for text, want := range map[string]numbered{
		"What is on page 12?":           {text: "page 12", page: 12, number: "12"},
		"p. 3, please":                  {text: "p. 3", page: 3, number: "3"},
		"Was steht auf Seite 4":         {text: "Seite 4", page: 4, number: "4"},
		"Explain section 4.2a.":         {text: "section 4.2a", number: "4.2a"},
		"§ 3":                           {text: "§ 3", number: "3"},
		"que dit la clause 7 du bail ?": {text: "clause 7", number: "7"},
		"第1条には何と書いてありますか": {text: "第1条", number: "1"},
		"12ページ":                  {text: "12ページ", page: 12, number: "12"},
		"The S5 has 3 pages":     {},
		"Who won the 4th match?": {},
	} {
		var got numbered
		if all := numberedIn(text); len(all) > 0 {
			got = all[0]
		}
		if got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}
