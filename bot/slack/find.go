package slack

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"threadkeeper/bot/platform"
)

const (
	maxSearchPages = 40             // of one search
	searchBack     = 24 * time.Hour // where it is not known what a post answers
)

type ourMessage struct {
	ts    string
	nonce string // "" if it has none
	part  int
	parts int      // how many the post has, 0 if it is not known
	files []string // names
	id    string   // of the first file
}

// Find looks for a post by the nonce in its metadata or its file's name. A stream has
// no metadata until it is closed: after a crash, a message of ours later than the
// one it answers, without nonce or file, is the stream; a session has one turn at a
// time, and every other message of ours there has a nonce. A post that only one person
// saw cannot be found.
func (a *Adapter) Find(ctx context.Context, to platform.Address, nonce string) (platform.Ref, bool, error) {
	at := spotOf(to)
	if nonce == "" {
		return "", false, nil
	}
	if to.EphemeralTo != "" && !at.private() {
		var err error
		if at, err = a.openDirect(ctx, to.EphemeralTo); errors.Is(err, platform.ErrUndeliverable) {
			return "", false, nil
		} else if err != nil {
			return "", false, err
		}
	}
	since, asked := to.ReplyTo, isStamp.MatchString(to.ReplyTo)
	if !asked {
		since = stamp(time.Now().Add(-searchBack))
	}
	ours, err := a.ourMessages(ctx, at, since, func(m ourMessage) bool {
		return m.nonce == nonce || m.nonce == "" && m.ts > since
	})
	if errors.Is(err, platform.ErrUndeliverable) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	r := ref{Workspace: to.Key.Workspace, Channel: at.channel, Thread: at.thread}
	stream := ""
	for _, m := range ours {
		switch {
		case m.nonce == nonce:
			r.Messages = append(r.Messages, m.ts)
		case slices.ContainsFunc(m.files, func(name string) bool { return strings.Contains(name, mark(nonce)) }):
			r.File, r.Messages = m.id, []string{m.ts}
			return r.String(), true, nil
		case len(m.files) == 0 && at.thread != "" && asked:
			stream = m.ts
		}
	}
	if len(r.Messages) == 0 && stream != "" {
		r.Messages = []string{stream}
	}
	return r.String(), len(r.Messages) > 0, nil
}

// ourMessages reads our messages of a place since a time, in the order of their parts. It
// stops once every part of a post is found.
func (a *Adapter) ourMessages(ctx context.Context, at spot, since string, want func(ourMessage) bool) ([]ourMessage, error) {
	us, err := a.identify(ctx)
	if err != nil {
		return nil, err
	}
	var all []ourMessage
	cursor := ""
	for range maxSearchPages {
		answer, err := a.messages(ctx, at, since, cursor)
		if err != nil {
			return nil, err
		}
		for _, m := range answer.Messages {
			if m.User != us.User && (m.BotID == "" || m.BotID != us.Bot) {
				continue
			}
			if f := readOurMessage(m); want(f) {
				all = append(all, f)
			}
		}
		if cursor = answer.Metadata.Cursor; cursor == "" || hasAllParts(all) {
			break
		}
	}
	slices.SortStableFunc(all, func(x, y ourMessage) int {
		return cmp.Or(cmp.Compare(x.part, y.part), cmp.Compare(x.ts, y.ts))
	})
	return all, nil
}

func hasAllParts(all []ourMessage) bool {
	named, parts := 0, 0
	for _, f := range all {
		if f.nonce != "" {
			named, parts = named+1, max(parts, f.parts)
		}
	}
	return named > 0 && named >= parts
}

func (a *Adapter) messages(ctx context.Context, at spot, since, cursor string) (answer page, err error) {
	method, form := listing(at, missedLimit, cursor)
	form.Set("oldest", since)
	form.Set("inclusive", "true")
	form.Set("include_all_metadata", "true")
	err = a.read(ctx, method, form, &answer)
	return answer, err
}

func readOurMessage(m message) ourMessage {
	f := ourMessage{ts: m.TS}
	if p := m.Metadata.Payload; m.Metadata.Type == eventType {
		f.nonce, f.part, f.parts = p.Nonce, p.Part, p.Parts
	}
	for _, file := range m.Files {
		f.id = cmp.Or(f.id, file.ID)
		f.files = append(f.files, file.Name)
	}
	return f
}
