package main

import (
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platformtest"
)

var kills = flag.Int("kills", 0, "how often TestKills kills the program on each platform, 0 for a few times")

// want is a text that stands in a place once when all is over. Several messages that waited
// in one conversation get one answer, which the model's script makes of the last.
type want struct {
	at       platformtest.Place
	id, text string
}

// TestKills kills the program again and again while people ask, share files and give commands
// in several conversations, some of which are folded meanwhile. Everything is answered, once,
// and everything that was said is stored.
func TestKills(t *testing.T) {
	times := *kills
	if times == 0 {
		times = 5
		if testing.Short() {
			t.Skip("long")
		}
	}
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(times), 7))
			s := newService(t, o.open)
			s.environ = append(s.environ, "TOKEN_THRESHOLD=600", "MESSAGES_PER_MINUTE=0", "QUEUE_PER_PERSON=0") // who has too many is asked to ask again
			kill := s.launch()
			var wants []*want
			commands := 0 // their answers look alike
			var threads []platformtest.Place
			say := func(text string, files ...platformtest.File) platformtest.Place {
				at := []platformtest.Place{{Channel: "general"}, {Channel: "random"}, {Channel: "lounge"}}[random.IntN(3)]
				if len(threads) > 0 && random.IntN(6) > 0 {
					at = threads[random.IntN(len(threads))]
				}
				_, at = s.Say(platformtest.Said{Who: "Ada", At: at, Text: text, Mention: true, Files: files})
				if !slices.Contains(threads, at) {
					threads = append(threads, at)
				}
				return at
			}
			for n := range times {
				for i := range 1 + random.IntN(3) {
					id := fmt.Sprint(100000 + 10*n + i)
					switch what := random.IntN(4); {
					case what == 0:
						note := platformtest.File{Name: "note" + id + ".txt", Data: []byte("The gate code of house " + id + " is " + id[3:] + "77.")}
						at := say("What is the gate code of house "+id+"?", note)
						wants = append(wants, &want{at, id, "house " + id + " has the code " + id[3:] + "77"})
					case what == 1 && len(threads) > 0:
						at := threads[random.IntN(len(threads))]
						if len(s.Posts(at, "Ada")) == 0 {
							continue // a command that a crash loses before we have joined is not carried out late
						}
						s.Say(platformtest.Said{Who: "Ada", At: at, Text: "memory status", Mention: true})
						commands++
					default:
						at := say(strings.Repeat("The ferry leaves late and the crew is tired of waiting. ", 6) + "Please repeat the number " + id)
						wants = append(wants, &want{at, id, "Here it is: " + id + "."})
					}
				}
				time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond) // how far it comes is left to chance
				if n%5 == 4 {
					s.settled()
				}
				kill()
				kill = s.launch()
			}
			db := database(t, s.dir)
			kept := func() int {
				return rows[int](t, db, `SELECT count(*) FROM messages WHERE role = 'user' AND text LIKE '%1_____%'`)[0]
			}
			if !platformtest.Await(func() bool { return kept() >= len(wants) }) {
				t.Fatalf("%d of %d messages are stored\nlog: %s", kept(), len(wants), s.log)
			}
			s.settled()
			twice, together := 0, 0
			answers := make(map[string]bool) // to commands, by the post; they are shown to who gave them
			for _, w := range wants {
				posts := s.Posts(w.at, "Ada")
				switch n := w.shown(posts); {
				case n > 1:
					twice++
					t.Errorf("%s at %+v was answered twice: %+v", w.id, w.at, posts)
				case n == 0 && !w.answered(t, db):
					t.Errorf("%s at %+v was not answered: %+v; it is kept as %q", w.id, w.at, posts, rows[string](t, db, `SELECT m.id || ' of session ' || m.session_id || ', interaction ' || COALESCE(m.interaction_id, 0)
						|| ', backfilled ' || s.backfilled_at || ', joined ' || s.joined || ', thread ' || s.thread || ', message ' || m.platform_id || ', inbox ' || COALESCE((SELECT group_concat(i.id || ' ' || i.state || ' ' || i.error) FROM inbox AS i WHERE i.message_id = m.id), 'none')
						FROM messages AS m JOIN sessions AS s ON s.id = m.session_id WHERE m.text LIKE '%`+w.id+`%'`))
				case n == 0:
					together++
				}
				for _, p := range posts {
					if strings.Contains(p.Text, "In numbers: ") {
						answers[p.ID] = true
					}
				}
			}
			if len(answers) < commands {
				t.Errorf("%d of %d commands were answered", len(answers), commands)
			}
			kill()
			folded := rows[int](t, db, `SELECT count(*) FROM segments`)[0]
			for _, w := range wants {
				if n := rows[int](t, db, `SELECT count(*) FROM messages WHERE role = 'user' AND text LIKE '%`+w.id+`%'`)[0]; n != 1 {
					t.Errorf("%s is stored %d times", w.id, n)
				}
			}
			for _, v := range s.violations() {
				t.Error(v)
			}
			t.Logf("%d kills, %d messages and %d commands in %d conversations, %d segments: %d answered twice, %d together with a later one", times, len(wants), commands, len(threads), folded, twice, together)
		})
	}
}

// shown counts the posts that say it.
func (w *want) shown(posts []platformtest.Post) (n int) {
	for _, p := range posts {
		if p.OnlyTo == "" { // not what stands in their direct messages
			n += strings.Count(p.Text, w.text)
		}
	}
	return n
}

// answered tells whether we said something after the message, in its conversation.
func (w *want) answered(t *testing.T, db *sql.DB) bool {
	t.Helper()
	return rows[bool](t, db, `SELECT EXISTS (SELECT 1 FROM messages AS m JOIN messages AS a ON a.session_id = m.session_id AND a.id > m.id AND a.role = 'assistant'
		WHERE m.role = 'user' AND m.text LIKE '%`+w.id+`%')`)[0]
}
