package discord

import (
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// TestPublicIsWhatEveryRoleAndEverybodyMayRead changes who sees a channel in every way that
// Discord has, while connected. Each change is told at once, and what is asked then is true.
func TestPublicIsWhatEveryRoleAndEverybodyMayRead(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	crew := w.s.AddRole(w.guild, "Crew", 0, w.bob)
	admins := w.s.AddRole(w.guild, "Admins", fakediscord.Administrator)
	view := itoa(fakediscord.ViewChannel)
	bot := fakediscord.Overwrite{ID: w.s.Bot().ID, Type: 1, Allow: view}
	w.run()
	w.say("connected")
	w.until(platform.EventMessage, 1)
	key := memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general}
	overwrites := func(o ...fakediscord.Overwrite) func() {
		return func() { w.s.SetOverwrites(w.general, append(o, bot)...) }
	}
	usual := uint64(fakediscord.ViewChannel | fakediscord.SendMessages | fakediscord.ReadMessageHistory)
	was := memory.Public
	for _, c := range []struct {
		what   string
		change func()
		kind   memory.ChannelKind
	}{
		{"a role is denied", overwrites(fakediscord.Overwrite{ID: crew, Deny: view}), memory.Private},
		{"nobody is", overwrites(), memory.Public},
		{"everybody is denied what was said before", overwrites(fakediscord.Overwrite{ID: w.guild, Deny: itoa(fakediscord.ReadMessageHistory)}), memory.Private},
		{"nobody is again", overwrites(), memory.Public},
		{"a role is denied it", overwrites(fakediscord.Overwrite{ID: crew, Deny: itoa(fakediscord.ReadMessageHistory)}), memory.Private},
		{"nor that", overwrites(), memory.Public},
		{"a member is denied", overwrites(fakediscord.Overwrite{ID: w.bob, Type: 1, Deny: view}), memory.Private},
		{"a role may more", overwrites(fakediscord.Overwrite{ID: crew, Allow: view}), memory.Public},
		{"everybody is denied but a role", overwrites(fakediscord.Overwrite{ID: w.guild, Deny: view}, fakediscord.Overwrite{ID: crew, Allow: view}), memory.Private},
		{"a role is denied something else", overwrites(fakediscord.Overwrite{ID: crew, Deny: itoa(fakediscord.SendMessages)}), memory.Public},
		{"the server hides its channels", func() { w.s.SetPermissions(w.guild, fakediscord.SendMessages) }, memory.Private},
		{"the server shows them", func() { w.s.SetPermissions(w.guild, usual) }, memory.Public},
		{"a role is denied again", overwrites(fakediscord.Overwrite{ID: crew, Deny: view}), memory.Private},
		{"the role is deleted", func() { w.s.DeleteRole(w.guild, crew) }, memory.Public},
		{"it is for adults only", func() { w.s.SetNSFW(w.general, true) }, memory.Private},
		{"it is for all", func() { w.s.SetNSFW(w.general, false) }, memory.Public},
	} {
		before := len(w.told(w.general))
		c.change()
		if c.kind != was {
			w.eventually(func() bool { return len(w.told(w.general)) > before }, c.what)
			all := w.told(w.general)
			if ev := all[len(all)-1]; ev.Key != key || ev.Channel.Kind != c.kind {
				t.Errorf("%s: %+v", c.what, ev)
			}
		}
		w.eventually(func() bool {
			is, err := w.a.Channel(t.Context(), key)
			return err == nil && is.Kind == c.kind && !is.Unchecked
		}, c.what)
		was = c.kind
	}
	if n := len(w.told(w.general)); n != 16 {
		t.Errorf("%d changes were told", n)
	}
	w.s.DeleteRole(w.guild, admins) // changes nothing
	w.say("still connected")
	w.until(platform.EventMessage, 2)
	all, err := w.a.Channels(t.Context(), w.guild)
	if err != nil || len(all) != 1 || all[0].Channel != w.general || all[0].Kind != memory.Public || all[0].Name != "general" || len(w.told(w.general)) != 16 {
		t.Errorf("listed %+v %v", all, err)
	}
	if _, err := w.a.Channels(t.Context(), "1"); err == nil {
		t.Error("channels of a guild that we were not told of")
	}
}

// told are the changes of a channel's audience, "" for those of a whole guild.
func (w *town) told(channel string) (all []platform.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, ev := range w.changes {
		if ev.Key.Channel == channel {
			all = append(all, ev)
		}
	}
	return all
}

// TestAGuildIsComparedWheneverItIsDeliveredAgain: after a gap any channel may have changed, or be
// gone.
func TestAGuildIsComparedWheneverItIsDeliveredAgain(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	gone := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "gone", Type: fakediscord.TextChannel})
	w.run()
	w.eventually(func() bool { return len(w.told("")) == 1 }, "the guild")
	if err := w.stop(); err != nil {
		t.Fatal(err)
	}
	w.s.DeleteChannel(gone)
	w.s.SetOverwrites(w.general, fakediscord.Overwrite{ID: w.guild, Deny: itoa(fakediscord.ViewChannel)}, fakediscord.Overwrite{ID: w.s.Bot().ID, Type: 1, Allow: itoa(fakediscord.ViewChannel)})
	w.run()
	w.eventually(func() bool { return len(w.told("")) == 2 }, "the guild again")
	all, err := w.a.Channels(t.Context(), w.guild)
	if err != nil || len(all) != 1 || all[0].Kind != memory.Private {
		t.Errorf("listed %+v %v", all, err)
	}
}
