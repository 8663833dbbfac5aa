package bot

import (
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestTheFileOfALongAnswerBeginsWithTheNameOfTheAnswer(t *testing.T) {
	for text, want := range map[string]string{"**Ada:** The beginning.": "**Ada:** This is the whole answer.", "The beginning.": "This is the whole answer."} {
		p := outboxPayload{Out: platform.Outgoing{Text: text, Language: "en"}, Record: &finishRecord{Text: "The beginning.", Whole: "The beginning and the end."}}
		file, err := p.follow(&memory.Outbox{Nonce: "n"})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodePayload(file); err != nil || got.Out.Text != want {
			t.Errorf("%q is followed by %q, %v", text, got.Out.Text, err)
		}
	}
}
