package bot_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// caught is a platform whose handler is known.
type caught struct {
	platform.Platform
	handler chan platform.Handler
}

func (c caught) Run(ctx context.Context, h platform.Handler, commands []platform.Command) error {
	c.handler <- h
	return c.Platform.Run(ctx, h, commands)
}

// TestAfterARestore: what was said before a backup was put in place is kept and not answered, for it may have
// been; what is said later waits until its channel was compared with the platform.
func TestAfterARestore(t *testing.T) {
	s := begin(t)
	s.says(s.say(general, "hello"), "Ada", "You said: hello")
	s.settle()
	backup := filepath.Join(t.TempDir(), "backup.db")
	if _, err := s.store.Backup(t.Context(), backup, false); err != nil {
		t.Fatal(err)
	}
	s.stop()
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := memory.Restore(t.Context(), s.db, backup, memory.RestoreOptions{}); err != nil {
		t.Fatal(err)
	}
	again := func() (*scene, platform.Handler) {
		c := caught{handler: make(chan platform.Handler, 1)}
		s := play(t, s.db, s.world, s.chain, func(s *scene) {
			c.Platform = s.world.Platform()
			s.bot.Platforms = []platform.Platform{c}
		})
		return s, <-c.handler
	}

	s, _ = again()
	before := s.say(general, "asked before")
	until(t, "what is kept", func() bool {
		kept, err := s.store.HasMessage(t.Context(), s.world.Key(before), before.Thread)
		return kept && err == nil
	})
	s.settle()
	if texts := s.texts(before); slices.Contains(texts, "You said: asked before") {
		t.Errorf("answered again: %q", texts)
	}
	if err := s.store.SetSetting(t.Context(), "", "restored at", "1"); err != nil { // the world's clock is slow
		t.Fatal(err)
	}
	s.stop()
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}

	s, h := again()
	after := s.say(general, "asked after")
	until(t, "what waits", func() bool {
		n, err := s.store.Queue.CountOpen(t.Context())
		return n == 1 && err == nil
	})
	channels, err := h.Stale(t.Context())
	if err != nil || len(channels) != 1 {
		t.Fatal(channels, err)
	}
	stored, err := h.Stored(t.Context(), channels[0].Key)
	if err != nil || len(stored) != 3 || len(stored[2].Messages) != 1 || len(stored[2].Posts) != 1 {
		t.Errorf("%+v %v", stored, err)
	}
	if texts := s.texts(after); slices.Contains(texts, "You said: asked after") {
		t.Errorf("answered before the channel was compared: %q", texts)
	}
	if err := h.SetFresh(t.Context(), channels[0]); err != nil {
		t.Fatal(err)
	}
	s.says(after, "Ada", "You said: asked after")
	s.settle()
}
