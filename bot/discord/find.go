package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

const findPages = 5 // of pageSize messages each are looked through

// Find looks for a post by its nonce: in Discord's own field, which it forgets after
// a while, in the ids of its buttons, or as the reply to the message. Finding it ends the status of the
// turn: the status message may be that post, and must not be deleted.
func (a *Adapter) Find(ctx context.Context, to platform.Address, nonce string) (platform.Ref, bool, error) {
	found, ok, err := a.find(ctx, to, nonce)
	if !ok || err != nil {
		return found, ok, err
	}
	if shown := a.statuses.take(to); shown != nil && !slices.Contains(a.Messages(found), shown.parts[0].id) {
		if err := a.deleteMessage(ctx, shown.at, shown.parts[0].id); err != nil {
			a.Log.Debug("could not remove a status", "error", err)
		}
	}
	return found, true, nil
}

func (a *Adapter) find(ctx context.Context, to platform.Address, nonce string) (platform.Ref, bool, error) {
	if name, ok := a.answers.Get(nonce); ok {
		return name, true, nil
	}
	if typed(to) && to.EphemeralTo != "" {
		if name, ok, err := a.find(ctx, inTheOpen(to), nonce); ok || err != nil {
			return name, ok, err
		}
	}
	p, err := a.spotFor(ctx, to, "", false)
	if err != nil {
		return "", false, err
	}
	if p.interaction != nil {
		return a.findAnswer(ctx, to, p, nonce)
	}
	return a.findMessages(ctx, to, p, nonce)
}

func (a *Adapter) findAnswer(ctx context.Context, to platform.Address, p spot, nonce string) (platform.Ref, bool, error) {
	if p.interaction.Deferral != deferredPrivate {
		return "", false, nil
	}
	var m wireMessage
	err := a.call(ctx, http.MethodGet, p.messagePath(original), nil, &m)
	switch {
	case lapsed(err):
		a.closed.Set(p.interaction.ID, true)
		return a.find(ctx, to, nonce)
	case hasCode(err, discordgo.ErrCodeUnknownMessage):
		return "", false, nil
	case err != nil:
		return "", false, err
	}
	if m.Flags&flagLoading != 0 || !isID(m.ID) {
		return "", false, nil
	}
	return p.ref([]string{m.ID}).String(), true, nil
}

// findMessages looks through the messages posted after the request, for a thread that
// may never have been written to also in its channel.
func (a *Adapter) findMessages(ctx context.Context, to platform.Address, p spot, nonce string) (platform.Ref, bool, error) {
	me, err := a.identify(ctx)
	if err != nil {
		return "", false, err
	}
	for {
		all, err := a.after(ctx, p.channel, since(to))
		if err != nil && !isGone(err) {
			return "", false, err
		}
		ours := slices.DeleteFunc(all, func(m wireMessage) bool { return m.noise() != "" || m.Author.ID != me.User })
		ids := byNonce(ours, nonce, statusNonce(to))
		if len(ids) == 0 && (to.Key.Thread == "" || p.thread != "") {
			ids = byReply(ours, cmp.Or(to.ReplyTo, p.thread))
		}
		if len(ids) > 0 {
			return p.ref(ids).String(), true, nil
		}
		if !p.opened {
			return "", false, nil
		}
		p.opened, p.channel, p.thread = false, to.Key.Channel, to.Key.Thread
	}
}

// since is the id after which an answer was posted, "" if that is not known.
func since(to platform.Address) string {
	if i, ok := readInteraction(to.Interaction); ok {
		return i.ID
	}
	for _, id := range []string{to.ReplyTo, to.Key.Thread} {
		if isID(id) {
			return id
		}
	}
	return ""
}

// after are the messages of a channel after an id, or the newest, oldest first.
func (a *Adapter) after(ctx context.Context, channel, id string) ([]wireMessage, error) {
	var all []wireMessage
	for range findPages {
		page, err := a.page(ctx, channel, "after", id)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < pageSize || id == "" {
			break
		}
		id = page[len(page)-1].ID
	}
	return all, nil
}

// byNonce are the messages of one post, in order: those with its nonces, or the one
// with its buttons and those right before it.
func byNonce(ours []wireMessage, nonce, status string) []string {
	var ids []string
	end := -1
	for i, m := range ours {
		if n := m.nonce(); n == nonce || strings.HasPrefix(n, nonce+"-") || n == status {
			ids = append(ids, m.ID)
		} else if m.marked(nonce) || m.marked(status) {
			end = i
		}
	}
	if end < 0 || len(ids) > 0 && slices.Contains(ids, ours[end].ID) {
		return ids
	}
	begin := end
	for begin > 0 && ours[end].Reference.MessageID == "" && ours[begin-1].unmarked() && !strings.HasPrefix(ours[begin-1].Content, "-# ") &&
		kit.Length(ours[begin-1].Content) > maxContent/4 {
		begin--
		if ours[begin].Reference.MessageID != "" {
			break
		}
	}
	ids = nil
	for _, m := range ours[begin : end+1] {
		ids = append(ids, m.ID)
	}
	return ids
}

// byReply are the messages of a post that nothing marks; its first message replies
// to the message asked.
func byReply(ours []wireMessage, asked string) []string {
	for i, m := range ours {
		if asked == "" || m.Reference.MessageID != asked || !m.unmarked() {
			continue
		}
		ids, end := []string{m.ID}, i+1
		for end < len(ours) && ours[end].unmarked() && ours[end].Reference.MessageID == "" {
			ids = append(ids, ours[end].ID)
			end++
		}
		if end < len(ours) && ours[end].Reference.MessageID == "" && kit.Length(ours[end-1].Content) > maxContent/4 {
			continue // that one has the buttons of another post
		}
		return ids
	}
	return nil
}

func (m wireMessage) nonce() string {
	var s string
	if json.Unmarshal(m.Nonce, &s) != nil {
		return ""
	}
	return s
}

func (m wireMessage) marked(nonce string) bool {
	return nonce != "" && slices.ContainsFunc(m.customIDs(), func(id string) bool { return strings.Contains(id, "#"+nonce) })
}

// unmarked reports whether nothing says which post the message belongs to.
func (m wireMessage) unmarked() bool { return m.nonce() == "" && len(m.customIDs()) == 0 }
