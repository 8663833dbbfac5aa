package main

import (
	"testing"

	"threadkeeper/bot/slack/fakeslack"
)

// TestAThreadContinuesUnderItsChannelsNewID: Slack gives a private channel another id when it
// is shared with another workspace. What was said there is remembered, also after a
// restart, and what was said before can be taken back.
func TestAThreadContinuesUnderItsChannelsNewID(t *testing.T) {
	t.Parallel()
	k := &talk{service: newService(t, openSlack)}
	h := k.Harness.(*fakeslack.Harness)
	k.start()
	steps[0].act(k)
	steps[0].done(k)
	k.code = k.say("The alarm code of the boathouse is QX-7731.")
	k.once("I keep the code in mind.")
	k.settled()

	h.ChangeID(k.at, "C0CONNECTED")
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
}
