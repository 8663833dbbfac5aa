package discord

import (
	"cmp"
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

const (
	askFile     = "attachment"
	maxAsked    = 1900 // characters of a question that are shown
	maxQuestion = 2000 // of it with the names of its files

	aboutPrefix = "about:" // before a message's id: the custom id of the form in which one asks about it
)

// Entries of a message's menu, as Discord names them whatever language they are shown in.
var (
	askAbout  = say.AsksIn["en"].AskAbout
	checkThis = say.AsksIn["en"].CheckThis
	memoryOf  = say.AsksIn["en"].MemoryOf
)

// asks reports whether an interaction stands for a message to us.
func (i wireInteraction) asks() bool {
	switch {
	case i.Type == interactionForm:
		return strings.HasPrefix(i.Data.CustomID, aboutPrefix)
	case i.Type != interactionCommand:
		return false
	case i.Data.Type == commandOnMessage:
		return i.Data.Name == checkThis
	}
	return i.Data.Name == say.AskName || i.Data.Name == say.CheckName
}

func (in *intake) openQuestion(ctx context.Context, i wireInteraction) {
	m, ok := i.Data.Resolved.Messages[i.Data.Target]
	if !ok || !isID(i.Data.Target) {
		return
	}
	in.a.askedAbout.Set(i.Data.Target, m.shown())
	w := say.AsksIn[say.In(i.Locale).Code]
	form := modalOf(aboutPrefix+i.Data.Target, &platform.Form{Title: w.AskAbout, Label: w.Question})
	if err := in.a.acknowledge(ctx, i, form, "", nil); err != nil && ctx.Err() == nil {
		in.a.Log.Warn("could not open a form", "error", err)
	}
}

// ask delivers a question, if its author may ask it.
func (in *intake) ask(ctx context.Context, i wireInteraction, due <-chan struct{}) error {
	if admitted, err := in.admit(ctx, i); err != nil || !admitted {
		return err
	}
	return in.storeInteraction(ctx, i, due, in.questionEvent)
}

// admit reports whether a question may be shown. If not, its author is told why, where only they see it.
func (in *intake) admit(ctx context.Context, i wireInteraction) (bool, error) {
	ev, err := in.interactionEvent(ctx, i, deferredPrivate)
	if err != nil {
		return false, err
	}
	ev.ID, ev.Kind, ev.Mention = askEvent+i.ID, platform.EventMessage, true
	defer in.a.acks.begin(i.ID)()
	admitted, err := in.handler.Admit(ctx, ev)
	if err != nil || admitted {
		return admitted, err
	}
	return false, in.a.acknowledge(ctx, i, callback{answerDeferred, &callbackData{Flags: flagEphemeral}}, "", nil)
}

// question is what an interaction asks, with the files it brings, and the message that it is about with its id, "" for
// none. That of a form is yet to be looked up: see aboutMessage.
func (i wireInteraction) question() (question string, files []wireAttachment, about wireMessage, target string) {
	target, asked := strings.CutPrefix(i.Data.CustomID, aboutPrefix)
	switch {
	case asked:
		return i.typed(), nil, about, target
	case i.Data.Type == commandOnMessage:
		return say.Asked(i.Locale, say.CheckName, ""), nil, i.Data.Resolved.Messages[i.Data.Target], i.Data.Target
	}
	for _, o := range i.Data.Options {
		switch o.Name {
		case say.AskOption, say.CheckOption:
			question = o.text()
		case askFile:
			if f, ok := i.Data.Resolved.Attachments[o.text()]; ok {
				files = append(files, f)
			}
		}
	}
	return say.Asked(i.Locale, i.Data.Name, question), files, about, ""
}

// aboutMessage returns the message that a form was opened for, without text if it is no longer available: it may have been
// edited or deleted since. Where we may not read, it has only what the message said then.
func (in *intake) aboutMessage(ctx context.Context, channel, id string) (m wireMessage) {
	if !isID(id) || !isID(channel) {
		return m
	}
	err := in.a.call(ctx, "GET", "/channels/"+channel+"/messages/"+id, nil, &m)
	if err == nil || hasCode(err, discordgo.ErrCodeUnknownMessage, discordgo.ErrCodeUnknownChannel) {
		return m
	}
	in.a.Log.Info("could not look up the message asked about", "error", err)
	said, _ := in.a.askedAbout.Get(id)
	return wireMessage{Content: said}
}

// questionEvent shows a question, which came as a command or out of a message's menu, to everybody in the channel: it
// then is a message like any other, on which a thread can begin. A message that it is about is linked, not quoted, so that
// its words are gone from the channel once it is deleted.
func (in *intake) questionEvent(ctx context.Context, i wireInteraction) (platform.Event, error) {
	question, files, about, target := i.question()
	text := question
	if isID(target) {
		text = jump(cmp.Or(i.GuildID, directly), i.ChannelID, target) + "\n" + question
	}
	shown, err := in.a.showQuestion(ctx, i, text, files)
	if err != nil && !lapsed(err) && in.a.toRespond(i) > 0 { // else it is answered all the same
		return platform.Event{}, err
	}
	ev, err := in.interactionEvent(ctx, i, deferredUnknown)
	if err != nil {
		return ev, err
	}
	s, err := in.sceneOf(ctx, i)
	if err != nil {
		return ev, err
	}
	ev.ID, ev.Kind, ev.Mention = askEvent+i.ID, platform.EventMessage, true
	if !s.shut || shown == "" {
		ev.Reply.Interaction = ""
	}
	content := question
	if i.Type == interactionForm {
		about = in.aboutMessage(ctx, i.ChannelID, target)
	}
	if said := about.shown(); said != "" {
		content = say.AskedAbout(said, question)
		ev.Quoted = s.quoted(about)
	}
	ev.Text = s.words(wireMessage{Content: content, Mentions: about.Mentions}) // names as the message kept beside it has them
	ev.Message, ev.Shown = cmp.Or(shown, "interaction:"+i.ID), shown != ""
	if s.at.opens() && shown != "" {
		ev.Opens = shown
		in.a.titles.Set(shown, threadName(question, files))
	}
	ev.Joined = s.at.thread()
	for _, f := range files {
		ev.Files = append(ev.Files, memory.File{PlatformID: f.ID, Name: f.name(), Media: f.ContentType, Size: f.Size,
			Locator: locator{s.at.ID, "", f.ID, f.URL}.String(), Link: jump(ev.Key.Workspace, s.at.ID, shown)})
	}
	return ev, nil
}

// showQuestion answers a command or a form with the question itself and returns the message's id, "" if
// Discord does not tell.
func (a *Adapter) showQuestion(ctx context.Context, i wireInteraction, question string, files []wireAttachment) (string, error) {
	text := strings.TrimSpace(question)
	if kit.Length(text) > maxAsked {
		text = kit.Prefix(text, maxAsked-1) + "…"
	}
	lines := strings.Split(text, "\n")
	for _, f := range files {
		lines = append(lines, "📎 "+short(f.name(), nameShown))
	}
	content := "> " + strings.Join(lines, "\n> ")
	content = kit.Prefix(content, maxQuestion)
	var shown struct {
		Resource struct {
			Message struct {
				ID string `json:"id"`
			} `json:"message"`
		} `json:"resource"`
	}
	c := callback{answerMessage, &callbackData{Content: content, Flags: flagNoEmbeds, Mentions: &mentionsNobody{Parse: []string{}}}}
	err := a.acknowledge(ctx, i, c, "?with_response=true", &shown)
	if id := shown.Resource.Message.ID; err == nil && id != "" {
		return id, nil
	}
	var m wireMessage // it may be shown although the answer was lost
	path := interaction{App: i.ApplicationID, ID: i.ID, Token: i.Token}.path() + "/messages/" + original
	if unknown := a.call(ctx, "GET", path, nil, &m); unknown != nil {
		a.Log.Warn("could not find the message of a question", "error", unknown)
		return "", err
	}
	return m.ID, nil
}
