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
	if len(english.months) != 12 {
		t.Errorf("%d months", len(english.months))
	}
}
