package main

import (
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/platformtest"
)

// TestTheFirstWordsAreThereBeforeTheEnd: the model stops in the middle of its first sentence. What it has said so far is
// read meanwhile.
func TestTheFirstWordsAreThereBeforeTheEnd(t *testing.T) {
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			k := &talk{service: newService(t, o.open)}
			const begun = "ANSWER\nThe tide follows the moon, which draws the water of the oceans towards it "
			release := make(chan struct{})
			m, err := fakemodel.Start(fakemodel.Options{Key: "sk-test", Script: []fakemodel.Rule{{Say: begun + "while the earth turns below.",
				Fault: fakemodel.Fault{Kind: fakemodel.Held, After: len(begun), Release: release}}}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(m.Close)
			k.model = m
			k.start()
			_, at := k.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "Why are there tides?", Mention: true})
			shows := func(text string) {
				k.posts(at, text, func(posts []platformtest.Post) bool {
					for _, p := range posts {
						if strings.Contains(p.Text, text) {
							return true
						}
					}
					return false
				})
			}
			shows("The tide follows the moon, which")
			close(release)
			shows("The tide follows the moon, which draws the water of the oceans towards it while the earth turns below.")
		})
	}
}
