package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// command runs another command of the program on the service's database.
func (s *service) command(args ...string) string {
	s.t.Helper()
	var out, said strings.Builder
	if code := run(s.t.Context(), args, system{In: strings.NewReader(""), Out: &out, Err: &said, Environ: s.settings(), Dir: s.dir}); code != exitOK {
		s.t.Fatalf("%q: exit %d: %s", args, code, said.String())
	}
	return out.String()
}

// TestARestoredProgram: a backup is made while the program serves, things are said, edited and deleted, the disk
// dies, and the backup is put in place. What was deleted is not used, also not in what we posted since, what was answered
// is not answered again, and new questions are.
func TestARestoredProgram(t *testing.T) {
	for _, c := range outsides {
		if c.name == "SlackByHTTP" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &talk{service: newService(t, c.open)}
			k.start()
			steps[0].act(k)
			steps[0].done(k)
			green := k.say("The alarm code of the boathouse is QX-7731.")
			k.once("I keep the code in mind.")
			k.settled()
			if said := k.command("backup", "backup.db"); !strings.Contains(said, "and was checked") {
				t.Errorf("backup says %q", said)
			}
			k.say("The boathouse is green, by the way.")
			k.once("All right.")
			k.say("What is the alarm code of the boathouse?")
			told := k.once("The alarm code is QX-7731.")
			k.settled()
			later, thread := k.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: k.at.Channel, DM: k.at.DM}, Text: "The boathouse is green, by the way.", Mention: true})
			k.posts(thread, "the answer in a conversation since the backup", func(all []platformtest.Post) bool {
				return slices.ContainsFunc(all, func(p platformtest.Post) bool { return strings.Contains(p.Text, "All right.") })
			})
			k.settled()
			k.stop()
			k.Delete(k.at, green)
			posts := len(k.Posts(k.at, "Ada"))

			path := filepath.Join(k.dir, "data", "threadkeeper", "threadkeeper.db")
			if err := errors.Join(os.WriteFile(path, []byte("the disk is dead"), 0o600), os.RemoveAll(path+"-wal")); err != nil {
				t.Fatal(err)
			}
			if said := k.command("restore", "backup.db"); !strings.Contains(said, "since the backup is back") {
				t.Errorf("restore says %q", said)
			}
			db := database(t, k.dir)
			kept := func() string {
				return strings.Join(rows[string](t, db, `SELECT text FROM messages WHERE role = 'user' ORDER BY id`), "\n")
			}
			if !strings.Contains(kept(), "QX-7731") {
				t.Fatalf("the backup holds %q", kept())
			}
			k.restarted()
			k.start()
			k.erased(green)
			if strings.Contains(kept(), "QX-7731") {
				t.Errorf("a message that was deleted is remembered: %q", kept())
			}
			k.posts(k.at, "the answer without the code", func(all []platformtest.Post) bool {
				return slices.ContainsFunc(all, func(p platformtest.Post) bool { return p.ID == told.ID && !strings.Contains(p.Text, "QX-7731") })
			})
			k.settled()
			if said := strings.Join(rows[string](t, db, `SELECT role || ': ' || text FROM messages ORDER BY id`), "\n"); !strings.Contains(said, "by the way.\nassistant: All right.\nuser: What is") {
				t.Errorf("what was said since the backup is kept as %q", said)
			}
			if now := k.Posts(k.at, "Ada"); len(now) > posts {
				t.Errorf("%d posts for what was answered before: %+v", len(now)-posts, now)
			}
			k.Delete(thread, later)
			k.posts(thread, "no answer to what was deleted", func(all []platformtest.Post) bool {
				return !slices.ContainsFunc(all, func(p platformtest.Post) bool { return strings.Contains(p.Text, "All right.") })
			})
			k.say("Tell me a story, please")
			k.once("That is the end of it.")
			k.settled()
			var open []string
			if !platformtest.Await(func() bool {
				open = rows[string](t, db, `SELECT channel FROM channels WHERE stale`)
				return len(open) == 0
			}) {
				t.Errorf("never compared: %q", open)
			}
			k.stop()
			for _, v := range k.violations() {
				t.Error(v)
			}
		})
	}
}
