package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// pictureDPI is the resolution of page pictures.
const pictureDPI = 150

// page draws a page for the one who asks.
func page(ctx context.Context, c *call) (platform.Outgoing, error) {
	n, err := strconv.Atoi(strings.Trim(c.Args[0], "[]#"))
	if err != nil {
		return commandText(fmt.Sprintf(c.say.PageNumber, c.typed("page 1")))
	}
	if c.Audience.NoDocuments {
		return commandText(c.say.NoDocuments)
	}
	citations, err := c.Bot.Store.Views.LastCitations(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("load citations", err)
	}
	i := slices.IndexFunc(citations, func(x docs.Citation) bool { return x.N == n })
	if i < 0 {
		if len(citations) == 0 {
			return commandText(c.say.NoneCited)
		}
		return commandText(fmt.Sprintf(c.say.NoCitation, c.say.Number(n)))
	}
	out, err := c.Bot.picture(ctx, c.Audience, citations[i], c.say)
	if gone(err) {
		return commandText(c.say.PageGone)
	}
	return out, err
}

// picture is the page behind a citation; memory.ErrNotFound if the audience may not
// see its document, or it was removed.
func (b *Bot) picture(ctx context.Context, a memory.Audience, cited docs.Citation, w *say.Words) (platform.Outgoing, error) {
	if b.Index == nil {
		return platform.Outgoing{}, memory.ErrNotFound
	}
	if _, err := b.Index.Visible(ctx, a, cited.DocumentID); err != nil {
		return platform.Outgoing{}, wrap("find document", err)
	}
	picture, err := b.Draw(ctx, cited, pictureDPI)
	if errors.Is(err, docs.ErrUnsupported) {
		return platform.Outgoing{Kind: platform.KindNotice, Text: w.NoPicture}, nil
	}
	if err != nil {
		return platform.Outgoing{}, wrap("draw page", err)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		return platform.Outgoing{}, wrap("draw page", err)
	}
	name := fmt.Sprintf("%s-page-%d.png", strings.TrimSuffix(say.Plain(cited.Document), ".pdf"), cited.Page)
	return platform.Outgoing{Kind: platform.KindCommand, Language: w.Code, Text: fmt.Sprintf("[%d] %s, ", cited.N, say.Plain(cited.Document)) + fmt.Sprintf(w.Page, cited.Page),
		File: &platform.Upload{Name: name, Media: "image/png", Data: file.Bytes(), Document: cited.DocumentID}}, nil
}

// showPage posts the page behind citation n of the answer with this nonce where the
// answer is, once.
func (b *Bot) showPage(ctx context.Context, c *call, answer string, n int) (platform.Outgoing, error) {
	m, cited, err := b.Store.Views.PostedCitation(ctx, answer, n)
	if gone(err) || err == nil && m.ChannelID != c.Session.ChannelID {
		return c.aside(c.say.PageGone), nil
	}
	if err != nil {
		return platform.Outgoing{}, wrap("load citation", err)
	}
	a, err := b.audience(ctx, m.SessionID, c.Audience.Person)
	if err != nil {
		return platform.Outgoing{}, err
	}
	if a.NoDocuments {
		return c.aside(c.say.NoDocuments), nil
	}
	name := nonce("page/%s/%d", answer, n)
	switch shown, err := b.Store.Queue.OutboxByNonce(ctx, name); {
	case err == nil && shown.State == memory.OutboxDone && shown.Error != "": // given up
		name = nonce("page/%s/%d/%d", answer, n, c.row.ID)
	case err == nil:
		text := c.say.Above
		if link := b.link(c.Event.Key.Platform, shown.Ref); link != "" {
			text = fmt.Sprintf("%s %s", text, link)
		}
		return c.aside(text), nil
	case !gone(err):
		return platform.Outgoing{}, wrap("look for a picture", err)
	}
	out, err := b.picture(ctx, a, *cited, c.say)
	if gone(err) {
		return c.aside(c.say.PageGone), nil
	}
	if err != nil || out.File == nil {
		return c.aside(out.Text), err
	}
	session, err := b.Store.Session(ctx, m.SessionID)
	if err != nil {
		return platform.Outgoing{}, wrap("find session", err)
	}
	p := outboxPayload{To: platform.Address{Key: session.Key, Event: c.Event.ID}, Out: out}
	if who := c.Event.Reply.EphemeralTo; who != "" { // so is the answer
		p.To.EphemeralTo, p.To.Interaction = who, c.Event.Reply.Interaction
	}
	post := &memory.Outbox{SessionID: m.SessionID, MessageID: m.ID, DocumentID: cited.DocumentID, Nonce: name}
	if post.Payload, err = p.encode(); err != nil {
		return platform.Outgoing{}, err
	}
	if err := b.closeCommand(ctx, c.row, post); err != nil {
		return platform.Outgoing{}, err
	}
	return platform.Outgoing{}, errAlreadyAnswered
}
