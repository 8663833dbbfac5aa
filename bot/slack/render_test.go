package slack

import (
	"strings"
	"testing"

	"threadkeeper/bot"
)

// A question may come after something else that had to be said.
func TestAQuestionIsAskedOnce(t *testing.T) {
	const question = "Which contract do you mean?"
	for _, text := range []string{"", question, "I could not read scan.pdf.\n\n" + question} {
		r := render(bot.Outgoing{Kind: bot.KindReply, Text: text, Question: &bot.Question{Text: question}})
		if got := strings.Join(r.parts, "\n"); strings.Count(got, question) != 1 {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}
