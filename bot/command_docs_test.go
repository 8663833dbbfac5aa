package bot_test

import (
	"context"
	"image"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

// TestADocumentIsItsPostersToShareAndRemove has others try, who are told why not, and an
// administrator and the poster, who may.
func TestADocumentIsItsPostersToShareAndRemove(t *testing.T) {
	s := begin(t)
	at := s.say(general, "documents", note)
	s.settle()
	for _, c := range []struct{ who, command, says string }{
		{"Bob", "docs remove", "Only the person who posted note.txt, or an administrator, can remove it."},
		{"Bob", "docs share", "Only the person who posted note.txt, or an administrator, can share it."},
		{platformtest.Admin, "docs share", "Everybody in this channel can use note.txt now."},
		{"Ada", "docs remove", "Removed: note.txt, and every answer that cites it."},
	} {
		s.world.Command(c.who, at, c.command, "note.txt")
		s.says(at, c.who, c.says)
		s.settle()
	}
}

// TestADocumentOfAnotherChannelIsNotSharedHere: it is its own channel that shares it.
func TestADocumentOfAnotherChannelIsNotSharedHere(t *testing.T) {
	s := begin(t)
	there := s.say(general, "documents", note)
	s.settle()
	s.world.Command("Ada", there, "docs share", "1")
	s.settle()
	here := s.say(platformtest.Place{Channel: "random"}, "hello")
	s.settle()
	s.world.Command("Ada", here, "docs share", "note.txt")
	s.says(here, "Ada", "There is nothing like that here.")
	s.settle()
}

// TestAFilePostedTwiceInAThreadIsListedOnce, and chosen or removed it is both.
func TestAFilePostedTwiceInAThreadIsListedOnce(t *testing.T) {
	s := begin(t)
	at := s.say(general, "documents", note)
	s.settle()
	s.say(at, "documents", platformtest.File{Name: "tide.txt", Data: []byte("The ferry leaves the pier at nine.")})
	s.settle()
	s.world.Command("Ada", at, "docs use", "note.txt")
	s.settle()
	s.say(at, "documents", platformtest.File{Name: "again.txt", Data: note.Data})
	s.settle()
	s.world.Command("Ada", at, "docs list", "")
	s.says(at, "Ada", "1. tide.txt – 1 page\n2. again.txt – 1 page (in use)")
	s.settle()
	s.world.Command("Ada", at, "docs remove", "2")
	s.says(at, "Ada", "Removed: again.txt, ")
	s.settle()
	before := len(s.texts(at))
	s.world.Command("Ada", at, "docs list", "")
	s.settle()
	if got := s.texts(at)[before:]; len(got) != 1 || got[0] != "1. tide.txt – 1 page" {
		t.Errorf("listed %q", got)
	}
}

// TestTheListSaysWhatWasLeftOut of a document that was read in part, and so does the status.
func TestTheListSaysWhatWasLeftOut(t *testing.T) {
	s := begin(t, func(s *scene) { s.bot.Index.Limits.Pages = 2 })
	at := s.say(general, "documents", platformtest.File{Name: "long.txt", Data: []byte("One.\fTwo.\fThree.")})
	s.settle()
	s.world.Command("Ada", at, "docs list", "")
	s.says(at, "Ada", "1. long.txt – read 2 of 3 pages")
	s.world.Command("Ada", at, "memory status", "")
	s.says(at, "Ada", "    1. long.txt – read 2 of 3 pages")
	s.settle()
	if err := s.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewRaw(`UPDATE contents SET reason = ?`, docs.HiddenSheets).Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	s.world.Command("Ada", at, "docs list", "")
	s.says(at, "Ada", "1. long.txt – read 2 of 3 pages, hidden sheets were left out")
	s.settle()
}

// TestAPageThatOneAskedForGoesWithItsDocument: it is a picture of it, whoever sees it.
func TestAPageThatOneAskedForGoesWithItsDocument(t *testing.T) {
	s := begin(t)
	at := s.say(general, "cite", note)
	s.settle()
	pictures := func() (n int) {
		for _, p := range s.world.Posts(at, "Ada") {
			if p.File != "" {
				n++
			}
		}
		return n
	}
	s.world.Command("Ada", at, "page", "1")
	s.settle()
	if n := pictures(); n != 1 {
		t.Fatalf("%d pictures shown", n)
	}
	s.world.Command("Ada", at, "docs remove", "1")
	s.settle()
	if n := pictures(); n != 0 {
		t.Errorf("%d pictures of a removed document", n)
	}
}

// TestAPageOfAComparisonIsAskedForByItsLabel, in brackets or not.
func TestAPageOfAComparisonIsAskedForByItsLabel(t *testing.T) {
	s := begin(t)
	at := s.say(general, "cite", note)
	s.settle()
	err := s.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*memory.Citation)(nil)).Set("letter = 'B'").Where("TRUE").Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{"[B1]": "[B1] note.txt, page 1", "b1": "[B1] note.txt, page 1", "A1": "Please give a citation", "B2": "Please give a citation"} {
		s.world.Command("Ada", at, "page", typed)
		s.settle()
		if got := s.last(at); !strings.Contains(got, want) {
			t.Errorf("page %s: %q", typed, got)
		}
	}
}

// TestAPageThatIsNotThere is answered with how many there are.
func TestAPageThatIsNotThere(t *testing.T) {
	s := begin(t, func(s *scene) {
		s.bot.Draw = func(context.Context, docs.Citation, int) (image.Image, error) { return nil, pdfium.ErrNoPage }
	})
	at := s.say(general, "cite", note)
	s.settle()
	s.world.Command("Ada", at, "page", "12")
	s.says(at, "Ada", "note.txt has only 1 page.")
	s.settle()
}

// TestAPageIsNotPostedWhoseDocumentGoesMeanwhile removes it while the page is drawn.
func TestAPageIsNotPostedWhoseDocumentGoesMeanwhile(t *testing.T) {
	s := begin(t, func(s *scene) {
		s.bot.Draw = func(ctx context.Context, c docs.Citation, _ int) (image.Image, error) {
			return image.NewGray(image.Rect(0, 0, 8, 8)), s.store.RemoveDocument(ctx, 0, c.DocumentID)
		}
	})
	at := s.say(general, "cite", note)
	s.settle()
	s.world.Click("Ada", at, s.world.Posts(at, "Ada")[0], platformtest.Page(1))
	s.settle()
	for _, p := range s.world.Posts(at, "Ada") {
		if p.File != "" {
			t.Errorf("posted %+v", p)
		}
	}
}

// TestAPageIsNotPostedWhereItsDocumentMayNotBeSeenAnyMore makes the document's channel private before the page is
// posted, in the moment it is, or while the program is stopped.
func TestAPageIsNotPostedWhereItsDocumentMayNotBeSeenAnyMore(t *testing.T) {
	for _, when := range []string{"draw", "before upload", "stopped"} {
		t.Run(when, func(t *testing.T) {
			var once sync.Once
			narrow := func(s *scene, step string) {
				if step != when || s.world == nil {
					return
				}
				once.Do(func() {
					s.world.Restrict(general, true, false)
					until(t, "the change", func() bool {
						c, err := s.store.ChannelByKey(context.Background(), s.world.Key(general))
						return err == nil && c.Kind == memory.Private
					})
				})
			}
			s := begin(t, func(s *scene) {
				s.world.Step = func(step string) { narrow(s, step) }
				s.bot.Draw = func(context.Context, docs.Citation, int) (image.Image, error) {
					narrow(s, "draw")
					return image.NewGray(image.Rect(0, 0, 8, 8)), nil
				}
			})
			shelf := s.say(general, "documents", note)
			s.settle()
			s.world.Command("Ada", shelf, "docs share", "note.txt")
			s.settle()
			at := s.say(platformtest.Place{Channel: "random"}, "cite")
			s.settle()
			posts := s.world.Posts(at, "Ada")
			if when == "stopped" {
				s.stop()
				session, err := s.store.SessionByKey(t.Context(), s.world.Key(at))
				if err != nil {
					t.Fatal(err)
				}
				payload := `{"to":{"key":{"platform":"fake","workspace":"w","channel":"random","thread":"` + session.Thread + `"},"ephemeral_to":"U-Ada"},"out":{"kind":"command","text":"a page","file":{"name":"page.png"}}}`
				if _, err := s.store.Queue.OutboxAdd(t.Context(), memory.Outbox{SessionID: session.ID, DocumentID: 1, Nonce: "page", Payload: payload}); err != nil {
					t.Fatal(err)
				}
				s.world.Restrict(general, true, true)
				s.bot = again(s.bot)
				s.run()
			} else {
				s.world.Click("Ada", at, posts[0], platformtest.Page(1))
			}
			s.settle()
			for _, p := range s.world.Posts(at, "Ada") {
				if p.File != "" {
					t.Errorf("posted %+v", p)
				}
			}
			if now := s.world.Posts(at, "Ada"); when == "stopped" && (len(now) != len(posts)+1 || !strings.Contains(now[len(now)-1].Text, "may no longer be shown here")) {
				t.Errorf("nobody is told: %+v", now)
			}
		})
	}
}

// TestALateClickOnAPageOfARemovedDocument: the button may be shown a while longer than it is there.
func TestALateClickOnAPageOfARemovedDocument(t *testing.T) {
	handler := make(chan platform.Handler, 1)
	s := begin(t, func(s *scene) { s.bot.Platforms = []platform.Platform{overheard{s.bot.Platforms[0], handler}} })
	at := s.say(general, "cite", note)
	s.settle()
	var nonce string
	if err := s.store.Read().NewRaw("SELECT nonce FROM outbox WHERE message_id > 0").Scan(t.Context(), &nonce); err != nil {
		t.Fatal(err)
	}
	s.world.Command("Ada", at, "docs remove", "1")
	s.settle()
	ev := platform.Event{ID: "late", Kind: platform.EventClick, Key: s.world.Key(at), Author: platform.Author{ID: "U-Ada", Name: "Ada"}, Action: platform.PageAction(nonce, 1)}
	if err := (<-handler).Receive(t.Context(), ev); err != nil {
		t.Fatal(err)
	}
	s.says(at, "Ada", "That page is gone")
	s.settle()
}

// TestAFileStaysWhereItIsKept: taken out of one channel, it is gone there only.
func TestAFileStaysWhereItIsKept(t *testing.T) {
	handler := make(chan platform.Handler, 1)
	s := begin(t, func(s *scene) { s.bot.Platforms = []platform.Platform{overheard{s.bot.Platforms[0], handler}} })
	at := s.say(general, "documents", note)
	s.settle()
	var file string
	if err := s.store.Read().NewRaw("SELECT platform_id FROM files").Scan(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	h := <-handler
	for _, c := range []struct{ kept, says string }{{at.Channel, "note.txt"}, {"elsewhere", "There are no documents here."}} {
		ev := platform.Event{ID: "unshared from all but " + c.kept, Kind: platform.EventFile, Key: s.world.Key(platformtest.Place{}), Message: file, Kept: []string{c.kept}}
		if err := h.Receive(t.Context(), ev); err != nil {
			t.Fatal(err)
		}
		s.settle()
		s.world.Command("Ada", at, "docs list", "")
		s.says(at, "Ada", c.says)
	}
}
