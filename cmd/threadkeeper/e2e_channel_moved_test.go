package main

import (
	"testing"

	"threadkeeper/bot/slack/fakeslack"
)

// TestAThreadContinuesUnderItsChannelsNewID: Slack gives a private channel another id when it
// is shared with another workspace, and may not tell us. What was said there is remembered, also after a
// restart, what was said before can be taken back, and what was asked meanwhile is answered.
func TestAThreadContinuesUnderItsChannelsNewID(t *testing.T) {
	for name, move := range map[string]func(k *talk, h *fakeslack.Harness){
		"told": func(k *talk, h *fakeslack.Harness) { h.ChangeID(k.at, "C0CONNECTED", true) },
		"lost": func(k *talk, h *fakeslack.Harness) { h.ChangeID(k.at, "C0CONNECTED", false) },
		"while stopped": func(k *talk, h *fakeslack.Harness) {
			k.stop()
			h.ChangeID(k.at, "C0CONNECTED", false)
			k.say("Please repeat the number 47")
			h.GiveUp()
			k.restarted()
			k.start()
			k.once("Here it is: 47.")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &talk{service: newService(t, openSlack)}
			h := k.Harness.(*fakeslack.Harness)
			k.start()
			steps[0].act(k)
			steps[0].done(k)
			h.Restrict(k.at, true, false)
			k.code = k.say("The alarm code of the boathouse is QX-7731.")
			k.once("I keep the code in mind.")
			taken := k.say("The boathouse is green, by the way.")
			k.once("All right.")
			k.settled()

			move(k, h)
			k.Delete(k.at, taken)
			k.erased(taken)
			k.Edit(k.at, k.code, "The alarm code of the boathouse is QX-9999.")
			k.settled()
			k.say("So what is the alarm code of the boathouse?")
			k.once("The alarm code is QX-9999.")
			k.settled()
			k.stop()
			for _, v := range k.violations() {
				t.Error(v)
			}
			db := database(t, k.dir)
			if channels := rows[string](t, db, `SELECT channel || ' ' || external FROM channels WHERE platform = 'slack'`); len(channels) != 1 || channels[0] != "C0CONNECTED 1" {
				t.Errorf("channels %q", channels)
			}
			if kept := rows[string](t, db, `SELECT text FROM messages WHERE text LIKE '%green%' OR text LIKE '%7731%'`); len(kept) > 0 {
				t.Errorf("still there: %q", kept)
			}
		})
	}
}
