package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack/fakeslack"
)

// TestMissedWhileTheProgramWasStopped: Slack has given up telling what happened meanwhile,
// tells of it when the program starts, or does so late, and nothing is lost or doubled.
func TestMissedWhileTheProgramWasStopped(t *testing.T) {
	for _, c := range []struct {
		name    string
		open    func(*testing.T) *outside
		givesUp bool
	}{{"Slack", openSlack, true}, {"SlackByHTTP", openSlackByHTTP, true}, {"Slack tells again", openSlack, false}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &talk{service: newService(t, c.open)}
			h := k.Harness.(*fakeslack.Harness)
			k.start()
			steps[0].act(k)
			steps[0].done(k)
			k.code = k.say("The alarm code of the boathouse is QX-7731.")
			k.once("I keep the code in mind.")
			green := k.say("The boathouse is green, by the way.")
			k.once("All right.")
			k.settled()
			k.stop()

			k.Edit(k.at, k.code, "The alarm code of the boathouse is QX-9999.")
			k.Delete(k.at, green)
			for _, p := range k.Posts(k.at, "Ada") {
				if strings.Contains(p.Text, "I keep the code in mind.") {
					k.Delete(k.at, p.ID)
				}
			}
			k.say("Please repeat the number 41")
			_, other := k.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "general"}, Text: "Tell me a story, please", Mention: true})
			if c.givesUp {
				h.GiveUp()
			}
			k.restarted()
			k.start()
			answered := func() {
				k.once("Here it is: 41.")
				thread := k.at
				k.at = other
				k.once("That is the end of it.")
				k.at = thread
				k.settled()
			}
			answered()
			k.Redeliver()
			answered()
			db := database(t, k.dir)
			for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) { // until the edit was heard of
				if n := rows[int](t, db, `SELECT count(*) FROM messages WHERE role = 'user' AND text LIKE '%QX-9999%'`); n[0] > 0 {
					break
				}
			}
			k.settled()
			k.say("So what is the alarm code of the boathouse?")
			k.once("The alarm code is QX-9999.")
			k.settled()
			if c.givesUp { // nobody tells of the two deletions: both are looked at twice, by two processes
				k.suspects(2, 1)
				k.stop()
				k.later(6 * time.Minute)
				k.start()
				k.suspects(0, 2)
				k.settled()
			}
			k.stop()
			for _, v := range k.violations() {
				t.Error(v)
			}
			said := strings.Join(rows[string](t, db, `SELECT text FROM messages WHERE role = 'user' ORDER BY id`), "\n")
			for text, want := range map[string]bool{"QX-9999": true, "So what is": true, "a story": true, "green": false, "QX-7731": false} {
				if strings.Contains(said, text) != want {
					t.Errorf("%q is remembered: %v, of %q", text, !want, said)
				}
			}
			if kept := rows[string](t, db, `SELECT text FROM messages WHERE role = 'assistant' ORDER BY id LIMIT 1 OFFSET 1`); kept[0] != "" {
				t.Errorf("an answer that was deleted is remembered: %q", kept)
			}
			answers := rows[int](t, db, `SELECT count(*) FILTER (WHERE erased_at = 0) FROM messages WHERE role = 'assistant' GROUP BY reply_to`)
			if len(answers) != 6 || slices.Max(answers) != 1 {
				t.Errorf("answers to each message: %v", answers)
			}
		})
	}
}
