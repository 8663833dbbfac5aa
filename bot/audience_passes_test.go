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

// revolving is a platform on which a guest comes back to a channel right after we were told who is there.
type revolving struct {
	mute
	asked *int
	back  func()
}

func (revolving) Channel(context.Context, memory.Key) (memory.Channel, error) {
	return memory.Channel{Kind: memory.Public}, nil
}

func (revolving) Person(context.Context, memory.Key, string) (platform.Author, error) {
	return platform.Author{ID: "gus", Kind: memory.Guest}, nil
}

func (r revolving) Guests(context.Context, memory.Key, []string) ([]string, error) {
	if *r.asked++; *r.asked == 1 {
		r.back()
		return nil, nil
	}
	return []string{"gus"}, nil
}

// TestAGuestWhoComesWhileWeAskIsThere, also one who had left unseen: until we have asked again the channel is closed.
func TestAGuestWhoComesWhileWeAskIsThere(t *testing.T) {
	b, key := idleBot(t), memory.Key{Platform: "mute", Workspace: "w", Channel: "partner"}
	p := revolving{asked: new(int), back: func() {
		ev := platform.Event{Key: key, Kind: platform.EventAudience, Joined: true, Author: platform.Author{ID: "gus"}}
		if err := b.doubtAudience(t.Context(), ev); err != nil {
			t.Error(err)
		}
	}}
	b.Platforms = []platform.Platform{p}
	if _, _, err := b.Store.Locate(t.Context(), key, memory.Channel{Kind: memory.Public, Unchecked: true}, memory.Person{}); err != nil {
		t.Fatal(err)
	}
	if err := b.Store.SetGuest(t.Context(), key, "gus", true); err != nil {
		t.Fatal(err)
	}
	a := b.audiences["mute"]
	a.ask("w", 0)
	for pass := 1; pass <= 2; pass++ {
		if _, err := b.askAudiences(t.Context(), p, a); err != nil {
			t.Fatal(err)
		}
		c, err := b.Store.ChannelByKey(t.Context(), key)
		guests, err2 := b.Store.Guests(t.Context(), key)
		if errors.Join(err, err2) != nil || len(guests) == 0 && !c.Unchecked || pass == 2 && c.Unchecked {
			t.Errorf("pass %d: guests %q, unchecked %v (%v, %v)", pass, guests, c.Unchecked, err, err2)
		}
	}
}
