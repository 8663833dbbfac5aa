package discord

import (
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// TestDeletionsOnDiscord: what was deleted, and not what we may not see.
func TestDeletionsOnDiscord(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	forum := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "forum", Type: fakediscord.ForumChannel})
	hidden := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "hidden", Type: fakediscord.TextChannel})
	say := func(channel, text string) string {
		return w.s.Say(fakediscord.Said{User: w.ada, Channel: channel, Text: text}).ID
	}
	check := func(what string, l platform.Look, want, clear bool) {
		t.Helper()
		if gone, err := w.a.Gone(t.Context(), l); gone != want || (err == nil) != clear {
			t.Errorf("%s: gone %v, %v", what, gone, err)
		}
	}
	key := func(channel, thread string) memory.Key {
		return memory.Key{Platform: "discord", Workspace: w.guild, Channel: channel, Thread: thread}
	}
	root, kept := say(w.general, "root"), say(w.general, "another root")
	w.s.OpenThread(w.ada, w.general, root, "a thread", false)
	w.s.OpenThread(w.ada, w.general, kept, "a thread", false)
	inside, inKept := say(root, "in the thread"), say(kept, "in it")
	post := w.s.Post(w.ada, forum, "A question", "what about this?")
	inPost := say(post, "in it")
	secret, direct := say(hidden, "secret"), say(w.s.DM(w.ada), "direct")
	unopened, answer := say(w.general, "no thread could be opened on it"), say(w.general, "so this is the answer")
	alone := say(w.general, "nobody answered this")
	dm := memory.Key{Platform: "discord", Workspace: directly, Channel: w.s.DM(w.ada)}

	for what, l := range map[string]platform.Look{
		"a root": {Key: key(w.general, root), Message: root}, "a reply": {Key: key(w.general, root), Message: inside},
		"a thread": {Key: key(w.general, root), Held: []string{inside}}, "a forum's post": {Key: key(forum, post), Message: post},
		"its thread": {Key: key(forum, post), Held: []string{inPost}}, "a channel": {Key: key(w.general, "")},
		"a direct message": {Key: dm, Message: direct}, "direct messages": {Key: dm}, "their workspace": {Key: memory.Key{Workspace: directly}},
		"a conversation without its thread":             {Key: key(w.general, unopened), Held: []string{answer}},
		"an answer without its thread":                  {Key: key(w.general, unopened), Message: answer},
		"a click in a conversation without its thread":  {Key: key(w.general, unopened), Held: []string{"interaction:1"}},
		"a request without a thread and without answer": {Key: key(w.general, alone)},
		"the guild": {Key: memory.Key{Workspace: w.guild}},
	} {
		check(what, l, false, true)
	}
	w.s.SetOverwrites(hidden, fakediscord.Overwrite{ID: w.guild, Deny: "1024"})
	check("a message that is hidden", platform.Look{Key: key(hidden, ""), Message: secret}, false, false)
	check("a channel that is hidden", platform.Look{Key: key(hidden, "")}, false, false)

	w.s.Delete(kept, inKept)
	check("a deleted reply", platform.Look{Key: key(w.general, kept), Message: inKept}, true, true)
	w.s.Delete(w.general, kept)
	check("a deleted root", platform.Look{Key: key(w.general, kept), Message: kept}, true, true)
	check("the thread on it", platform.Look{Key: key(w.general, kept), Held: []string{inKept}}, false, true)
	w.s.DeleteChannel(root)
	check("a deleted thread", platform.Look{Key: key(w.general, root), Held: []string{inside}}, true, true)
	check("what was said in it", platform.Look{Key: key(w.general, root), Message: inside}, true, true)
	check("what it began on", platform.Look{Key: key(w.general, root), Message: root}, false, true)
	w.s.DeleteChannel(post)
	check("a deleted post of a forum", platform.Look{Key: key(forum, post), Held: []string{inPost}}, true, true)
	w.s.Delete(w.general, alone)
	check("a deleted request", platform.Look{Key: key(w.general, alone)}, true, true)
	w.s.DeleteChannel(w.general)
	check("a deleted channel", platform.Look{Key: key(w.general, "")}, true, true)
	check("a conversation in it", platform.Look{Key: key(w.general, unopened), Held: []string{answer}}, true, true)
	w.s.Break(fakediscord.Fault{Status: 503, Times: -1})
	check("a channel while Discord is down", platform.Look{Key: key(w.general, "")}, false, false)
	w.s.Mend()
	w.s.RemoveFromGuild(w.guild)
	us := w.s.Application()
	check("a guild that removed us", platform.Look{Key: memory.Key{Workspace: w.guild}, As: us}, true, true)
	check("one that is unknown", platform.Look{Key: memory.Key{Workspace: "4711"}, As: us}, true, true)
	check("one that we are told has removed us", platform.Look{Key: memory.Key{Workspace: "4711"}, Told: true}, true, true)
	check("one that another application was in", platform.Look{Key: memory.Key{Workspace: "4711"}, As: "4712"}, false, false)
	check("one where nobody knows who we were", platform.Look{Key: memory.Key{Workspace: "4711"}}, false, false)
}

// TestBeingRemovedFromAGuildIsReported, but not a guild that is only unavailable.
func TestBeingRemovedFromAGuildIsReported(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	w.s.Dispatch(w.guild, "GUILD_DELETE", map[string]any{"id": w.guild, "unavailable": true})
	w.say("after the outage")
	w.until(platform.EventMessage, 1)
	if got := w.toldAbsent(); len(got) != 0 {
		t.Fatalf("an outage is told as %+v", got)
	}
	w.s.RemoveFromGuild(w.guild)
	if got := w.missing(); got.Key != (memory.Key{Workspace: w.guild}) || !got.Told || len(got.Messages) > 0 {
		t.Errorf("%+v", got)
	}
}
