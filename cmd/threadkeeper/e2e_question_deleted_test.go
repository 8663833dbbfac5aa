package main

import (
	"strings"
	"sync/atomic"
	"testing"

	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack/fakeslack"
)

// TestAQuestionThatGoesBeforeItsAnswer: the message that an answer's thread would begin
// with is deleted when the answer is about to be shown. Nothing is said, nothing is tried
// for long, and the next question is answered.
func TestAQuestionThatGoesBeforeItsAnswer(t *testing.T) {
	k := &talk{service: newService(t, openSlack)}
	h := k.Harness.(*fakeslack.Harness)
	k.start()
	steps[0].act(k)
	steps[0].done(k) // the channel knows what is stored

	question := platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "Tell me a story, please", Mention: true}
	asked := make(chan string, 1)
	var gone atomic.Bool
	k.requests(func(method string) {
		if method == "chat.startStream" && gone.CompareAndSwap(false, true) {
			h.Server.Delete(h.Room(question.At, "Ada"), <-asked)
		}
	})
	ts, at := k.Say(question)
	asked <- ts
	if !platformtest.Await(gone.Load) {
		t.Fatalf("no answer began: %s", k.log)
	}
	k.settled()
	if posts := k.Posts(at, "Ada"); len(posts) > 0 {
		t.Errorf("posts %+v", posts)
	}
	tried := 0
	for _, r := range h.Requests() {
		if thread, _ := r.Args["thread_ts"].(string); thread == ts && strings.HasPrefix(r.Method, "chat.") {
			tried++
		}
	}
	if tried == 0 || tried > 4 {
		t.Errorf("%d requests for a thread that is not there", tried)
	}
	_, k.at = k.Say(question)
	k.once("That is the end of it.")
	k.settled()
	k.stop()
	for _, v := range k.violations() {
		t.Error(v)
	}
}
