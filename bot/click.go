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

	"threadkeeper/agent"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

// retryButton repeats the request that the post with this nonce answers.
func retryButton(w *say.Words, nonce string) platform.Button {
	return platform.Button{Label: w.Retry, Action: platform.RetryPrefix + nonce}
}

// click runs a button. A late click, a second one, or one on somebody else's button
// changes nothing.
func (b *Bot) click(ctx context.Context, c *call) (platform.Outgoing, error) {
	action := c.Event.Action
	switch action {
	case platform.StopAction:
		return stop(ctx, c)
	case platform.ListenOffAction:
		return c.setListening(ctx, false)
	}
	if c.retryable {
		early, err := b.Store.Queue.OutboxHasUnrecorded(ctx, c.Session.ChannelID, platform.ActionNonce(action), `"`+action+`"`)
		if err != nil {
			return platform.Outgoing{}, wrap("look for the answer clicked", err)
		}
		if early {
			return platform.Outgoing{}, errNotRecordedYet
		}
	}
	kind, subject, _ := strings.Cut(action, ":")
	name, choice, _ := strings.Cut(subject, ":")
	switch kind + ":" {
	case platform.RetryPrefix:
		return retry(ctx, c)
	case platform.FeedbackPrefix:
		return b.feedback(ctx, c, name, platform.Feedback(choice), "")
	case platform.ReasonPrefix:
		if !slices.Contains(platform.Reasons, platform.Reason(choice)) {
			return platform.Outgoing{}, nil
		}
		return b.feedback(ctx, c, name, platform.Unhelpful, platform.Reason(choice))
	case platform.ForgetPrefix:
		return c.forgetClicked(ctx)
	case platform.WithinPrefix:
		return c.withinClicked(ctx)
	case platform.PagePrefix, platform.QuestionPrefix:
		n, err := strconv.Atoi(choice)
		switch {
		case err != nil:
			return platform.Outgoing{}, nil
		case kind+":" == platform.PagePrefix:
			return b.showPage(ctx, c, name, n)
		}
		return b.choose(ctx, c, name, n)
	}
	b.Log.Warn("unknown button", "platform", c.Event.Key.Platform)
	return platform.Outgoing{}, nil
}

func (b *Bot) feedback(ctx context.Context, c *call, nonce string, value platform.Feedback, reason platform.Reason) (platform.Outgoing, error) {
	if value != platform.Helpful && value != platform.Unhelpful {
		return platform.Outgoing{}, nil
	}
	at := c.Event.At
	if at == 0 {
		at = c.row.CreatedAt
	}
	err := b.Store.SetFeedback(ctx, memory.Feedback{Channel: c.Session.ChannelID, Nonce: nonce, Person: c.Person.ID, Value: string(value), At: at, Reason: string(reason)})
	if gone(err) { // erased, or a button from elsewhere
		return platform.Outgoing{}, nil
	}
	if err != nil {
		return platform.Outgoing{}, err
	}
	if value == platform.Helpful || reason != "" {
		return c.aside(c.say.Thanks), nil
	}
	out := c.aside(c.say.Thanks + " " + c.say.WhyUnhelpful)
	if out.Text != "" {
		for _, r := range platform.Reasons {
			out.Buttons = append(out.Buttons, platform.Button{Label: c.say.Reasons[string(r)], Action: platform.ReasonAction(nonce, r)})
		}
	}
	return out, nil
}

// errNotRecordedYet ends the attempt at a click on a post that is visible but that its turn has not
// recorded yet. That is checked before anything is looked up, so it cannot be recorded in between.
var errNotRecordedYet = errors.New("what was clicked is not recorded yet")

// forAll makes a turn that a command asks for answer in the conversation. A turn that a
// click asks for does so anyway, unless only one person sees the clicked post.
func (r *request) forAll() {
	if r.Kind == platform.EventCommand && r.Reply.EphemeralTo == "" {
		r.Reply.Interaction = ""
	}
}

// aside posts a note for the person who clicked; if the platform cannot show it
// to them alone it is not posted.
func (c *call) aside(text string) platform.Outgoing {
	if !c.Bot.byName(c.Event.Key.Platform).Limits().Ephemeral {
		return platform.Outgoing{}
	}
	return platform.Outgoing{Kind: platform.KindNotice, Text: text}
}

func (b *Bot) choose(ctx context.Context, c *call, token string, choice int) (platform.Outgoing, error) {
	q, err := b.Store.Queue.QuestionByToken(ctx, token)
	if gone(err) {
		return c.aside(c.say.Closed), nil
	}
	if err != nil {
		return platform.Outgoing{}, wrap("find question", err)
	}
	asked, err := b.Store.Message(ctx, q.MessageID)
	if err != nil {
		return platform.Outgoing{}, wrap("find the question's message", err)
	}
	answer, text, as := "", "", choice // what the question stores, what the person says, how it is read
	switch {
	case asked.ChannelID != c.Session.ChannelID: // a button from elsewhere
		return platform.Outgoing{}, nil
	case c.Person.ID != q.PersonID:
		return c.aside(c.say.NotYours), nil
	case q.State != memory.QuestionOpen:
		return c.aside(c.say.Closed), nil
	case choice == hearing.ChoiceElse && strings.TrimSpace(c.Event.Args) != "":
		answer, text, as = memory.AnswerInWords, c.Event.Args, agent.ChoiceNone
	case choice == hearing.ChoiceElse:
		if err := b.Store.Queue.AwaitFreeAnswer(ctx, q.ID); err != nil {
			return platform.Outgoing{}, wrap("await an answer", err)
		}
		return platform.Outgoing{Kind: platform.KindNotice, Text: c.say.TypeIt}, nil
	case choice == agent.ChoiceJustAnswer:
		answer, text = memory.AnswerJust, c.say.Beside(q.Text).JustAnswer
	case choice >= 0 && choice < len(q.Options):
		answer, text = q.Options[choice].Label, q.Options[choice].Label
	default:
		return platform.Outgoing{}, nil
	}
	r := request{Event: c.Event, Question: q.ID, Choice: as}
	r.Args = "" // the message contains it
	r.forAll()
	done, err := b.Store.Queue.AnswerByClick(ctx, memory.QuestionAnswer{Question: q, Row: c.row.ID, Answer: answer, Payload: r.encode()},
		memory.Message{Author: c.Person.Name, Text: text})
	if err != nil {
		return platform.Outgoing{}, fmt.Errorf("bot: answer question: %w", err)
	}
	if !done {
		return c.aside(c.say.Closed), nil
	}
	return platform.Outgoing{}, errQueued
}

const pictureDPI = 150

// page shows the page behind citation [3] of the last answer, or page 12 of the first document it
// cites; without citations, of the newest document here.
func page(ctx context.Context, c *call) (platform.Outgoing, error) {
	if c.Audience.NoDocuments {
		return commandText(c.say.NoDocuments)
	}
	citations, err := c.Bot.Store.Views.LastCitations(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("load citations", err)
	}
	label := strings.Trim(c.Args[0], "[]#")
	n, wrong := strconv.Atoi(label)
	byNumber := strings.ContainsAny(c.Args[0], "[]#")
	if wrong != nil { // that of a comparison is "B2"
		i := slices.IndexFunc(citations, func(x docs.Citation) bool { return strings.EqualFold(x.Label(), label) })
		if i < 0 {
			return commandText(fmt.Sprintf(c.say.PageNumber, c.typed("page [1]"), c.typed("page 12")))
		}
		n, byNumber = citations[i].N, true
	}
	cited, err := c.citedPage(ctx, citations, n, byNumber)
	if err != nil {
		return platform.Outgoing{}, err
	}
	if cited == nil {
		if len(citations) == 0 {
			return commandText(c.say.NoneCited)
		}
		return commandText(fmt.Sprintf(c.say.NoCitation, c.say.Number(n)))
	}
	out, err := c.Bot.picture(ctx, c.Audience, *cited, c.say)
	if gone(err) {
		return commandText(c.say.PageGone)
	}
	if errors.Is(err, pdfium.ErrNoPage) {
		e, err := c.Bot.Index.Extent(ctx, cited.DocumentID)
		if err != nil {
			return platform.Outgoing{}, wrap("find document", err)
		}
		return commandText(fmt.Sprintf(c.say.NoPage, say.Name(cited.Document), c.say.Count(c.say.Pages, e.Pages)))
	}
	return out, err
}

// citedPage returns citation n, or page n with its citations; nil if there is none.
func (c *call) citedPage(ctx context.Context, citations []docs.Citation, n int, byNumber bool) (*docs.Citation, error) {
	if byNumber {
		if i := slices.IndexFunc(citations, func(x docs.Citation) bool { return x.N == n }); i >= 0 {
			return &citations[i], nil
		}
		return nil, nil
	}
	if len(citations) > 0 {
		for _, x := range citations {
			if x.DocumentID == citations[0].DocumentID && x.Page == n {
				return &x, nil
			}
		}
		return &docs.Citation{DocumentID: citations[0].DocumentID, Document: citations[0].Document, Page: n}, nil
	}
	all, err := c.Bot.Index.List(ctx, c.Audience)
	if err != nil {
		return nil, wrap("list documents", err)
	}
	for _, d := range slices.Backward(all) {
		if d.State == memory.DocumentReady && !d.Picture {
			return &docs.Citation{DocumentID: d.ID, Document: d.Name, Page: n}, nil
		}
	}
	return nil, nil
}

// picture returns the page behind a citation; memory.ErrNotFound if the audience may not
// see its document, or it was removed.
func (b *Bot) picture(ctx context.Context, a memory.Audience, cited docs.Citation, w *say.Words) (platform.Outgoing, error) {
	if _, err := b.Index.Visible(ctx, a, cited.DocumentID); err != nil {
		return platform.Outgoing{}, wrap("find document", err)
	}
	picture, err := b.Draw(ctx, cited, pictureDPI)
	where := say.Name(cited.Document) + ", " + say.Place(w.Code, cited)
	if cited.N > 0 {
		where = fmt.Sprintf("[%s] %s", cited.Label(), where)
	}
	if errors.Is(err, docs.ErrUnsupported) {
		text := w.NoPicture
		if cited.Quote != "" {
			text = where + ": “" + say.Plain(cited.Quote) + "”\n\n" + text
		}
		return commandText(text)
	}
	if err != nil {
		return platform.Outgoing{}, wrap("draw page", err)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		return platform.Outgoing{}, wrap("draw page", err)
	}
	name := fmt.Sprintf("%s-page-%d.png", strings.TrimSuffix(say.Plain(cited.Document), ".pdf"), cited.Page)
	return platform.Outgoing{Kind: platform.KindCommand, Language: w.Code, Text: where,
		File: &platform.Upload{Name: name, Media: "image/png", Data: file.Bytes(), Document: cited.DocumentID}}, nil
}

// showPage posts the page behind citation n of the answer with this nonce, once, in the answer's
// conversation.
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
	p := outboxPayload{To: platform.Address{Key: session.Key, Event: c.Event.ID, ReplyTo: c.Event.Reply.ReplyTo}, Out: out}
	if who := c.Event.Reply.EphemeralTo; who != "" { // as is the answer
		p.To.EphemeralTo, p.To.Interaction = who, c.Event.Reply.Interaction
	} else {
		p.Out.Text = c.whom(m.ID).begin(ctx, &p.To, p.Out.Text)
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
