package bot_test

import (
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestAQuoteGoesWithAMessageThatWasNotSaidToUs: somebody answers it, and mentions us. What it loses goes from there and from our answer.
func TestAQuoteGoesWithAMessageThatWasNotSaidToUs(t *testing.T) {
	const code = "the code of the barn is QZX-88731"
	for name, lose := range map[string]func(w *platformtest.World, id string){
		"deleted": func(w *platformtest.World, id string) { w.Delete(general, id) },
		"edited":  func(w *platformtest.World, id string) { w.Edit(general, id, "never mind") },
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			id, _ := s.world.Say(platformtest.Said{Who: "Bob", At: general, Text: code})
			_, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "what does it open?", Mention: true, Answers: id})
			s.says(at, "Ada", "QZX-88731")
			s.settle()
			lose(s.world, id)
			s.settle()
			until(t, "the end of the answer", func() bool {
				return !slices.ContainsFunc(s.texts(at), func(text string) bool { return strings.Contains(text, "QZX") })
			})
			for session := int64(1); session <= 2; session++ {
				said, err := s.store.Messages(t.Context(), session)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range said {
					if strings.Contains(m.Text, "QZX") {
						t.Errorf("kept is %q", m.Text)
					}
				}
			}
		})
	}
}
