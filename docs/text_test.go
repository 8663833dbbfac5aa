package docs

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestDecode by the mark; bytes that are no text give none.
func TestDecode(t *testing.T) {
	for _, tt := range []struct{ data, want string }{
		{"Köln", "Köln"}, {"\xEF\xBB\xBFKöln", "Köln"}, {"K\xf6ln \x80 5", "Köln € 5"},
		{"\xff\xfeK\x00\xf6\x00", "Kö"}, {"\xfe\xff\x00K\x00\xf6", "Kö"}, {"\xff\xfe\x3d\xd8\x42\xde", "🙂"},
		{"a\x00b", ""}, {"\xff\xfe\x00\x00K\x00\x00\x00", ""},
	} {
		if got, ok := decode([]byte(tt.data)); got != tt.want || ok != (tt.want != "") {
			t.Errorf("decode(%q) = %q, %v, want %q", tt.data, got, ok, tt.want)
		}
	}
}

func TestCleanName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"report.pdf", "report.pdf"},
		{`C:\Users\ada\Q3_report (final).pdf`, "Q3_report (final).pdf"},
		{"../../etc/passwd", "passwd"},
		{"a\nb\x1b[31m\u202Egnp.exe\x00", "a b(31mgnp.exe"},
		{"**bold** [x](y) <!channel> @everyone.pdf", "bold-- (x)(y) (!channel) -everyone.pdf"},
		{"__init__.py", "__init__.py"},
		{"_draft_.md", "_draft_.md"},
		{"-dash.md", "-dash.md"},
		{"_--x.md", "_--x.md"},
		{"- a list.md", "a list.md"},
		{"-# small.md", "small.md"},
		{"---", "file"},
		{"", "file"},
		{"///", "file"},
		{"..", "file"},
		{"Bericht 会議.docx", "Bericht 会議.docx"},
		{strings.Repeat("ä", 300) + ".pdf", strings.Repeat("ä", 196) + ".pdf"},
	}
	for _, tt := range tests {
		if got := cleanName(tt.name); got != tt.want {
			t.Errorf("cleanName(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCleanNameIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := cleanName(rapid.String().Draw(t, "name"))
		if name == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsAny(name, "\n\r\t*`[]<>|~@/\\") {
			t.Fatalf("%q", name)
		}
		if again := cleanName(name); again != name {
			t.Fatalf("%q becomes %q", name, again)
		}
	})
}

func TestNameTerms(t *testing.T) {
	if got := nameTerms("AnnualReport_2023-final.pdf"); got != "annual report 2023 final" {
		t.Errorf("%q", got)
	}
}

func TestClean(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"line ends", "a  \r\nb\rc\u2028d\n\n", "a\nb\nc\nd"},
		{"zero width", "pass\u200bword\ufeff", "password"},
		{"bidi", "a\u202Eb\u2066c\u2069", "abc"},
		{"tags", "ok\U000E0049\U000E0067\U000E006E", "ok"},
		{"variation selectors", "x\U000E0100\U000E0101", "x"},
		{"soft hyphen", "co\u00ADoperate", "cooperate"},
		{"controls", "a\x00b\x07c\td", "abc\td"},
		{"composed", "e\u0301", "é"},
		{"bad UTF-8", "a\xffb", "a\uFFFDb"},
		{"Persian joiner", "می\u200cخواهم", "می\u200cخواهم"},
		{"Latin joiner", "a\u200cb", "ab"},
		{"emoji", "👩\u200d🚀 ❤\uFE0F", "👩\u200d🚀 ❤\uFE0F"},
		{"filler", "a\u3164b", "ab"},
	}
	for _, tt := range tests {
		if got := clean(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPassagesAreSubstringsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.SampledFrom([]rune("abcé中-.")), 1, 40, -1)
		text := clean(strings.Join(rapid.SliceOfN(word, 1, 300).Draw(t, "words"), rapid.SampledFrom([]string{" ", "\n", "\n\n", ""}).Draw(t, "between")))
		spans := passages(text)
		at := 0
		for _, s := range spans {
			if strings.TrimSpace(text[at:s.start]) != "" {
				t.Fatalf("%q belongs to no passage", text[at:s.start])
			}
			passage := text[s.start:s.end]
			if n := utf8.RuneCountInString(passage); n > passageChars || n == 0 || !utf8.ValidString(passage) {
				t.Fatalf("passage of %d characters", n)
			}
			at = s.end
		}
		if strings.TrimSpace(text[at:]) != "" {
			t.Fatalf("%q belongs to no passage", text[at:])
		}
	})
}

func TestPassageTermsJoinDividedWords(t *testing.T) {
	got := " " + passageTerms("the inter-\nnational self-\nwinding clock of 1998-\n2004 by Smith-\nJones") + " "
	for _, want := range []string{" intern ", " selfwind ", " self ", " wind ", " 1998 ", " 2004 ", " smith ", " jone "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

// TestTextsThatBeginLikeAPictureAreRead: the signatures of some pictures, fonts and sounds are letters.
func TestTextsThatBeginLikeAPictureAreRead(t *testing.T) {
	for text, want := range map[string]kind{"BMW sells cars.": kindText, "OTTO GmbH": kindText, "OTTO\x00\x0a\x00\x80\x00\x03": ""} {
		if k, err := kindOf([]byte(text), "a.txt", ""); k != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, k, err)
		}
	}
}

func FuzzKindOf(f *testing.F) {
	f.Add([]byte("%PDF-1.7"), "a.pdf")
	f.Add([]byte("\x00a\x00b"), "a.txt")
	f.Add([]byte("[1,2"), "a.json")
	f.Add([]byte("\ufeff"), "a.csv")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		k, err := kindOf(data, name, "")
		if err != nil || k == kindPDF {
			return
		}
		parts, _, err := readParts(k, data, 1000)
		if err != nil {
			return
		}
		for _, p := range parts {
			if !utf8.ValidString(p.Text) || strings.TrimSpace(p.Text) == "" {
				t.Errorf("part %q", p.Text)
			}
		}
	})
}

// TestControlCharactersAreNoReasonToRefuseAText: they are taken out, an escape sequence as a whole. Data that is no text is refused.
func TestControlCharactersAreNoReasonToRefuseAText(t *testing.T) {
	for data, want := range map[string]string{
		"\x1b[31mERROR\x1b[0m the pump failed":                               "ERROR the pump failed",
		"\x1b]0;a title\x07The \x1b[1;32mvalve\x1b[m is fine\x1b(B":          "The valve is fine",
		"\x1b]8;;https://a.example\x1b\\a link\x1b]8;;\x1b\\ and a text":     "a link and a text",
		"the pump\x08 costs 5 euros and the valve 6, but the lid\x01 is 7.":  "the pump costs 5 euros and the valve 6, but the lid is 7.",
		"an escape \x1b] without an end\nis followed by what the text says.": "an escape ] without an end\nis followed by what the text says.",
	} {
		text, ok := decode([]byte(data))
		if k, err := kindOf([]byte(data), "run.log", ""); !ok || clean(text) != want || k != kindText {
			t.Errorf("%q: %q %v %v %v", data, clean(text), ok, k, err)
		}
	}
	for _, data := range []string{"a\x00b", "\x02\x9a\x07\x11\xff\x04 \x01\x03", strings.Repeat("\x1f\x8b\x08text and more of it", 40)} {
		if _, ok := decode([]byte(data)); ok {
			t.Errorf("%q is a text", data)
		}
	}
}
