package bot

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// fickle is a platform that cannot tell of #slow at first.
type fickle struct {
	mute
	fails *int
}

func (f fickle) Channel(_ context.Context, key memory.Key) (memory.Channel, error) {
	if key.Channel == "slow" && *f.fails > 0 {
		*f.fails--
		return memory.Channel{}, errors.New("not now")
	}
	return memory.Channel{Kind: memory.Public}, nil
}

// TestAPassThatLeavesChannelsLetsNobodyGo: who waits for the workspace waits for the next one.
func TestAPassThatLeavesChannelsLetsNobodyGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, fails, let := idleBot(t), 1, false
		p := fickle{fails: &fails}
		b.Platforms = []platform.Platform{p}
		for _, channel := range []string{"general", "slow"} {
			key := memory.Key{Platform: "mute", Workspace: "w", Channel: channel}
			if _, _, err := b.Store.Locate(t.Context(), key, memory.Channel{Kind: memory.Public, Unchecked: true}, memory.Person{}); err != nil {
				t.Fatal(err)
			}
		}
		a := b.audiences["mute"]
		a.ask("w", 0)
		go func() {
			a.wait(t.Context(), "w", time.Hour)
			let = true
		}()
		for pass, want := range []bool{false, true} {
			synctest.Wait()
			if _, err := b.askAudiences(t.Context(), p, a); (err == nil) != want {
				t.Errorf("pass %d: %v", pass+1, err)
			}
			synctest.Wait()
			if let != want {
				t.Errorf("pass %d: let go is %v", pass+1, let)
			}
		}
	})
}
