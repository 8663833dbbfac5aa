package slack

import (
	"strings"
	"testing"

	"threadkeeper/bot/platform"
)

// A question may come after something else that had to be said.
func TestAQuestionIsAskedOnce(t *testing.T) {
	const question = "Which contract do you mean?"
	for _, text := range []string{"", question, "I could not read scan.pdf.\n\n" + question} {
		r := render(platform.Outgoing{Kind: platform.KindReply, Text: text, Question: &platform.Question{Text: question}})
		if got := strings.Join(r.parts, "\n"); strings.Count(got, question) != 1 {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}
