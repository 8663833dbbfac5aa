package discord

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// registered runs the adapter until its commands are known.
func (w *town) registered() {
	w.t.Helper()
	w.run()
	w.eventually(func() bool { return len(w.s.Commands()) > 0 }, "commands")
}

func TestACommandIsStoredBeforeItIsDeferred(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.s.Break(fakediscord.Fault{Times: -1, Match: func(r *fakediscord.Request) bool {
		if strings.HasSuffix(r.Route, "/callback") && len(w.received(platform.EventCommand)) == 0 {
			t.Error("deferred before it was stored")
		}
		return false
	}})
	w.registered()
	i, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.general, Command: "help"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patiently)
	defer cancel()
	if _, err := i.Response(ctx); err != nil {
		t.Error(err)
	}
}

func TestACommandThatIsLateWhenItComesIsReceivedAndNotAnswered(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	w.s.Dispatch(w.guild, "INTERACTION_CREATE", map[string]any{"id": snowflake(time.Now().Add(-2 * time.Minute)), "application_id": w.s.Application(), "type": interactionCommand,
		"token": "late", "guild_id": w.guild, "channel_id": w.general, "channel": map[string]any{"id": w.general, "type": channelText}, "data": map[string]any{"name": "help", "type": commandTyped},
		"member": map[string]any{"user": map[string]any{"id": w.ada, "username": "ada"}, "roles": []string{}}})
	i, _ := readInteraction(w.until(platform.EventCommand, 1)[0].Reply.Interaction)
	w.eventually(func() bool { closed, _ := w.a.closed.Get(i.ID); return closed }, "Discord's refusal")
}

func TestAnAnswerWaitsUntilItsCommandIsDeferred(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	posted := make(chan error, 1)
	w.refuse = func(ev platform.Event) error {
		if ev.Kind != platform.EventCommand {
			return nil
		}
		go func() {
			to := ev.Reply
			to.Key, to.EphemeralTo = ev.Key, ev.Author.ID
			_, err := w.a.Post(t.Context(), to, reply("At once."))
			posted <- err
		}()
		return nil
	}
	w.registered()
	w.s.Break(fakediscord.Fault{Match: func(r *fakediscord.Request) bool { return strings.HasSuffix(r.Route, "/callback") }, Status: http.StatusInternalServerError})
	if _, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.general, Command: "help"}); err != nil {
		t.Fatal(err)
	}
	if err := <-posted; err != nil {
		t.Fatal(err)
	}
	all := w.s.Messages(w.general, w.ada)
	if len(all) != 1 || all[0].Content != "At once." || all[0].OnlyTo != w.ada {
		t.Errorf("shown %+v", all)
	}
}

func TestACommandThatCannotBeStoredAtOnceIsDeferredFirst(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.a.timing.store = 10 * time.Millisecond
	var i *fakediscord.Interaction
	used := make(chan struct{})
	w.refuse = func(ev platform.Event) error {
		<-used
		ctx, cancel := context.WithTimeout(t.Context(), patiently)
		defer cancel()
		if _, err := i.Response(ctx); err != nil {
			t.Error("never acknowledged:", err)
		}
		return nil
	}
	w.registered()
	root := w.say("root")
	w.s.OpenThread(w.ada, w.general, root.ID, "a thread", false)
	var err error
	i, err = w.s.Command(fakediscord.Use{User: w.ada, Channel: root.ID, Command: "memory search", Options: map[string]string{"words": "  the blue house "}})
	close(used)
	if err != nil {
		t.Fatal(err)
	}
	ev := w.until(platform.EventCommand, 1)[0]
	if ev.Command != "memory search" || ev.Args != "the blue house" || ev.Author.ID != w.ada || ev.Author.Name != "Ada" ||
		ev.Key != (memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general, Thread: root.ID}) {
		t.Errorf("received %+v", ev)
	}
	told, ok := readInteraction(ev.Reply.Interaction)
	if !ok || told.App != w.s.Application() || told.Deferral != deferredPrivate || told.Token == "" {
		t.Errorf("answered through %+v", told)
	}
	if n := len(w.s.Violations()); n > 0 {
		t.Error(w.s.Violations())
	}
}

func TestCommandsInDirectMessagesAndByAdministrators(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.s.AddRole(w.guild, "Managers", manageGuild, w.bob)
	w.s.SetLocale(w.ada, "de")
	w.registered()
	if _, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.s.DM(w.ada), Command: "memory status"}); err != nil {
		t.Fatal(err)
	}
	if ev := w.until(platform.EventCommand, 1)[0]; ev.Key.Workspace != "@me" || ev.Channel.Kind != memory.DM || ev.Author.Admin || ev.Author.ID != w.ada || ev.Author.Locale != "de" {
		t.Errorf("received %+v", ev)
	}
	if _, err := w.s.Command(fakediscord.Use{User: w.bob, Channel: w.general, Command: "help"}); err != nil {
		t.Fatal(err)
	}
	if ev := w.until(platform.EventCommand, 2)[1]; !ev.Author.Admin || ev.Command != "help" || ev.Key.Channel != w.general {
		t.Errorf("received %+v", ev)
	}
}

func TestAskIsAMessageOnWhichAThreadCanBegin(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	_, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.general, Command: "ask", Options: map[string]string{"question": "what does @everyone say?"},
		Files: map[string]fakediscord.File{"attachment": {Name: "a.txt", Data: []byte("the text")}}})
	if err != nil {
		t.Fatal(err)
	}
	ev := w.until(platform.EventMessage, 1)[0]
	shown := w.s.Messages(w.general, w.bob)
	if len(shown) != 1 || !strings.Contains(shown[0].Content, "> what does") || shown[0].Notifies != 0 {
		t.Fatalf("shown %+v", shown)
	}
	if ev.Message != shown[0].ID || ev.Opens != shown[0].ID || !ev.Mention || ev.Text != "what does @everyone say?" || ev.Author.ID != w.ada || ev.Reply.Interaction != "" {
		t.Errorf("received %+v, shown as %s", ev, shown[0].ID)
	}
	if len(ev.Files) != 1 || ev.Files[0].Name != "a.txt" {
		t.Fatalf("files %+v", ev.Files)
	}
	to := platform.Address{Key: ev.Key, ReplyTo: ev.Message}
	to.Key.Thread = ev.Opens
	if _, err := w.a.Post(t.Context(), to, platform.Outgoing{Nonce: "n", Kind: platform.KindReply, Text: "This."}); err != nil {
		t.Fatal(err)
	}
	if thread, _ := w.s.Channel(ev.Opens); thread.Name != "what does @\u200beveryone say?" {
		t.Errorf("the thread is named %q", thread.Name)
	}
	r, err := w.a.Open(t.Context(), ev.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	l, _ := readLocator(ev.Files[0].Locator)
	l.URL = w.s.URL() + "/attachments/1/2/a.txt?ex=1"
	if _, err := w.a.Open(t.Context(), memory.File{Locator: l.String()}); !errors.Is(err, platform.ErrFileGone) {
		t.Errorf("after its address expired: %v", err)
	}
}

// People can ask where we see nothing, or may not write; the answer then stands beside
// the question.
func TestAskWhereWeMayNotWrite(t *testing.T) {
	for name, denied := range map[string]uint64{"seen": fakediscord.SendMessages | fakediscord.SendMessagesInThreads, "not seen": fakediscord.ViewChannel} {
		t.Run(name, func(t *testing.T) { askWhereShut(t, denied) })
	}
}

func TestALongQuestionIsShownAsFarAsAMessageGoes(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	for n, question := range []string{strings.Repeat("😀", 1950), strings.Repeat("a\n", 1500)} {
		if _, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.general, Command: "ask", Options: map[string]string{"question": question}}); err != nil {
			t.Fatal(err)
		}
		ev := w.until(platform.EventMessage, n+1)[n]
		shown := w.s.Messages(w.general, w.ada)
		if len(shown) != n+1 || kit.Length(shown[n].Content) > maxQuestion || ev.Text != strings.TrimSpace(question) {
			t.Errorf("%d characters shown, %d of %d received", kit.Length(shown[n].Content), len(ev.Text), len(question))
		}
	}
}

func askWhereShut(t *testing.T, denied uint64) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	hidden := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "hidden"})
	w.s.SetOverwrites(hidden, fakediscord.Overwrite{ID: w.s.Bot().ID, Type: 1, Deny: itoa(denied)})
	w.registered()
	if _, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: hidden, Command: "ask", Options: map[string]string{"question": "Which way?"}}); err != nil {
		t.Fatal(err)
	}
	ev := w.until(platform.EventMessage, 1)[0]
	to := ev.Reply
	to.Key, to.ReplyTo = ev.Key, ev.Message
	to.Key.Thread = ev.Opens
	m := reply("Left.")
	m.Buttons = []platform.Button{{Label: "Retry", Action: "retry"}}
	if _, err := w.a.Post(t.Context(), to, m); err != nil {
		t.Fatal(err)
	}
	all := w.s.Messages(hidden, "")
	if len(all) != 2 || all[0].Content != "> Which way?" || all[1].Content != "Left." {
		t.Fatalf("shown %+v", all)
	}
	if _, err := w.s.Click(w.ada, hidden, all[1].Message, all[1].Components[0].Components[0].CustomID); err != nil {
		t.Fatal(err)
	}
	click := w.until(platform.EventClick, 1)[0]
	to = click.Reply
	to.Key = click.Key
	m.Nonce, m.Text = "tk2", "Right."
	if _, err := w.a.Post(t.Context(), to, m); err != nil {
		t.Fatal(err)
	}
	if all := w.s.Messages(hidden, ""); len(all) != 3 || all[2].Content != "Right." {
		t.Errorf("shown %+v", all)
	}
}

func TestClicks(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	root := w.say("root")
	w.until(platform.EventMessage, 1)
	key := memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general, Thread: root.ID}
	var few, many []platform.Button
	for _, l := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		many = append(many, platform.Button{Label: l, Action: "q:token:" + l})
	}
	few = many[:3]
	for n, options := range [][]platform.Button{few, many} {
		_, err := w.a.Post(t.Context(), platform.Address{Key: key}, platform.Outgoing{Nonce: "n" + options[len(options)-1].Label, Kind: platform.KindReply, Text: "Which?", Question: &platform.Question{Text: "Which?", Options: options}})
		if err != nil {
			t.Fatal(err)
		}
		all := w.s.Messages(root.ID, w.ada)
		m := all[len(all)-1].Message
		var i *fakediscord.Interaction
		if n == 0 {
			i, err = w.s.Click(w.bob, root.ID, m, "q:token:b#nc")
		} else {
			i, err = w.s.Click(w.bob, root.ID, m, menuOf(t, m), "q:token:b#ng")
		}
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patiently)
		if _, err := i.Response(ctx); err != nil {
			t.Error(err)
		}
		cancel()
		got := w.until(platform.EventClick, n+1)[n]
		told, ok := readInteraction(got.Reply.Interaction)
		if got.Action != "q:token:b" || got.Key != key || got.Author.ID != w.bob || !ok || told.Deferral != deferredClick || got.Reply.ReplyTo != m.ID {
			t.Errorf("received %+v", got)
		}
	}
}

// offers are how many buttons and menus a message has.
func offers(all []fakediscord.Shown, id string) int {
	n := 0
	for _, m := range all {
		if m.ID != id {
			continue
		}
		for _, row := range m.Components {
			n += len(row.Components)
		}
	}
	return n
}

func TestAClickAnsweredByATurnRemovesTheButtons(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	root := w.say("root")
	w.until(platform.EventMessage, 1)
	key := memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general, Thread: root.ID}
	for n, button := range []struct {
		action string
		left   int
	}{{"retry", 0}, {"q:token:0", 1}} { // the bot itself closes a question
		post := platform.Outgoing{Nonce: fmt.Sprintf("n%d", n), Kind: platform.KindError, Text: "It failed.", Buttons: []platform.Button{{Label: "Once more", Action: button.action}}}
		if _, err := w.a.Post(t.Context(), platform.Address{Key: key}, post); err != nil {
			t.Fatal(err)
		}
		all := w.s.Messages(root.ID, w.ada)
		m := all[len(all)-1].Message
		if _, err := w.s.Click(w.ada, root.ID, m, button.action+"#"+post.Nonce); err != nil {
			t.Fatal(err)
		}
		got := w.until(platform.EventClick, n+1)[n]
		to := got.Reply
		to.Key = got.Key
		if _, err := w.a.Post(t.Context(), to, platform.Outgoing{Nonce: fmt.Sprintf("answer%d", n), Kind: platform.KindReply, Text: "Now."}); err != nil {
			t.Fatal(err)
		}
		if left := offers(w.s.Messages(root.ID, w.ada), m.ID); left != button.left {
			t.Errorf("%s: the message keeps %d buttons, want %d", button.action, left, button.left)
		}
	}
}

// menuOf is the custom id of a message's select menu.
func menuOf(t *testing.T, m fakediscord.Message) string {
	t.Helper()
	for _, row := range m.Components {
		for _, c := range row.Components {
			if c.Type == 3 {
				return c.CustomID
			}
		}
	}
	t.Fatal("no menu")
	return ""
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	var asked platform.Suggestion
	w.suggest = func(_ context.Context, s platform.Suggestion) ([]platform.Choice, error) {
		asked = s
		all := []platform.Choice{{Label: strings.Repeat("long ", 40), Value: "1"}, {Label: "", Value: "2"}, {Label: "no value"}, {Label: "long value", Value: strings.Repeat("x", 101)}}
		for range 30 {
			all = append(all, platform.Choice{Label: "report", Value: "3"})
		}
		return all, nil
	}
	w.registered()
	got, err := w.s.Suggest(t.Context(), fakediscord.Use{User: w.ada, Channel: w.general, Command: "docs use", Options: map[string]string{"document": "rep"}, Focused: "document"})
	if err != nil || len(got) != 25 || len(got[0].Name) != 100 || got[1].Name != "report" {
		t.Errorf("suggested %+v, %v", got, err)
	}
	if asked.Command != "docs use" || asked.Option != "document" || asked.Prefix != "rep" || asked.Author.ID != w.ada || asked.Key.Channel != w.general {
		t.Errorf("asked %+v", asked)
	}
}

func TestSlowSuggestionsAreDropped(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.a.timing.respond = respondWithin
	w.suggest = func(ctx context.Context, _ platform.Suggestion) ([]platform.Choice, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	w.registered()
	w.eventually(func() bool { // one that comes too late is left unanswered
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		got, err := w.s.Suggest(ctx, fakediscord.Use{User: w.ada, Channel: w.general, Command: "docs use", Options: map[string]string{"document": "rep"}, Focused: "document"})
		if len(got) != 0 {
			t.Errorf("suggested %+v", got)
		}
		return err == nil
	}, "an answer without suggestions")
}

func TestCommandsAreRegisteredOnce(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	const put = "PUT /applications/{application}/commands"
	w.restart(func() {})
	w.eventually(func() bool { return w.s.Calls("GET /applications/{application}/commands") >= 2 }, "a second look")
	w.say("hello")
	w.until(platform.EventMessage, 1)
	if n := w.s.Calls(put); n != 1 {
		t.Errorf("registered %d times", n)
	}
	names := make(map[string]int)
	for _, c := range w.s.Commands() {
		names[c.Name] = len(c.Options)
		for locale := range locales {
			if c.Type == commandOnMessage && (c.NameLocalizations[locale] == "" || c.Description != "" || c.DefaultMemberPermissions != nil) {
				t.Errorf("%s has the names %v", c.Name, c.NameLocalizations)
			}
			if c.Type != commandOnMessage && c.DescriptionLocalizations[locale] == "" {
				t.Errorf("%s is not described in %s", c.Name, locale)
			}
			for _, o := range c.Options {
				if o.DescriptionLocalizations[locale] == "" {
					t.Errorf("%s %s is not described in %s", c.Name, o.Name, locale)
				}
			}
		}
	}
	for _, language := range say.Languages() {
		if say.AsksIn[language] == (say.Asks{}) || language != "en" && !slices.Contains(slices.Collect(maps.Values(locales)), language) {
			t.Errorf("commands are not described in %s", language)
		}
	}
	for name, options := range map[string]int{"ask": 2, "check": 1, "Ask about this message": 0, "Check this": 0, "Memory of this thread": 0, "help": 0, "memory": 2, "docs": 1} {
		if n, ok := names[name]; !ok || n != options {
			t.Errorf("%s has %d options, want %d", name, n, options)
		}
	}
}

// TestSettingsAreShownToManagers by Discord itself, and everything else to everybody.
func TestSettingsAreShownToManagers(t *testing.T) {
	for _, c := range registration(say.Commands("en")) {
		if want := map[string]string{"settings": "32"}[c.Name]; c.Permissions != want || c.Description == "" && c.Type == commandTyped {
			t.Errorf("%s %q is shown with permissions %q", c.Name, c.Description, c.Permissions)
		}
	}
}

// A REST proxy may let through what the program is documented to send and nothing else.
func TestCommandsAreRegisteredWhereTheyCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.s.Break(fakediscord.Fault{Route: "GET /applications/{application}/commands", Status: http.StatusNotFound, Times: -1})
	w.registered()
}

func TestInteractionsOfOnePersonKeepTheirOrder(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	var want []string
	for n := range 30 {
		want = append(want, fmt.Sprint("word", n))
		if _, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.general, Command: "memory search", Options: map[string]string{"words": want[n]}}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, ev := range w.until(platform.EventCommand, len(want)) {
		got = append(got, ev.Args)
	}
	if !slices.Equal(got, want) {
		t.Errorf("received %q", got)
	}
}

// A list that Discord tells as empty, or a text it does not keep, is no reason to register again: people's clients then
// have to load the commands anew.
func TestUnkeptCommandFieldsAreNotRegisteredAgain(t *testing.T) {
	without := []command{newCommand("docs", "Documents", []option{{Type: optionSubcommand, Name: "list", Description: "all"}})}
	empty := []command{newCommand("docs", "Documents", []option{{Type: optionSubcommand, Name: "list", Description: "all", Options: []option{}}})}
	if !same(empty, without) {
		t.Error("not the same")
	}
	if all := with(nil, "page", "fr", "page"); len(all) != 0 {
		t.Errorf("Discord does not keep %v, which differs from nothing", all)
	}
	empty[0].Options[0].Description = "most"
	if same(empty, without) {
		t.Error("the same, but for a description")
	}
}
