package bot

import (
	"reflect"
	"strings"
	"testing"
)

// TestEveryLanguageHasEveryWord compares with English: nothing missing, the same places to
// fill in.
func TestEveryLanguageHasEveryWord(t *testing.T) {
	compare := func(language string, english, other reflect.Value) {
		for i := range english.NumField() {
			name, a, b := english.Type().Field(i).Name, english.Field(i).String(), other.Field(i).String()
			if b == "" || strings.Count(a, "%") != strings.Count(b, "%") {
				t.Errorf("%s has %q for %s, English %q", language, b, name, a)
			}
		}
	}
	for language, l := range labels {
		compare(language, reflect.ValueOf(labels["en"]), reflect.ValueOf(l))
	}
	for language, w := range wordings {
		compare(language, reflect.ValueOf(*wordings["en"]), reflect.ValueOf(*w))
	}
	if LabelsIn("de").ShowPage == LabelsIn("xx").ShowPage || LabelsIn("xx") != LabelsIn("en") {
		t.Error("a language without labels is not read as English")
	}
}
