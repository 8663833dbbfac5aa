package say

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"threadkeeper/memory/reading"
)

// sentencesOf are all that a wording says, by the names of its fields.
func sentencesOf(w *Words) map[string]string {
	all := make(map[string]string)
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			all[name] = v.String()
		case reflect.Struct:
			for i := range v.NumField() {
				walk(strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(fmt.Sprintf("%s[%d]", name, i), v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(name+"["+key.String()+"]", v.MapIndex(key))
			}
		case reflect.Func:
		default:
			panic(name + " is not looked at")
		}
	}
	walk("", reflect.ValueOf(*w))
	return all
}

var (
	verb   = regexp.MustCompile(`%(\[\d+\])?[.\d]*[a-z]`)
	typed  = regexp.MustCompile("`[^`]*`")
	caps   = regexp.MustCompile(`\b[A-Z]+(_[A-Z]+)+\b`)
	number = regexp.MustCompile(`\[\d+\]$`)
)

// verbs are the verbs of a sentence in the order of what they stand for.
func verbs(sentence string) []string {
	found := verb.FindAllString(sentence, -1)
	if strings.Contains(sentence, "%[") {
		slices.Sort(found)
	}
	for i := range found {
		found[i] = regexp.MustCompile(`\[\d+\]`).ReplaceAllString(found[i], "")
	}
	return found
}

// alike are what other languages say as English does.
var alike = []string{"Shown", "Untitled", "Pages", "Documents", "KnownDocuments", "Compaction", "Moment", "Thousand", "Context"}

// TestEveryLanguageSaysEverything compares with English: nothing is missing or left in
// English, and what is filled in, typed or set is the same.
func TestEveryLanguageSaysEverything(t *testing.T) {
	model := sentencesOf(english)
	for language, w := range wordings {
		all := sentencesOf(w)
		for name := range model {
			if _, ok := all[name]; !ok {
				t.Errorf("%s has no %s", language, name)
			}
		}
		if w.Code != language {
			t.Errorf("%s is called %s", language, w.Code)
		}
		for name, text := range all {
			name := name
			same, ok := model[name]
			if !ok && number.MatchString(name) { // a form that English does not tell apart
				name = number.ReplaceAllString(name, "[1]")
				same, ok = model[name]
			}
			switch {
			case !ok:
				t.Errorf("%s says %s, which English does not", language, name)
			case strings.TrimSpace(text) == "" && name != "Thousand":
				t.Errorf("%s does not say %s", language, name)
			case !slices.Equal(verbs(text), verbs(same)):
				t.Errorf("%s, %s: %q, English %q", language, name, text, same)
			case !slices.Equal(sorted(typed, text), sorted(typed, same)), !slices.Equal(sorted(caps, text), sorted(caps, same)):
				t.Errorf("%s, %s: other things are typed or set in %q than in %q", language, name, text, same)
			case strings.Contains(text, "\n"): // retriedPost tells an error alone by that
				t.Errorf("%s, %s has several lines: %q", language, name, text)
			case strings.ContainsAny(text, "@<>"):
				t.Errorf("%s, %s: %q", language, name, text)
			}
			if language == "en" || name == "Code" {
				continue
			}
			field, _, _ := strings.Cut(name, "[")
			if text == same && !slices.Contains(alike, field) {
				t.Errorf("%s, %s: %q is English", language, name, text)
			}
			if l := reading.Language(text); l == "en" {
				t.Errorf("%s, %s: %q reads as English", language, name, text)
			}
		}
	}
}

func sorted(what *regexp.Regexp, text string) []string {
	found := what.FindAllString(text, -1)
	slices.Sort(found)
	return found
}

// TestFormsAreThereForEveryNumber counts things.
func TestFormsAreThereForEveryNumber(t *testing.T) {
	for language, w := range wordings {
		v := reflect.ValueOf(*w)
		for i := range v.NumField() {
			f, ok := v.Field(i), v.Field(i).Type() == reflect.TypeFor[Forms]()
			for n := 0; ok && n < 130; n++ {
				if at := w.Form(n); at < 0 || at >= f.Len() {
					t.Fatalf("%s has no %s for %d", language, v.Type().Field(i).Name, n)
				}
			}
		}
	}
	for _, c := range []struct {
		w    *Words
		n    int
		want string
	}{
		{english, 0, "0 pages"}, {english, 1, "1 page"}, {english, 12345, "12,345 pages"},
		{german, 1, "1 Seite"}, {german, 12345, "12.345 Seiten"},
		{french, 0, "0 page"}, {french, 2, "2 pages"}, {french, 12345, "12\u00a0345 pages"},
		{spanish, 0, "0 páginas"}, {spanish, 1, "1 página"},
	} {
		if got := c.w.Count(c.w.Pages, c.n); got != c.want {
			t.Errorf("%s: %q, want %q", c.w.Code, got, c.want)
		}
	}
}

// TestEveryCommandIsDescribedInEveryLanguage wants a summary of each command and each of
// its options, and none of what is not there; Discord takes 100 characters.
func TestEveryCommandIsDescribedInEveryLanguage(t *testing.T) {
	for language, w := range wordings {
		used := make(map[string]bool) // summaries, by what they are of; several options may share one
		for _, c := range Commands(language) {
			if setting, ok := strings.CutPrefix(c.Name, "settings "); ok && len(c.Options) > 0 {
				for _, v := range c.Options[0].Values {
					if w.Policies[setting+" "+v] == "" {
						t.Errorf("%s does not say what %s %s means", language, setting, v)
					}
				}
			}
			summaries := []string{c.Summary}
			used[c.Name] = true
			for _, o := range c.Options {
				summaries = append(summaries, o.Summary)
				option := strings.ToUpper(o.Name)
				_, own := w.Summaries[c.Name+" "+option]
				used[c.Name+" "+option], used[option] = own, used[option] || !own
			}
			for _, s := range summaries {
				if s == "" || utf8.RuneCountInString(s) > 100 {
					t.Errorf("%s, %s: %q", language, c.Name, s)
				}
			}
		}
		for name := range w.Summaries {
			if !used[name] {
				t.Errorf("%s describes %s, which is not there", language, name)
			}
		}
		for _, method := range []string{"rule", "model", "answer", "fallback"} {
			if w.DecidedBy[method] == "" {
				t.Errorf("%s does not say what %s means", language, method)
			}
		}
	}
}

func TestLanguageOfAnAnswer(t *testing.T) {
	for _, c := range []struct {
		locale string
		texts  []string
		want   string
	}{
		{"", nil, "en"},
		{"de", nil, "de"}, {"de-AT", nil, "de"}, {"es_419", nil, "es"}, {"fr-CA", nil, "fr"}, {"en-US", nil, "en"}, {"ja", nil, "en"},
		{"de", []string{"Budget 2026?", "What does it cost?"}, "en"},
		{"en-US", []string{"ok", "Was kostet das?"}, "de"},
		{"de", []string{"Qual è il prezzo di questa macchina?"}, "de"},
	} {
		if got := For(c.locale, c.texts...).Code; got != c.want {
			t.Errorf("%q %q: %s, want %s", c.locale, c.texts, got, c.want)
		}
	}
	if In("de").ShowPage == In("xx").ShowPage || In("xx") != In("en") {
		t.Error("a language without words is not read as English")
	}
}

// TestTheButtonsFollowTheQuestion: those under a question are in its language, also where we have no other words in it.
func TestTheButtonsFollowTheQuestion(t *testing.T) {
	for question, want := range map[string]string{
		"どちらの契約ですか？": "その他", "您指的是哪份合同？": "其他", "어느 계약인가요?": "기타", "Какой договор?": "Другое",
		"Quel contrat ?": "Autre chose", "Résumer le bail ou l'offre ?": "Autre chose", "¿Cuál de los dos?": "Otra cosa", "Welcher Vertrag?": "Etwas anderes", "Which one?": "Something else",
		"Wat bedoel je?": "Iets anders", "Q-2231?": "Etwas anderes",
	} {
		if got := german.Beside(question).SomethingElse; got != want {
			t.Errorf("%s: %q", question, got)
		}
	}
	for text, want := range map[string]string{"契約の期間は何ですか": "en", "Résume le bail": "fr", "7Q-114": "de"} {
		if w := For("es", text, "Wo liegt der Schlüssel?"); w.Code != want {
			t.Errorf("%s: %s", text, w.Code)
		}
	}
}
