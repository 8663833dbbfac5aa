package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory/reading"
)

// Types of the first answer to an interaction
// (discord.com/developers/docs/interactions/receiving-and-responding).
const (
	answerMessage  = 4
	answerDeferred = 5 // "thinking…"
	answerClick    = 6 // nothing is shown
	answerChoices  = 8
	answerForm     = 9 // a modal: Discord takes none after a deferral
)

// callback is the first answer to an interaction. Discord takes one only.
type callback struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"` // *callbackData or *formData
}

type callbackData struct {
	Content  string          `json:"content,omitempty"`
	Flags    int             `json:"flags,omitempty"`
	Choices  *[]choice       `json:"choices,omitempty"`
	Mentions *mentionsNobody `json:"allowed_mentions,omitempty"`
}

type mentionsNobody struct {
	Parse []string `json:"parse"`
}

type choice struct {
	Name  string            `json:"name"`
	Names map[string]string `json:"name_localizations,omitempty"` // by locale
	Value string            `json:"value"`
}

// alreadyAnswered is the code of a second first answer.
const alreadyAnswered = 40060

// acknowledge sends the first answer; query may ask for the message it makes.
func (a *Adapter) acknowledge(ctx context.Context, i wireInteraction, c callback, query string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, a.toRespond(i))
	defer cancel()
	err := a.call(ctx, "POST", "/interactions/"+i.ID+"/"+i.Token+"/callback"+query, c, into)
	switch {
	case hasCode(err, alreadyAnswered):
		return nil
	case lapsed(err):
		a.closed.Set(i.ID, true)
	}
	return err
}

func (in *intake) handleInteraction(ctx context.Context, i wireInteraction, due <-chan struct{}) {
	in.a.Log.Debug("interaction", "type", i.Type)
	var err error
	switch {
	case i.Type == interactionSuggest:
		if err := in.suggest(ctx, i); err != nil && ctx.Err() == nil {
			in.a.Log.Warn("could not show suggestions", "error", err)
		}
	case i.Type == interactionCommand && i.Data.Type == commandOnMessage && i.Data.Name == askAbout:
		in.openQuestion(ctx, i)
	case i.asks():
		err = in.ask(ctx, i, due)
	case i.Type == interactionCommand:
		err = in.storeAndAcknowledge(ctx, i, due, in.commandEvent, callback{answerDeferred, &callbackData{Flags: flagEphemeral}})
	case i.Type == interactionComponent && in.openModal(ctx, i): // the typed text arrives as an interaction
	case i.Type == interactionComponent, i.Type == interactionForm:
		err = in.storeAndAcknowledge(ctx, i, due, in.clickEvent, callback{Type: answerClick})
	}
	if err != nil && ctx.Err() == nil {
		in.a.Log.Error("interaction lost", "type", i.Type, "error", err)
	}
}

type eventReader func(context.Context, wireInteraction) (platform.Event, error)

// storeInteraction delivers an interaction when those before it are stored.
func (in *intake) storeInteraction(ctx context.Context, i wireInteraction, due <-chan struct{}, read eventReader) error {
	ev, err := read(ctx, i)
	if err != nil {
		return err
	}
	select {
	case <-due:
		return in.receive(ctx, ev)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// storeAndAcknowledge delivers an interaction and then sends the first answer, unless that
// would be too late.
func (in *intake) storeAndAcknowledge(ctx context.Context, i wireInteraction, due <-chan struct{}, read eventReader, first callback) error {
	end := in.a.acks.begin(i.ID)
	kept := make(chan error, 1)
	in.interactions.Go(func() {
		defer close(kept)
		defer in.a.caught("interaction")
		kept <- in.storeInteraction(ctx, i, due, read)
	})
	limit := time.NewTimer(in.a.timing.store)
	defer limit.Stop()
	var err error
	waiting := true
	select {
	case err = <-kept:
		waiting = false
	case <-limit.C:
	}
	if err == nil {
		if err := in.a.acknowledge(ctx, i, first, "", nil); err != nil && ctx.Err() == nil {
			in.a.Log.Warn("could not acknowledge an interaction", "error", err)
		}
	}
	end()
	if waiting {
		err = <-kept
	}
	return err
}

// readInteractionData decodes an interaction, if it can be answered.
func readInteractionData(data []byte) (i wireInteraction, ok bool) {
	err := kit.Decode(data, &i)
	i.came = time.Now()
	return i, err == nil && isID(i.ID) && isToken(i.Token)
}

// person is who it comes from, "" if the wire does not say.
func (i wireInteraction) person() string {
	switch {
	case i.Member != nil && i.Member.User != nil:
		return i.Member.User.ID
	case i.User != nil:
		return i.User.ID
	}
	return ""
}

var tokenForm = reading.Lazy(`^[\w-][\w.=+~-]*$`)

// isToken reports whether a token can be used in a path.
func isToken(s string) bool { return len(s) <= 1024 && tokenForm.MatchString(s) }

// commandEvent reads a command; its answer is for the one who gave it only.
func (in *intake) commandEvent(ctx context.Context, i wireInteraction) (platform.Event, error) {
	name, options := i.command()
	ev, err := in.interactionEvent(ctx, i, deferredPrivate)
	if err != nil {
		return ev, err
	}
	if on := i.Data.Resolved.Messages[i.Data.Target]; i.Data.Type == commandOnMessage && on.Flags&flagHasThread != 0 {
		ev.Key.Thread = on.ID
	}
	ev.Kind, ev.Command, ev.Args = platform.EventCommand, name, arguments(in.commands, name, options)
	return ev, nil
}

// clickEvent reads the press of a button, the choice in a menu, or what was typed into the
// form that a button opened.
func (in *intake) clickEvent(ctx context.Context, i wireInteraction) (platform.Event, error) {
	ev, err := in.interactionEvent(ctx, i, deferredClick)
	if err != nil {
		return ev, err
	}
	pressed := i.Data.CustomID
	if i.Data.Component != componentButton && len(i.Data.Values) > 0 {
		pressed = i.Data.Values[0]
	}
	action, k := readCustomID(pressed)
	ev.Kind, ev.Action, ev.Args = platform.EventClick, action, i.typed()
	if ev.Key.Thread == "" && isID(k.thread) {
		ev.Key.Thread = k.thread // the button stands for a thread that could not be opened
	}
	if i.Message != nil {
		ev.Reply.ReplyTo = i.Message.ID
	}
	if platform.Chooses(action) {
		in.a.buttonsDone.Set(i.ID, true)
	}
	return ev, nil
}

func (in *intake) interactionEvent(ctx context.Context, i wireInteraction, d deferral) (platform.Event, error) {
	ev := platform.Event{ID: "interaction:" + i.ID, At: createdAt(i.ID).UnixMilli()}
	s, err := in.sceneOf(ctx, i)
	if err != nil {
		return ev, err
	}
	ev.Key, ev.Channel, ev.Author = s.key(), s.channel(), i.author(s)
	if s.shut && d != deferredPrivate {
		d = deferredBeside
	}
	ev.Reply.Interaction = interaction{i.ApplicationID, i.ID, i.Token, d}.String()
	return ev, nil
}

// sceneOf is where an interaction happens. People may give commands in channels
// that we cannot see; of those the interaction itself says what is known.
func (in *intake) sceneOf(ctx context.Context, i wireInteraction) (scene, error) {
	for n := range maxAttempts {
		s, err := in.a.sceneOf(ctx, cmp.Or(i.ChannelID, i.Channel.ID))
		if errors.Is(err, platform.ErrUndeliverable) {
			s.at, s.name, s.shut = i.Channel, in.a.places.name, true
			if s.at.ID = cmp.Or(s.at.ID, i.ChannelID); i.GuildID == "" {
				s.at.Type = channelDM
			}
			s.at.GuildID, s.parent = i.GuildID, wireChannel{ID: s.at.ParentID, GuildID: i.GuildID}
			return s, nil
		}
		if err == nil {
			s.shut = i.shut()
			return s, nil
		}
		if err := in.pause(ctx, n, err); err != nil {
			return s, err
		}
	}
	return scene{}, fmt.Errorf("discord: look up where a command was given: given up")
}

// shut reports whether we may write neither in the channel nor in threads there, which
// keeps nobody from using our commands
// (https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object).
func (i wireInteraction) shut() bool {
	const inThreads = 1 << 38
	may, read := number(i.Ours), i.Channel.toRead()
	return i.Ours != "" && i.GuildID != "" && (may&read != read || may&(sendMessages|inThreads) == 0)
}

// author is who gave a command, with the permissions they have there.
func (i wireInteraction) author(s scene) (a platform.Author) {
	switch {
	case i.Member != nil && i.Member.User != nil:
		a = s.author(*i.Member.User, i.Member)
	case i.User != nil:
		a = s.author(*i.User, nil)
	}
	a.Locale = i.Locale
	return a
}

// command is the name of a command as the registry has it, and its options.
func (i wireInteraction) command() (name string, options []wireOption) {
	if i.Data.Type == commandOnMessage && i.Data.Name == memoryOf {
		return "memory status", nil
	}
	if o := i.Data.Options; len(o) == 1 && o[0].Type == optionSubcommand {
		return i.Data.Name + " " + o[0].Name, o[0].Options
	}
	return i.Data.Name, i.Data.Options
}

// arguments are a command's options as a line, in the order of the registry.
func arguments(commands []platform.Command, name string, given []wireOption) string {
	var words []string
	for _, c := range commands {
		if c.Name != name {
			continue
		}
		for _, o := range c.Options {
			for _, g := range given {
				if g.Name == o.Name {
					words = append(words, strings.TrimSpace(g.text()))
				}
			}
		}
	}
	return strings.Join(words, " ")
}
