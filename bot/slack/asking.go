package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
	"threadkeeper/memory/reading"
)

// ask returns the post of a question, which is shown once however often it is delivered, "" if its author may not ask. A process before
// this one may have ended right after it had shown it.
func (in *intake) ask(ctx context.Context, ev *platform.Event, question string, on *about) (ts string, err error) {
	ts, known := in.shown.Get(ev.ID)
	if !known && time.Since(in.began) < overlap {
		ctx, cancel := context.WithTimeout(ctx, in.a.LookUp) // Slack does not wait for long
		defer cancel()
		before, err := in.a.ourMessages(ctx, spot{ev.Key.Channel, ev.Key.Thread}, stamp(time.Now().Add(-overlap)), func(m ourMessage) bool { return m.nonce == ev.ID })
		if known = err == nil && len(before) > 0; known {
			ts = before[0].ts
		}
	}
	if !known {
		if admitted, err := in.handler.Admit(ctx, *ev); err != nil || !admitted {
			return "", err
		}
		if ts, err = in.showQuestion(ctx, ev, question, on); err != nil || ts == "" {
			return "", err
		}
	}
	in.shown.Set(ev.ID, ts)
	return ts, nil
}

// showQuestion posts a question that nobody said, so that everybody there sees what is answered, and for whom: at the top of a
// channel the answers are in a thread on it. A message that it is about is linked, not quoted, so that its words are gone from the
// channel once it is deleted. Without permission to post it returns "", and the person is told.
func (in *intake) showQuestion(ctx context.Context, ev *platform.Event, question string, on *about) (ts string, err error) {
	who := in.a.person(ctx, ev.Author.ID, true)
	text := in.a.namesFor(ctx, in.us, true).markdown(question)
	if on != nil {
		text = "[" + say.AsksIn[say.In(who.Locale).Code].About + "](" + permalink(in.us.URL, spot{on.Channel, on.Thread}, on.TS) + ")\n" + text
	}
	shown := platform.Outgoing{Nonce: ev.ID, Kind: platform.KindNotice, Text: "**" + say.Plain(who.Name) + "**\n> " + strings.ReplaceAll(text, "\n", "\n> ")}
	r, err := in.a.Post(ctx, platform.Address{Key: ev.Key}, shown)
	var later *platform.RetryError
	switch {
	case errors.As(err, &later), ctx.Err() != nil:
		return "", err
	case err != nil:
		in.a.Log.Info("could not show a question", "channel", ev.Key.Channel, "error", err)
		w := say.In(who.Locale)
		out := platform.Outgoing{Kind: platform.KindNotice, Text: fmt.Sprintf(w.CannotPost["slack"], "`/"+say.AskName+"`")}
		_, err := in.a.postEphemeral(ctx, platform.Address{Key: ev.Key, Interaction: ev.Reply.Interaction, EphemeralTo: ev.Author.ID}, render(out))
		return "", err
	}
	return in.a.Messages(r)[0], nil
}

// about is the message that a person asks about; the form stores it, and not its words, which may be others by the time they ask.
type about struct {
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	Thread  string `json:"thread,omitempty"`
}

// aboutMessage handles a person's wish to ask about a message.
type aboutMessage struct {
	trigger, user string
	about
}

// maxAbout is how many characters of a message are quoted.
const maxAbout = 2000

// wordsOf returns what a message says now, as Slack writes it, "" if it is gone or not for us.
func (a *Adapter) wordsOf(ctx context.Context, m about) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, a.LookUp) // Slack does not wait for long
	defer cancel()
	method, form := listing(spot{m.Channel, cmp.Or(m.Thread, m.TS)}, 2, "") // replies may begin with the root
	form.Set("oldest", m.TS)
	form.Set("latest", m.TS)
	form.Set("inclusive", "true")
	var answer page
	if err := a.read(ctx, method, form, &answer); err != nil && !errors.Is(err, platform.ErrUndeliverable) && errorCode(err) != "missing_scope" {
		return "", err // the form stays open, and says that it could not be sent
	}
	for _, x := range answer.Messages {
		if x.TS == m.TS && x.Subtype != "tombstone" {
			return reading.Shorten(body(x), maxAbout), nil
		}
	}
	return "", nil
}

type view struct {
	CallbackID string `json:"callback_id"`
	Kept       string `json:"private_metadata"`
	State      struct {
		Values map[string]map[string]struct {
			Value string `json:"value"`
		} `json:"values"`
	} `json:"state"`
}

// typedInto is the id of the form's only field and of its block.
const typedInto = "text"

func (in *intake) openQuestion(ctx context.Context, m *aboutMessage) error {
	w := say.AsksIn[say.In(in.a.person(ctx, m.user, true).Locale).Code]
	field := slackapi.NewPlainTextInputBlockElement(nil, typedInto)
	field.Multiline = true
	kept, err := json.Marshal(m.about)
	if err != nil {
		return err
	}
	form := slackapi.ModalViewRequest{Type: slackapi.VTModal, CallbackID: askMessage, PrivateMetadata: string(kept),
		Title: plainText(w.AskAbout), Submit: plainText(w.Send), Close: plainText(w.Close),
		Blocks: slackapi.Blocks{BlockSet: []slackapi.Block{slackapi.NewInputBlock(typedInto, plainText(w.Question), nil, field)}}}
	return in.a.call(ctx, "views.open", "", func(ctx context.Context) error {
		_, err := in.a.api.OpenViewContext(ctx, m.trigger, form)
		return err
	})
}

func plainText(text string) *slackapi.TextBlockObject {
	return slackapi.NewTextBlockObject(slackapi.PlainTextType, text, false, false)
}

func (r reader) submission(payload []byte, x interaction) outcome {
	var m about
	if x.View.CallbackID != askMessage || kit.Decode([]byte(x.View.Kept), &m) != nil || m.Channel == "" || m.TS == "" {
		return ignored("form %q", x.View.CallbackID)
	}
	question := strings.TrimSpace(x.View.State.Values[typedInto][typedInto].Value)
	if question == "" {
		return ignored("nothing is asked")
	}
	x.Channel.ID, x.Message.TS, x.Message.ThreadTS = m.Channel, m.TS, m.Thread
	ev := r.onMessage(payload, x, platform.EventMessage)
	return outcome{event: ev, about: &m, aloud: question}
}
