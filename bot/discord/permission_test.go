package discord

import (
	"encoding/json"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/memory"
)

func TestPermissionsInAChannel(t *testing.T) {
	const view, send = viewChannel, uint64(1 << 11)
	roles := []wireRole{{ID: "guild", Permissions: "1024"}, {ID: "mine", Permissions: "2048"}, {ID: "other", Permissions: "8"}}
	mine := []string{"mine"}
	everywhere := granted("guild", mine, roles)
	if everywhere != view|send {
		t.Fatalf("granted %b", everywhere)
	}
	for what, c := range map[string]struct {
		overwrites string
		want       uint64
	}{
		"no overwrites":                {`[]`, view | send},
		"closed to everybody":          {`[{"id":"guild","type":0,"allow":"0","deny":"1024"}]`, send},
		"closed, open to my role":      {`[{"id":"mine","type":0,"allow":"1024","deny":"0"},{"id":"guild","type":0,"allow":"0","deny":"1024"}]`, view | send},
		"closed to me alone":           {`[{"id":"me","type":1,"allow":"0","deny":"2048"},{"id":"mine","type":0,"allow":"2048","deny":"0"}]`, view},
		"somebody else's do not count": {`[{"id":"other","type":0,"allow":"0","deny":"1024"},{"id":"you","type":1,"allow":"0","deny":"1024"}]`, view | send},
		"of two roles the open one":    {`[{"id":"mine","type":0,"allow":"2048","deny":"2048"}]`, view | send},
	} {
		var ch wireChannel
		if err := json.Unmarshal([]byte(`{"type":0,"permission_overwrites":`+c.overwrites+`}`), &ch); err != nil {
			t.Fatal(err)
		}
		if got := allowed(ch, everywhere, "guild", "me", mine); got != c.want {
			t.Errorf("%s: %b, want %b", what, got, c.want)
		}
	}
	if allowed(wireChannel{}, granted("guild", []string{"other"}, roles), "guild", "me", nil)&send == 0 {
		t.Error("an administrator may do everything")
	}
}

func TestOurPermissionsFollowEvents(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.s.SetPermissions(w.guild, fakediscord.ViewChannel)
	w.run()
	w.ready()
	may := func(p uint64, want bool) {
		t.Helper()
		until(t, "the change", func() bool {
			got, err := w.a.rights(t.Context(), w.general)
			return err == nil && (got&p != 0) == want
		})
	}
	may(sendInThreads, false)
	w.s.AddRole(w.guild, "Writers", fakediscord.SendMessages|fakediscord.SendMessagesInThreads, w.s.Bot().ID)
	may(sendInThreads, true)
	w.s.SetOverwrites(w.general, fakediscord.Overwrite{ID: w.guild, Deny: itoa(fakediscord.SendMessages)}, fakediscord.Overwrite{ID: w.s.Bot().ID, Type: 1, Deny: itoa(fakediscord.SendMessagesInThreads)})
	may(sendInThreads, false)
	may(sendMessages, false)
	w.s.SetOverwrites(w.general)
	may(sendMessages, true)
	w.s.Timeout(w.guild, w.s.Bot().ID, time.Hour)
	may(sendMessages, false)
	may(viewChannel, true)
}

// Who is in a private thread is not known: what was said there is shown to nobody elsewhere.
func TestNobodyIsKnownToBeInAPrivateThread(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	private := w.s.PrivateThread(w.bob, w.general, "secret", w.s.Bot().ID)
	for channel, want := range map[string]bool{w.general: true, private: false} {
		if in, err := w.a.Member(t.Context(), memory.Key{Workspace: w.guild, Channel: channel}, w.ada); err != nil || in != want {
			t.Errorf("in %s: %v %v", channel, in, err)
		}
	}
}
