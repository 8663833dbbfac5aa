package bot_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// caught is a platform whose handler is known.
type caught struct {
	platform.Platform
	handler   chan platform.Handler
	meanwhile func() // happens while a conversation is read; nil for nothing
}

func (c caught) Run(ctx context.Context, h platform.Handler, commands []platform.Command) error {
	c.handler <- h
	return c.Platform.Run(ctx, h, commands)
}

func (c caught) History(ctx context.Context, key memory.Key, since int64, limit int) (platform.Past, error) {
	past, err := c.Platform.History(ctx, key, since, limit)
	if c.meanwhile != nil {
		c.meanwhile()
	}
	return past, err
}

func (c caught) Messages(r platform.Ref) []string { return c.Platform.(platform.Poster).Messages(r) }

func (c caught) RefOf(key memory.Key, message string) platform.Ref {
	return c.Platform.(platform.Poster).RefOf(key, message)
}

func (s *scene) backup() string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "backup.db")
	if _, err := s.store.Backup(s.t.Context(), path, false); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func (s *scene) end() {
	s.t.Helper()
	s.stop()
	if err := s.store.Close(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) restore(backup string) {
	s.t.Helper()
	s.end()
	if _, err := memory.Restore(s.t.Context(), s.db, backup, memory.RestoreOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

// again continues the scene, whose handler it returns.
func (s *scene) again(meanwhile func()) (*scene, platform.Handler) {
	c := caught{handler: make(chan platform.Handler, 1), meanwhile: meanwhile}
	now := play(s.t, s.db, s.world, s.chain, func(s *scene) {
		c.Platform = s.world.Platform()
		s.bot.Platforms = []platform.Platform{c}
	})
	return now, <-c.handler
}

// TestAfterARestore: what was said before a backup was put in place is kept and not answered, for it may have
// been; what is said later waits until its channel was compared with the platform.
func TestAfterARestore(t *testing.T) {
	s := begin(t)
	s.says(s.say(general, "hello"), "Ada", "You said: hello")
	s.settle()
	s.restore(s.backup())

	s, _ = s.again(nil)
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
	s.end()

	s, h := s.again(nil)
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

// TestAnEditWhileWhatWasSaidSinceABackupIsRead is of a message that is not stored yet, and was read as it was before.
func TestAnEditWhileWhatWasSaidSinceABackupIsRead(t *testing.T) {
	s := begin(t)
	at := s.say(general, "hello")
	s.says(at, "Ada", "You said: hello")
	s.settle()
	backup := s.backup()
	id, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "the key is under the mat", Unseen: true})
	s.restore(backup)
	s, h := s.again(func() {
		s.world.Edit(at, id, "the key is in the safe")
		until(t, "the edit", func() bool { return s.world.Pending() == 0 })
	})
	channels, err := h.Stale(t.Context())
	if err != nil || len(channels) != 1 {
		t.Fatal(channels, err)
	}
	if err := h.SetFresh(t.Context(), channels[0]); err != nil {
		t.Fatal(err)
	}
	said, err := s.store.Messages(t.Context(), 1)
	if err != nil || len(said) != 3 || said[2].Text != "the key is in the safe" {
		t.Errorf("kept: %+v %v", said[len(said)-1], err)
	}
	s.settle()
}

// TestAConversationThatBeganSinceABackup: what we posted in it is read back with what it answered, and erased with that. Who goes on
// there is answered; a command of then is neither run again nor kept.
func TestAConversationThatBeganSinceABackup(t *testing.T) {
	const code = "the code of the barn is QZX-88731"
	for name, lose := range map[string]func(s *scene, at platformtest.Place){
		"deleted": func(s *scene, at platformtest.Place) { s.world.Delete(at, at.Thread) },
		"forgotten": func(s *scene, at platformtest.Place) {
			s.world.Command("Ada", at, "memory forget", "--yes")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.says(s.say(general, "hello"), "Ada", "You said: hello")
			s.settle()
			backup := s.backup()
			at := s.say(general, code)
			s.says(at, "Ada", "QZX-88731")
			s.settle()
			remember, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "memory remember the barn is red", Mention: true})
			s.says(at, "Ada", "Remembered")
			s.settle()
			posts := len(s.texts(at))
			s.restore(backup)

			s, h := s.again(nil)
			s.world.Redeliver() // as catching up does
			channels, err := h.Stale(t.Context())
			if err != nil || len(channels) != 1 {
				t.Fatal(channels, err)
			}
			if err := h.SetFresh(t.Context(), channels[0]); err != nil {
				t.Fatal(err)
			}
			s.settle()
			if texts := s.texts(at); len(texts) != posts {
				t.Errorf("answered again: %q", texts)
			}
			if kept, err := s.store.HasMessage(t.Context(), s.world.Key(at), remember); err != nil || kept {
				t.Errorf("a command is kept: %v", err)
			}
			session, err := s.store.SessionByKey(t.Context(), s.world.Key(at))
			if err != nil || !session.Joined {
				t.Errorf("not joined: %v", err)
			}
			lose(s, at)
			until(t, "the end of the answer", func() bool {
				return !slices.ContainsFunc(s.texts(at), func(text string) bool { return strings.Contains(text, "QZX-88731") })
			})
			s.settle()
		})
	}
}
