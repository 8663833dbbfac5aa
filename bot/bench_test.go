package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

const (
	benchSessions = 1000
	benchMessages = 100 // in each
)

// fill stores many conversations as a platform's past.
func fill(b *testing.B, store *memory.Store) {
	b.Helper()
	for i := range benchSessions {
		key := memory.Key{Platform: "fake", Workspace: "w", Channel: "general", Thread: fmt.Sprintf("t%d", i)}
		session, _, err := store.Locate(b.Context(), key, memory.Channel{Kind: memory.Public}, memory.Person{})
		if err != nil {
			b.Fatal(err)
		}
		past := make([]memory.Incoming, benchMessages)
		for j := range past {
			past[j] = memory.Incoming{Person: memory.Person{PlatformID: "U-Ada", Name: "Ada"}, Message: &memory.Message{
				PlatformID: fmt.Sprintf("past%d", j), Role: memory.User, Author: "Ada",
				Text: fmt.Sprintf("Point %d of topic %d: the delivery to hall %d is late again. %s", j, i, i*j%97, strings.Repeat("More words. ", j%7))}}
		}
		if _, err := store.Backfill(b.Context(), session, past); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTurn is the time from an event's arrival to its delivered answer,
// without a model, over 100,000 messages in 1,000 sessions.
func BenchmarkTurn(b *testing.B) {
	store, err := memory.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	fill(b, store) // takes a minute
	world := platformtest.NewWorld()
	var shown atomic.Int64
	delivered := make(chan struct{}, 1)
	world.Step = func(step string) {
		if step == "after close" {
			shown.Store(time.Now().UnixNano())
			delivered <- struct{}{}
		}
	}
	machine := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{world.Platform()},
		Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error)
	go func() { done <- machine.Run(ctx) }()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		at := platformtest.Place{Channel: "general", Thread: fmt.Sprintf("t%d", i*37%benchSessions)}
		begin := time.Now().UnixNano()
		world.Say(platformtest.Said{Who: "Ada", At: at, Text: "what about hall 12", Mention: true})
		<-delivered
		took = append(took, time.Duration(shown.Load()-begin))
	}
	cancel()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// BenchmarkIntake is how many events a second are stored for good, when many
// arrive at the same time.
func BenchmarkIntake(b *testing.B) {
	store, err := memory.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	var n atomic.Int64
	begin := time.Now()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := n.Add(1)
			key := memory.Key{Platform: "fake", Workspace: "w", Channel: "general", Thread: fmt.Sprintf("t%d", i%benchSessions)}
			id := fmt.Sprintf("e%d", i)
			if _, err := store.Queue.Receive(b.Context(), memory.Incoming{Platform: "fake", EventID: id, Kind: "message", Key: key,
				Channel: memory.Channel{Kind: memory.Public}, Person: memory.Person{PlatformID: "U-Ada", Name: "Ada"}, Answer: true,
				Message: &memory.Message{PlatformID: id, Role: memory.User, Author: "Ada", Text: "what about hall 12, is it late again?"}}); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(n.Load())/time.Since(begin).Seconds(), "events/s")
}
