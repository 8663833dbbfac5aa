package agent

import (
	"reflect"
	"regexp"
	"slices"
	"testing"
)

// TestEveryPhraseIsThere compares with English: nothing is missing, and what is filled in
// is the same.
func TestEveryPhraseIsThere(t *testing.T) {
	verb := regexp.MustCompile(`%[a-z]`)
	var compare func(l string, name string, english, other reflect.Value)
	compare = func(l string, name string, english, other reflect.Value) {
		switch english.Kind() {
		case reflect.Struct:
			for i := range english.NumField() {
				compare(l, english.Type().Field(i).Name, english.Field(i), other.Field(i))
			}
		case reflect.String:
			if a, b := english.String(), other.String(); b == "" || !slices.Equal(verb.FindAllString(a, -1), verb.FindAllString(b, -1)) {
				t.Errorf("%s, %s: %q, English %q", l, name, b, a)
			}
		default:
			if english.Len() != other.Len() {
				t.Errorf("%s has %d %s, English %d", l, other.Len(), name, english.Len())
			}
		}
	}
	for l, p := range phrasesIn {
		compare(l, "", reflect.ValueOf(*english), reflect.ValueOf(*p))
	}
	if len(english.months) != 12 || len(english.offers) != int(twoSides)+1 {
		t.Errorf("%d months, %d offers", len(english.months), len(english.offers))
	}
}

func TestIntent(t *testing.T) {
	for text, is := range map[string]func(intent) bool{
		"Hello there!":                        func(in intent) bool { return in.greeting },
		"Guten Morgen":                        func(in intent) bool { return in.greeting },
		"谢谢":                                  func(in intent) bool { return in.thanks },
		"How are you?":                        func(in intent) bool { return in.greeting },
		"Tell me the wifi password again":     func(in intent) bool { return in.question },
		"Hello, what is the code?":            func(in intent) bool { return !in.greeting && in.question },
		"What did we decide about the logo?":  func(in intent) bool { return in.recall && in.question },
		"Was haben wir gestern beschlossen?":  func(in intent) bool { return in.recall },
		"What's next?":                        func(in intent) bool { return in.next },
		"How should we proceed?":              func(in intent) bool { return in.next },
		"What do I have to do next?":          func(in intent) bool { return in.next },
		"Et maintenant ?":                     func(in intent) bool { return in.next },
		"¿Cómo seguimos?":                     func(in intent) bool { return in.next },
		"Wie machen wir weiter?":              func(in intent) bool { return in.next },
		"What do the rules say about parking": func(in intent) bool { return !in.next },
		"Quelle est la prochaine étape ?":     func(in intent) bool { return in.next },
		"Fasse das Dokument bitte zusammen":   func(in intent) bool { return in.summary && in.document },
		"この報告書を要約してください":                      func(in intent) bool { return in.summary && in.document },
		"The meeting is at ten.":              func(in intent) bool { return !in.question && !in.recall && !in.summary },
		"How many people work at the harbour": func(in intent) bool { return in.oneFact },
	} {
		if !is(intend(text)) {
			t.Errorf("%q: %+v", text, intend(text))
		}
	}
}

func TestGatePassesOnlyTheObvious(t *testing.T) {
	for _, text := range []string{
		"List the three largest cities of Portugal by population.",
		"Classify each of the following as a river or a mountain: Elbe, Eiger, Rhone, Matterhorn",
		"Who is the author of Pride and Prejudice?",
	} {
		if clear, score := Gate(text); !clear {
			t.Errorf("%q does not pass: %.2f", text, score)
		}
	}
	for _, text := range []string{"", "Tides", "Can you help me with my project?", "Suggest a good plan for me", "I need to learn something new at home"} {
		if clear, score := Gate(text); clear {
			t.Errorf("%q passes: %.2f", text, score)
		}
	}
}
