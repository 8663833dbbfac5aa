package bot_test

import (
	"context"
	"database/sql"
	"errors"
	"image"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs"
)

// TestASlowCommandGetsAnApology clicks for a page that is never drawn.
func TestASlowCommandGetsAnApology(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, func(s *scene) {
			s.bot.TurnTimeout = time.Second
			s.bot.Draw = func(ctx context.Context, _ docs.Citation, _ int) (image.Image, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		})
		at := s.say(general, "cite", note)
		s.settle()
		s.world.Click("Ada", at, s.world.Posts(at, "Ada")[0], platformtest.Page(1))
		s.world.Command("Ada", at, "help", "")
		s.says(at, "Ada", "took too long")
		s.says(at, "Ada", "memory export")
		s.settle()
	})
}

// TestAFailedCommandPromisesNothing that is there for messages only.
func TestAFailedCommandPromisesNothing(t *testing.T) {
	s := begin(t, func(s *scene) {
		s.bot.Draw = func(context.Context, docs.Citation, int) (image.Image, error) { return nil, errors.New("no paper") }
	})
	at := s.say(general, "cite", note)
	s.settle()
	s.world.Click("Ada", at, s.world.Posts(at, "Ada")[0], platformtest.Page(1))
	s.says(at, "Ada", "Something went wrong with this. Please try it again.")
	s.settle()
}

// counter counts the lines of a log with a text.
type counter struct {
	text string
	n    atomic.Int64
}

func (c *counter) Write(line []byte) (int, error) {
	if strings.Contains(string(line), c.text) {
		c.n.Add(1)
	}
	return len(line), nil
}

// exec changes the database behind the bot's back.
func (s *scene) exec(statement string) {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+s.db+"?_pragma=busy_timeout(600000)")
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		s.t.Fatal(err)
	}
}

// TestUnrecordablePostsAreRetriedWithPauses has the database refuse what begins a post,
// as a full disk does, and wants neither a rush of tries nor a program that cannot end,
// and the post once the disk has room again.
func TestUnrecordablePostsAreRetriedWithPauses(t *testing.T) {
	tries := &counter{text: "could not deliver a post"}
	s := begin(t, func(s *scene) { s.bot.Log = slog.New(slog.NewTextHandler(tries, nil)) })
	s.exec(`CREATE TRIGGER full BEFORE UPDATE OF attempts ON outbox BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
	begun := time.Now()
	s.world.Command("Ada", general, "help", "")
	until(t, "the second try", func() bool { return tries.n.Load() > 1 })
	n, took := tries.n.Load(), time.Since(begun) // in this order
	if n > 2+int64(took/(200*time.Millisecond)) {
		t.Errorf("%d tries in %s", n, took)
	}
	s.stop()
	s.exec(`DROP TRIGGER full`)
	if posts := s.world.Posts(general, "Ada"); len(posts) != 0 {
		t.Fatalf("posted: %+v", posts)
	}
	s.run()
	s.settle()
	if posts := s.world.Posts(general, "Ada"); len(posts) != 1 {
		t.Errorf("posts %+v", posts)
	}
}

// stuck is a platform whose first post is never answered.
type stuck struct {
	platform.Platform
	posts atomic.Int64
}

func (s *stuck) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	if s.posts.Add(1) == 1 {
		<-ctx.Done()
		return "", ctx.Err()
	}
	return s.Platform.Post(ctx, to, m)
}

// TestAnAnswerThatHangsIsPostedLater: the request that brings an answer has an end.
func TestAnAnswerThatHangsIsPostedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, func(s *scene) {
			s.world.Streams = false
			s.bot.TurnTimeout = time.Second
			s.bot.Platforms = []platform.Platform{&stuck{Platform: s.world.Platform()}}
		})
		at := s.say(general, "hello")
		s.says(at, "Ada", "You said: hello")
		s.settle()
		if posts := s.world.Posts(at, "Ada"); len(posts) != 1 {
			t.Errorf("posts %+v", posts)
		}
	})
}

// TestADeletedFileIsForgottenHoweverOftenThatFails has the database refuse to remove a
// document at first. Nobody asked, so nobody is told, and
// no command waits for it.
func TestADeletedFileIsForgottenHoweverOftenThatFails(t *testing.T) {
	failures := &counter{text: "command failed"}
	s := begin(t, func(s *scene) { s.bot.Log = slog.New(slog.NewTextHandler(failures, nil)) })
	id, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "documents", Mention: true, Files: []platformtest.File{note}})
	s.settle()
	s.exec(`CREATE TRIGGER refused BEFORE UPDATE OF removed_at ON documents BEGIN SELECT RAISE(ABORT, 'refused'); END`)
	s.world.DeleteFile(at, id, note.Name)
	until(t, "the failure", func() bool { return failures.n.Load() > 0 })
	s.world.Command("Ada", at, "settings show", "")
	s.says(at, "Ada", "- follow: ")
	s.exec(`DROP TRIGGER refused`)
	s.settle()
	if posts := s.world.Posts(at, "Ada"); len(posts) != 2 {
		t.Errorf("posts %+v", posts)
	}
	s.world.Command("Ada", at, "docs list", "")
	s.says(at, "Ada", "There are no documents here")
	s.settle()
}

// TestAFileAndAModelThatFail: what is said of both stands a blank line apart.
func TestAFileAndAModelThatFail(t *testing.T) {
	s := begin(t)
	at := s.say(general, "fail", platformtest.File{Name: "tune.mp3", Data: []byte("ID3\x04\x00\x00\xff\xfb\x90")})
	s.says(at, "Ada", "refused the key")
	s.settle()
	if text := s.texts(at)[0]; !strings.HasPrefix(text, "I could not read tune.mp3") || strings.Count(text, "\n\n") != 1 || strings.Contains(text, "\n\n\n") {
		t.Errorf("%q", text)
	}
}
