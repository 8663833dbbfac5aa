package main

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack/fakeslack"
)

// suspects waits until so many things are suspected to be gone, each after so many looks.
func (s *service) suspects(n, looks int) {
	s.t.Helper()
	db := database(s.t, s.dir)
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		found := rows[int](s.t, db, `SELECT looks FROM suspicions`)
		ok := len(found) == n
		for _, l := range found {
			ok = ok && l == looks
		}
		if ok {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%d things are suspected after %v looks, want %d after %d\nlog: %s", len(found), found, n, looks, s.log)
		}
	}
}

// later lets time pass, while the program is stopped, for what waits to be looked at.
func (s *service) later(d time.Duration) {
	s.t.Helper()
	s.restarted()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.dir, "data", "threadkeeper", "threadkeeper.db")+"?_pragma=busy_timeout(600000)")
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{`UPDATE suspicions SET created_at = created_at - ?1, until = until - ?1, next_at = next_at - ?1`,
		`UPDATE cursors SET at = at - ?1 WHERE part = 'roll call'`} {
		if _, err := db.Exec(statement, d.Milliseconds()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// erased waits until a message was erased. Who was not told of the deletion misses the message, and looks for it
// again after minutes, which are skipped.
func (s *service) erased(id string) {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.dir, "data", "threadkeeper", "threadkeeper.db")+"?_pragma=busy_timeout(600000)")
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if _, err := db.Exec(`UPDATE suspicions SET until = 0, next_at = 0 WHERE looks > 0 AND next_at > 0`); err != nil {
			s.t.Fatal(err)
		}
		if n := rows[int](s.t, db, `SELECT count(*) FROM messages WHERE erased_at > 0 AND platform_id = '`+id+`'`); n[0] > 0 {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s was not erased\nlog: %s", id, s.log)
		}
	}
}

// forgotten fails if the database's file holds a text.
func (s *service) forgotten(text string) {
	s.t.Helper()
	file, err := os.ReadFile(filepath.Join(s.dir, "data", "threadkeeper", "threadkeeper.db"))
	if err != nil {
		s.t.Fatal(err)
	}
	if bytes.Contains(bytes.ToLower(file), bytes.ToLower([]byte(text))) {
		s.t.Errorf("the file holds %q", text)
	}
}

// TestDeletionsWhileStopped: a thread of Discord that is deleted, and a server and a workspace that remove
// us, are erased after three looks over a day.
func TestDeletionsWhileStopped(t *testing.T) {
	for _, c := range []struct {
		name string
		open func(*testing.T) *outside
		goes func(*talk)
	}{
		{"a thread", openDiscord, func(k *talk) { k.Harness.(*fakediscord.Harness).DeleteChannel(k.at.Thread) }},
		{"a server", openDiscord, func(k *talk) {
			h := k.Harness.(*fakediscord.Harness)
			c, _ := h.Server.Channel(k.at.Thread)
			h.RemoveFromGuild(c.GuildID)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &talk{service: newService(t, c.open)}
			k.start()
			for _, s := range steps[:2] {
				s.act(k)
				s.done(k)
			}
			k.settled()
			k.stop()
			c.goes(k)
			k.later(25 * time.Hour) // the roll is called again
			for looks := 1; looks < 3; looks++ {
				k.start()
				k.suspects(1, looks)
				k.stop()
				k.later(12*time.Hour + time.Minute)
			}
			db := database(t, k.dir)
			if kept := strings.Join(rows[string](t, db, `SELECT text FROM messages`), "\n"); !strings.Contains(kept, "QX-7731") {
				t.Fatalf("erased before its time: %q", kept)
			}
			k.start()
			k.suspects(0, 3)
			k.stop()
			k.forgotten("QX-7731")
			if !strings.Contains(k.log.String(), "erased what is gone") || strings.Contains(k.log.String(), "QX-7731") {
				t.Errorf("log: %s", k.log)
			}
		})
	}
}

// TestMessagesDeletedWhileOfflineAreNotShown: somebody removes us from a public channel, or a server, and brings us back.
// Nobody told us what was deleted meanwhile: before what is stored is used elsewhere, it is compared.
func TestMessagesDeletedWhileOfflineAreNotShown(t *testing.T) {
	for _, c := range []struct {
		name      string
		open      func(*testing.T) *outside
		out, back func(*talk)
		deleted   func(*talk)
	}{
		{"Slack", openSlack,
			func(k *talk) {
				h := k.Harness.(*fakeslack.Harness)
				h.Leave(fakeslack.BotUser, h.Room(k.at, "Ada"))
			},
			func(k *talk) {
				h := k.Harness.(*fakeslack.Harness)
				h.Join(k.at)
			},
			func(k *talk) {
				h := k.Harness.(*fakeslack.Harness)
				h.Server.Delete(h.Room(k.at, "Ada"), k.code)
			}},
		{"Discord", openDiscord,
			func(k *talk) {
				h := k.Harness.(*fakediscord.Harness)
				h.RemoveFromGuild(h.Guild())
			},
			func(k *talk) {
				h := k.Harness.(*fakediscord.Harness)
				h.ReturnToGuild(h.Guild())
			},
			func(k *talk) { k.Harness.(*fakediscord.Harness).Server.Delete(k.at.Thread, k.code) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &talk{service: newService(t, c.open)}
			k.start()
			for _, s := range steps[:2] {
				s.act(k)
				s.done(k)
			}
			k.settled()
			c.out(k)
			c.deleted(k)
			c.back(k)
			db := database(t, k.dir)
			suspected := `SELECT 1 FROM suspicions WHERE platform_id = '` + k.code + `'`
			for end := time.Now().Add(patience); len(rows[int](t, db, suspected)) == 0 || len(rows[int](t, db, `SELECT 1 FROM channels WHERE unheard OR unchecked`)) > 0; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("the deleted message is not missed\nlog: %s", k.log)
				}
			}
			elsewhere := platformtest.Place{Channel: "random"}
			k.Command("Bob", elsewhere, "memory search", "alarm code of the boathouse")
			for end := time.Now().Add(patience); len(k.Posts(elsewhere, "Bob")) == 0; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("no answer\nlog: %s", k.log)
				}
			}
			for _, p := range k.Posts(elsewhere, "Bob") {
				if strings.Contains(p.Text, "QX-7731") {
					t.Errorf("Bob is shown elsewhere: %q", p.Text)
				}
			}
			k.erased(k.code)
			k.stop()
			k.forgotten("QX-7731")
		})
	}
}

// TestAnAppThatWasUninstalledIsErased, although the program ends at each start, as its token is refused.
func TestAnAppThatWasUninstalledIsErased(t *testing.T) {
	t.Parallel()
	k := &talk{service: newService(t, openSlack)}
	k.start()
	for _, s := range steps[:2] {
		s.act(k)
		s.done(k)
	}
	k.settled()
	k.stop()
	k.Harness.(*fakeslack.Harness).Revoke("account_inactive")
	for range 4 {
		var out loud
		if code := run(t.Context(), []string{"serve"}, system{In: strings.NewReader(""), Out: &out, Err: &out, Environ: k.settings(), Dir: k.dir}); code != exitFailed {
			t.Fatalf("exit %d: %s", code, &out)
		}
		k.later(12*time.Hour + time.Minute)
	}
	k.forgotten("QX-7731")
	k.forgotten("boathouse")
}

// TestATokenThatIsRefusedEndsServe, with its cause, although the connection stays and no event says so.
func TestATokenThatIsRefusedEndsServe(t *testing.T) {
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, o.open)
			s.log = new(loud)
			ended := make(chan int, 1)
			go func() {
				ended <- run(t.Context(), []string{"serve"}, system{In: strings.NewReader(""), Out: s.log, Err: s.log, Environ: s.settings(), Dir: s.dir})
			}()
			s.listens()
			cause := "the bot token is refused (token_revoked): set SLACK_BOT_TOKEN"
			switch h := s.Harness.(type) {
			case *fakeslack.Harness:
				h.Revoke("token_revoked")
			case *fakediscord.Harness:
				h.Server.Break(fakediscord.Fault{Status: http.StatusUnauthorized, Times: -1})
				cause = "the bot's token is refused; copy it again"
			}
			s.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "hello", Mention: true})
			select {
			case code := <-ended:
				if code != exitFailed || !strings.Contains(s.log.String(), cause) {
					t.Errorf("exit %d: %s", code, s.log)
				}
			case <-time.After(patience):
				t.Fatalf("serve goes on: %s", s.log)
			}
		})
	}
}

// TestACrashWhileAThreadIsReadLosesNoMention kills the program at the first, second, … request for the past of a
// thread in which nobody told us of a mention, and wants both it and the later one answered once.
func TestACrashWhileAThreadIsReadLosesNoMention(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			for _, after := range []int32{1, 2} {
				k := &talk{service: newService(t, o.open)}
				kill := k.launch()
				say := func(who, text string, mention, unseen bool) {
					_, k.at = k.Say(platformtest.Said{Who: who, At: k.at, Text: text, Mention: mention, Unseen: unseen})
				}
				k.at = platformtest.Place{Channel: "general"}
				say("Bob", "we are among ourselves", false, true)
				say("Bob", "please introduce yourself", true, true)
				say("Bob", "anybody?", false, true)
				reached := make(chan struct{})
				var seen atomic.Int32
				k.requests(func(name string) {
					if name != "conversations.replies" && name != "GET /channels/{channel}/messages" {
						return
					}
					if seen.Add(1) == after {
						close(reached)
					}
				})
				say("Ada", "Tell me a story, please", true, false)
				select {
				case <-reached:
				case <-time.After(3 * time.Second): // it makes fewer requests
				}
				kill()
				k.requests(func(string) {})
				kill = k.launch()
				k.once("I am the scripted assistant.")
				k.once("That is the end of it.")
				k.settled()
				k.Redeliver()
				k.settled()
				k.once("I am the scripted assistant.")
				k.once("That is the end of it.")
				kill()
				for _, v := range k.violations() {
					t.Error(v)
				}
			}
		})
	}
}
