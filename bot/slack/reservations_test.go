package slack

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
)

func TestAReservedCallCanBeMadeAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, owed := new(Adapter), 0
		request := func(context.Context) error { return nil }
		for i := range 100 {
			if a.limits.reserve("chat.update") {
				owed++
			}
			if _, err := a.callOptional(t.Context(), "chat.update", fmt.Sprint("C/", i), request); err != nil {
				t.Fatal(err)
			}
			time.Sleep(200 * time.Millisecond)
		}
		start := time.Now()
		for i := range owed {
			a.limits.release("chat.update")
			if err := a.call(t.Context(), "chat.update", fmt.Sprint("D/", i), request); err != nil {
				t.Fatal(err)
			}
		}
		if owed == 0 || time.Since(start) != 0 {
			t.Errorf("%d reserved calls waited %v", owed, time.Since(start))
		}
	})
}

func TestAnUnusedReservationExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l limits
		for l.reserve("chat.stopStream") {
		}
		if time.Sleep(reservationTime); !l.reserve("chat.stopStream") {
			t.Error("nothing may ever stream again")
		}
	})
}

// Slack takes many more new messages than streams and changes: in a rush most answers
// are posted whole, and none waits for what only some can have.
func TestInARushAnswersArePostedWhole(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{Limits: 1})
	const rush = 40
	begun := time.Now()
	var all sync.WaitGroup
	var to [rush]platform.Address
	for i := range rush {
		to[i] = s.to
		to[i].Key.Channel = s.AddChannel(fakeslack.Channel{Name: fmt.Sprint("hall-", i), Members: []string{s.ada, fakeslack.BotUser}}).ID
		to[i].Key.Thread = s.Say(fakeslack.Said{User: s.ada, Channel: to[i].Key.Channel, Text: "and how long here?"})
		to[i].ReplyTo = to[i].Key.Thread
	}
	for i := range rush {
		m := reply(fmt.Sprintf("Answer %d has three parts.", i))
		m.Nonce = fmt.Sprintf("tk%016d", i)
		live, err := s.a.Stream(t.Context(), to[i], m.Nonce)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{fmt.Sprintf("Answer %d ", i), "has ", "three "} {
			s.more(live.(*stream), text)
		}
		all.Go(func() {
			if _, err := live.Close(t.Context(), m); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range rush {
		want := fmt.Sprintf("Answer %d has three parts.", i)
		if got := s.Shown(to[i].Key.Channel, to[i].Key.Thread, s.ada); len(got) != 1 || got[0].Text != want || got[0].Streaming {
			t.Errorf("shown %+v, want %q", got, want)
		}
	}
	streams, ends := len(s.Requests("chat.startStream")), len(s.Requests("chat.stopStream"))
	minutes := time.Since(begun).Minutes() // after which more streams, and more changes, may be
	if streams == 0 || float64(streams) > float64(tier2.burst+1)+minutes*tier2.perMinute || ends != streams {
		t.Errorf("%d streams, %d ended", streams, ends)
	}
	if posts, updates := len(s.Requests("chat.postMessage")), len(s.Requests("chat.update")); posts != rush-streams || float64(updates) > float64(methodLimits["chat.update"].burst*2)+minutes*methodLimits["chat.update"].perMinute {
		t.Errorf("%d posts and %d updates beside %d streams", posts, updates, streams)
	}
}
