package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

type spot struct {
	guild       string // "@me" for a direct message
	channel     string
	replyTo     string       // the message that the first one replies to, "" for none
	interaction *interaction // nil for the channel
	onlyTo      string       // the only person to see it, "" for everybody there
	thread      string       // the thread it replaces, if none could be opened
	opened      bool         // the channel is a thread that this post may be the first in
}

func (p spot) mark(nonce string) mark { return mark{nonce, p.thread} }

func (p spot) ref(ids []string) ref {
	r := ref{Workspace: p.guild, Channel: p.channel, Messages: ids, OnlyTo: p.onlyTo, Thread: p.thread}
	if p.interaction != nil {
		r.Interaction = p.interaction.name()
	}
	return r
}

func (a *Adapter) spotOf(r ref) spot {
	p := spot{guild: r.Workspace, channel: r.Channel, onlyTo: r.OnlyTo, thread: r.Thread}
	if i, ok := a.readName(r.Interaction); ok {
		p.interaction = &i
	}
	return p
}

// spotFor finds where a post for to goes. With open the thread is opened if it must be.
func (a *Adapter) spotFor(ctx context.Context, to platform.Address, kind platform.Kind, open bool) (spot, error) {
	i, answers := readInteraction(to.Interaction)
	if answers {
		a.tokens.Set(i.ID, i.Token)
		if err := a.acks.wait(ctx, i.ID); err != nil {
			return spot{}, err
		}
	}
	if answers && a.open(i) && (to.EphemeralTo != "" || i.Deferral == deferredBeside) {
		return spot{guild: to.Key.Workspace, channel: spotIn(to.Key), interaction: &i, onlyTo: to.EphemeralTo}, nil
	}
	if to.EphemeralTo != "" && to.Key.Workspace != directly {
		return a.openDirect(ctx, to.EphemeralTo)
	}
	p := spot{guild: to.Key.Workspace, channel: to.Key.Channel}
	if !isID(p.channel) || to.Key.Thread != "" && !isID(to.Key.Thread) {
		return p, fmt.Errorf("discord: %w: no such channel", platform.ErrUndeliverable)
	}
	if to.Key.Thread == "" {
		if kind != platform.KindNotice && p.guild != directly && isID(to.ReplyTo) {
			p.replyTo = to.ReplyTo
		}
		return p, nil
	}
	return a.threadFor(ctx, to, p, open)
}

// typed reports whether a command was written as a message, or asked by /ask, whose
// question everybody sees.
func typed(to platform.Address) bool {
	return strings.HasPrefix(to.Event, messageEvent) || strings.HasPrefix(to.Event, askEvent)
}

// inTheOpen is where the answer to a typed command is posted: where it was typed, for
// Discord keeps from others only what answers an interaction. It says nothing that an
// answer there might not say. A notice may: one for a person alone is a direct message, if they accept any.
func inTheOpen(to platform.Address) platform.Address {
	if typed(to) {
		to.EphemeralTo = ""
	}
	return to
}

// How the ids of events begin that are a message, and a question of /ask.
const (
	messageEvent = "message:"
	askEvent     = "ask:"
)

const directly = "@me"

func (a *Adapter) openDirect(ctx context.Context, person string) (spot, error) {
	if !isID(person) {
		return spot{}, fmt.Errorf("discord: %w: no such person", platform.ErrUndeliverable)
	}
	p := spot{guild: directly}
	var known bool
	if p.channel, known = a.directs.Get(person); known {
		return p, nil
	}
	var c wireChannel
	body := recipient{person}
	if err := a.call(ctx, http.MethodPost, "/users/@me/channels", body, &c); err != nil {
		return p, err
	}
	if !isID(c.ID) {
		return p, errors.New("discord: open direct messages: the answer names no channel")
	}
	a.directs.Set(person, c.ID)
	p.channel = c.ID
	return p, nil
}

// recipient opens the direct messages with a person, always the same channel.
type recipient struct {
	ID string `json:"recipient_id"`
}

// noReply are the codes of a message that cannot be a reply
// (https://github.com/discord/discord-api-docs/pull/8424 has the last two).
var noReply = []int{discordgo.ErrCodeCannotReplyWithoutPermissionToReadMessageHistory, 160009, 160010}

// createMessage creates message n of a post here. Discord answers a nonce whose message was
// deleted with "unknown message"
// (https://github.com/discord/discord-api-docs/pull/6647).
func (a *Adapter) createMessage(ctx context.Context, p spot, n int, m message) (wireMessage, error) {
	if p.interaction != nil {
		return a.createAnswer(ctx, p, n, m)
	}
	if n == 0 && p.replyTo != "" {
		m.Reference = &reference{Message: p.replyTo}
	}
	var got wireMessage
	create := func() error { return a.call(ctx, http.MethodPost, "/channels/"+p.channel+"/messages", m, &got) }
	err := a.awake(ctx, p, create)
	if m.Reference != nil && hasCode(err, noReply...) {
		m.Reference = nil
		err = create()
	}
	if n > 0 && m.EnforceNonce && hasCode(err, discordgo.ErrCodeUnknownMessage) {
		m.Nonce, m.EnforceNonce = "", false // we deleted one with this nonce when the post got shorter
		err = create()
	}
	if err == nil && !isID(got.ID) {
		err = errors.New("discord: post: the answer names no message")
	}
	return got, err
}

func (a *Adapter) editMessage(ctx context.Context, p spot, id string, m message) error {
	m.Nonce, m.EnforceNonce = "", false
	return a.awake(ctx, p, func() error { return a.call(ctx, http.MethodPatch, p.messagePath(id), m, nil) })
}

func (a *Adapter) deleteMessage(ctx context.Context, p spot, id string) error {
	err := a.awake(ctx, p, func() error { return a.call(ctx, http.MethodDelete, p.messagePath(id), nil, nil) })
	if hasCode(err, discordgo.ErrCodeUnknownMessage) {
		return nil
	}
	return err
}

// codeLocked is the code of a change in a thread that is locked, and not archived.
const codeLocked = 160005

// awake makes a request in a thread that may be archived: a new message opens it
// again, but nothing in it can be changed before.
func (a *Adapter) awake(ctx context.Context, p spot, request func() error) error {
	err := request()
	if !hasCode(err, discordgo.ErrCodePerformedOperationOnArchivedThread) {
		return err
	}
	if opened := a.call(ctx, http.MethodPatch, "/channels/"+p.channel, unarchive{}, nil); errors.Is(opened, platform.ErrUndeliverable) {
		// It is locked: nobody is to write there, which no other place makes up for.
		return fmt.Errorf("%w: %w", platform.ErrLocked, err)
	} else if opened != nil {
		return opened
	}
	return request()
}

type unarchive struct {
	Archived bool `json:"archived"` // false
}

func (p spot) messagePath(id string) string {
	if p.interaction != nil {
		return p.interaction.path() + "/messages/" + id
	}
	return "/channels/" + p.channel + "/messages/" + id
}
