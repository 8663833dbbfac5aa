package hearing

import (
	"testing"

	"threadkeeper/bot/platform"
)

// TestADisplayNameIsInert: people choose it, and it stands in prompts, answers, digests and exports.
func TestADisplayNameIsInert(t *testing.T) {
	for name, want := range map[string]string{
		"ada@example.com": "ada(at)example.com", "@everyone": "(at)everyone", "<!channel>": "!channel", "<@U123>": "(at)U123",
		"https://evil.example/x": "https: //evil.example/x", "[free](https://evil.example)": "free(https: //evil.example)", "`code`": "code",
		"Ada Lovelace": "Ada Lovelace", "Søren O'Neil-Ruiz (he/him)": "Søren O'Neil-Ruiz (he/him)", "": ""} {
		ev := platform.Event{Author: platform.Author{Name: name}}
		Tidy(&ev, 0)
		if got := ev.Author.Name; got != want || Called(got) != want || Called(name) != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}
