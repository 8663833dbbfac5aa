package slack

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
)

func TestThePageAboutUsSpeaksTheLanguage(t *testing.T) {
	english := reflect.ValueOf(homeWordings["en"])
	for _, language := range say.Languages() {
		if _, ok := homeWordings[language]; !ok {
			t.Errorf("the page does not speak %s", language)
		}
	}
	for language, w := range homeWordings {
		for i := range english.NumField() {
			a, b := english.Field(i).String(), reflect.ValueOf(w).Field(i).String()
			if b == "" || strings.Count(a, "%") != strings.Count(b, "%") || strings.Count(a, "`") != strings.Count(b, "`") {
				t.Errorf("%s has %q, English %q", language, b, a)
			}
		}
		for _, h := range []platform.Home{{Language: language}, {Language: language, Threads: home.Threads, Documents: home.Documents}} {
			page, err := json.Marshal((&Adapter{self: self{known: identity{User: "U1", URL: "https://x.slack.com/"}}}).homeBlocks(h, "U1"))
			if err != nil {
				t.Fatal(err)
			}
			for i := range english.NumField() {
				if said := english.Field(i).String(); language != "en" && said != reflect.ValueOf(w).Field(i).String() && strings.Contains(string(page), `"`+said) {
					t.Errorf("%s says %q", language, said)
				}
			}
			if !strings.Contains(string(page), `"`+w.begin+`"`) {
				t.Errorf("%s: no %q in %s", language, w.begin, page)
			}
		}
	}
}
