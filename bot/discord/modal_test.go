package discord

import (
	"context"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
)

// askedTown is a town with a question of ours in a thread, and a form for its button.
func askedTown(t *testing.T, o fakediscord.Options, form ...func(context.Context, platform.Event) (*platform.Form, error)) (w *town, question fakediscord.Message) {
	w = newTown(t, o)
	w.form = func(_ context.Context, ev platform.Event) (*platform.Form, error) {
		if ev.Action != "q:t:-3" || ev.Author.ID != w.ada || ev.Key.Thread == "" {
			return nil, nil
		}
		return &platform.Form{Title: "Something else", Label: strings.Repeat("Please type what you mean. ", 3), Hint: strings.Repeat("Which colour? ", 20)}, nil
	}
	for _, f := range form {
		w.form, w.a.timing.store = f, time.Second
	}
	w.run()
	root := w.say("<@" + w.s.Bot().ID + "> paint it")
	ev := w.until(platform.EventMessage, 1)[0]
	to := platform.Address{Key: ev.Key, ReplyTo: root.ID, Event: ev.ID}
	to.Key.Platform, to.Key.Thread = platformName, root.ID
	m := reply("Which colour?")
	m.Question = &platform.Question{Text: "Which colour?", Options: []platform.Button{{Label: "Red", Action: "q:t:0"}, {Label: "Something else", Action: "q:t:-3"}}}
	if _, err := w.a.Post(t.Context(), to, m); err != nil {
		t.Fatal(err)
	}
	for _, m := range w.s.Messages(root.ID, w.ada) {
		if m.Content == "Which colour?" {
			return w, m.Message
		}
	}
	t.Fatal("no question")
	return w, question
}

// press presses the nth button and returns the first response.
func (w *town) press(who string, question fakediscord.Message, n int) (*fakediscord.Interaction, int) {
	w.t.Helper()
	i, err := w.s.Click(who, question.ChannelID, question, question.Components[0].Components[n].CustomID)
	if err != nil {
		w.t.Fatal(err)
	}
	return i, w.answered(i)
}

func (w *town) answered(i *fakediscord.Interaction) int {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patiently)
	defer cancel()
	kind, err := i.Response(ctx)
	if err != nil {
		w.t.Fatal("never answered:", err)
	}
	return kind
}

func TestWithoutMessageContentWhatAClickAsksForIsTypedIntoAForm(t *testing.T) {
	t.Parallel()
	w, question := askedTown(t, fakediscord.Options{Privileged: new(int)})
	i, kind := w.press(w.ada, question, 1)
	title, labels, ok := i.Modal()
	if kind != fakediscord.Modal || !ok || title != "Something else" || len(labels) != 1 || !strings.HasPrefix(labels[0], "Please type what you mean.") {
		t.Fatalf("answered by %d: %q %q", kind, title, labels)
	}
	sent, err := i.Submit(map[string]string{"text": "very light blue\nor none"})
	if err != nil {
		t.Fatal(err)
	}
	if kind := w.answered(sent); kind != fakediscord.DeferredUpdate {
		t.Errorf("the form is answered by %d", kind)
	}
	clicks := w.until(platform.EventClick, 1)
	if ev := clicks[0]; len(clicks) != 1 || ev.Action != "q:t:-3" || ev.Args != "very light blue\nor none" || ev.Author.ID != w.ada || ev.Key.Thread != question.ChannelID || ev.ID != "interaction:"+sent.ID() {
		t.Errorf("received %+v", clicks)
	}
	if v := w.s.Violations(); len(v) > 0 {
		t.Error(v)
	}
}

func TestAClickThatAsksForNothingOpensNoForm(t *testing.T) {
	t.Parallel()
	w, question := askedTown(t, fakediscord.Options{Privileged: new(int)})
	if _, kind := w.press(w.ada, question, 0); kind != fakediscord.DeferredUpdate {
		t.Errorf("an option is answered by %d", kind)
	}
	if _, kind := w.press(w.bob, question, 1); kind != fakediscord.DeferredUpdate {
		t.Errorf("somebody else is answered by %d", kind)
	}
	w.until(platform.EventClick, 2)
}

func TestAFormThatCannotBeHadInTimeLeavesTheClick(t *testing.T) {
	t.Parallel()
	slow := func(ctx context.Context, _ platform.Event) (*platform.Form, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	w, question := askedTown(t, fakediscord.Options{Privileged: new(int)}, slow)
	if _, kind := w.press(w.ada, question, 1); kind != fakediscord.DeferredUpdate {
		t.Errorf("answered by %d", kind)
	}
	w.until(platform.EventClick, 1)
	if v := w.s.Violations(); len(v) > 0 {
		t.Error(v)
	}
}

func TestWithMessageContentNoFormIsOpened(t *testing.T) {
	t.Parallel()
	w, question := askedTown(t, fakediscord.Options{})
	if _, kind := w.press(w.ada, question, 1); kind != fakediscord.DeferredUpdate {
		t.Errorf("answered by %d", kind)
	}
	if ev := w.until(platform.EventClick, 1)[0]; ev.Args != "" || ev.Action != "q:t:-3" {
		t.Errorf("received %+v", ev)
	}
}
