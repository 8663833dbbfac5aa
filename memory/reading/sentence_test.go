package reading

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPageSentences(t *testing.T) {
	got := PageSentences("Costs rose by 3.5 percent, e.g. in Oslo. Dr. Berg\nled U.S. Cellular until May.\n\nOutlook\n- first point\n- second point\n価格は五円です。次は何ですか。")
	want := []string{"Costs rose by 3.5 percent, e.g. in Oslo.", "Dr. Berg led U.S. Cellular until May.", "Outlook", "- first point", "- second point", "価格は五円です。", "次は何ですか。"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

func TestMessageSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"One. Two? Three!":                         {"One.", "Two?", "Three!"},
		"Dr. Smith paid $4.2M, e.g. in May. Done.": {"Dr. Smith paid $4.2M, e.g. in May.", "Done."},
		"See example.com now. It was 2026. Yes.":   {"See example.com now.", "It was 2026.", "Yes."},
		"a\nb\n\n- c":                              {"a", "b", "- c"},
		"今日は晴れ。明日は雨。":                              {"今日は晴れ。", "明日は雨。"},
		"...":                                      nil,
	} {
		if got := MessageSentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestInitialsEndNoSentence, and other single letters do where a word follows that begins sentences.
func TestInitialsEndNoSentence(t *testing.T) {
	one := []string{"S. H. Khan attended the meeting.", "The board thanked J. Smith for his work.", "George W. Bush won the state.", "It was signed by A. B. Carter and R. Ortiz.",
		"J.R.R. Tolkien wrote it in Oxford.", "Franklin D. Roosevelt opened the dam.", "Dr. M. Weber leads the team.", "The U.S. Government pays half.",
		"Johann S. Bach lebte in Leipzig.", "El Sr. P. Gómez firmó el acta.", "M. L. Dupont a signé le bail.", "Prof. K. Lindqvist of Uppsala was heard.",
		"K. Rao and S. H. Khan attended.", "Ursula K. Le Guin wrote it.", "Robert M. De Niro was there.", "It was said by George F. Will in May.", "Philip J. La Follette won.", "Mary J. Blige sang.", "A. The tenant pays for repairs."}
	two := []string{"Take vitamin C. The dose is small.", "We chose plan B. It costs less.", "The answer is A. In 2024 it was another.",
		"It went to court with Mr. X. This took a year.", "The grade was B. No one complained.", "They raised a series A. Then they hired.", "He read from A to Z. We listened.",
		"Turn to appendix A. There are two tables.",
		"C'est dans l'annexe C. Les frais sont inclus.", "Está en el anexo D. El plazo es corto.", "The gene is called P. These mice lack it.", "Use valve K. If it leaks, close it."}
	for n, list := range [][]string{one, two} {
		for _, text := range list {
			if got := PageSentences(text); len(got) != n+1 {
				t.Errorf("%q", got)
			}
		}
	}
}

func TestAnExcerptHasWhatDecides(t *testing.T) {
	const s = "In the fourth quarter of fiscal 2022 compared to the fourth quarter of fiscal 2021, which had one week less than the quarter before it, transactions increased 13.6% and average ticket increased 1.8%, while costs fell."
	for like, want := range map[string]string{
		"Transactions rose 13.6% and the average ticket 1.8%.": "transactions increased 13.6% and average ticket increased 1.8%",
		"the fourth quarter of fiscal 2022":                    "In the fourth quarter of fiscal 2022",
		"Costs fell.":                                          "costs fell.",
		"":                                                     "In the fourth",
	} {
		got := Excerpt(s, like, 100)
		if n := utf8.RuneCountInString(got); !strings.Contains(got, want) || n > 100 || n < 60 || !strings.Contains(got, "…") {
			t.Errorf("%q: %d %q", like, n, got)
		}
	}
	for _, s := range []string{"", "short  words", strings.Repeat("ä", 300), strings.Repeat("ä ", 300)} {
		if n := utf8.RuneCountInString(Excerpt(s, "words", 50)); n > 50 || s == "short  words" && n != 11 {
			t.Errorf("%q: %d", s, n)
		}
	}
}
