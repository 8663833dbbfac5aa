package bot

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"threadkeeper/agent/spend"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

func why(ctx context.Context, c *call) (platform.Outgoing, error) {
	m, u, err := c.Bot.Store.Views.LastUnderstanding(ctx, c.Session.ID, c.Audience.Person)
	if gone(err) || err == nil && m.PersonID != c.Audience.Person {
		return commandText(c.say.NothingRead)
	}
	if err != nil {
		return platform.Outgoing{}, wrap("load understanding", err)
	}
	answers, err := c.Bot.Store.Views.AnswersOf(ctx, m) // their checks belong to how the message was read
	if err != nil {
		return platform.Outgoing{}, wrap("look for answers", err)
	}
	c.shows.Messages = append(answers, m.ID)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", c.speaker(m), c.quoted(m, 200))
	judged := c.say.Clear
	if u.IsAmbiguous {
		judged = c.say.Ambiguous
	}
	fmt.Fprintf(&b, "\n- "+judged, c.say.DecidedBy[u.Method])
	if u.RewrittenQuery != "" {
		fmt.Fprintf(&b, "\n- "+c.say.ReadAs, u.RewrittenQuery)
	}
	for _, p := range u.PossibleInterpretations {
		fmt.Fprintf(&b, "\n- "+c.say.Possible, p)
	}
	for _, q := range u.ClarifyingQuestions {
		fmt.Fprintf(&b, "\n- "+c.say.AskedBack, q)
	}
	if u.Reason != "" {
		fmt.Fprintf(&b, "\n- "+c.say.Because, u.Reason)
	}
	if k := u.Checks; k != nil {
		fmt.Fprintf(&b, "\n- "+c.say.Checked, k.Verified, k.Unchecked, len(k.LeftOut))
		if k.Judged > 0 {
			fmt.Fprintf(&b, "; "+c.say.Judged, k.Judged)
		}
		for _, l := range k.LeftOut {
			fmt.Fprintf(&b, "\n- "+c.say.LeftOut, l.Text, l.Reason)
		}
	}
	return commandText(b.String())
}

// failed returns the messages of the request under whose answer the button was pressed, or else
// of the last one that failed or was answered in part.
func (c *call) failed(ctx context.Context) ([]*memory.Message, error) {
	if nonce, ok := strings.CutPrefix(c.Event.Action, platform.RetryPrefix); ok {
		return c.Bot.Store.Queue.FailedRequest(ctx, c.Session.ChannelID, nonce)
	}
	return c.Bot.Store.Queue.LastFailedRequest(ctx, c.Session.ID, c.Audience.Person)
}

// retry asks a failed or partial request again, for the person who made it: the command's
// row becomes a request for a turn.
func retry(ctx context.Context, c *call) (platform.Outgoing, error) {
	messages, err := c.failed(ctx)
	if gone(err) {
		return commandText(c.say.NothingFailed)
	}
	if err != nil {
		return platform.Outgoing{}, wrap("look for a failed request", err)
	}
	r, last := request{Event: c.Event}, messages[len(messages)-1]
	if c.Person.ID != last.PersonID {
		if c.Event.Kind == platform.EventClick {
			return c.aside(c.say.OnlyAsker), nil
		}
		return commandText(c.say.OnlyAsker)
	}
	var note *memory.Outbox
	if c.Bot.byName(c.Event.Key.Platform).Limits().Ephemeral {
		// The command is answered to the person who gave it, the request where it was made.
		if c.Event.Kind == platform.EventCommand {
			if note, err = c.Bot.private(c.row, r, nonce("again/%s", nonceOf(c.row)), platform.Outgoing{Text: c.say.Again}); err != nil {
				return platform.Outgoing{}, err
			}
		}
		r.forAll()
	}
	if q, err := c.Bot.Store.Queue.QuestionBefore(ctx, last); err == nil {
		r.Question, r.Choice = q.ID, hearing.ChoiceIn(q)
	} else if !gone(err) {
		return platform.Outgoing{}, wrap("look for a question", err)
	}
	ids := make([]int64, len(messages))
	for i, m := range messages {
		ids[i] = m.ID
	}
	done, err := c.Bot.Store.Queue.InboxRequeue(ctx, c.row.ID, ids, r.encode(), note)
	if err != nil {
		return platform.Outgoing{}, wrap("retry", err)
	}
	if !done {
		return platform.Outgoing{}, nil
	}
	return platform.Outgoing{}, errQueued
}

// retriedPost returns a failed answer as it is shown once it is asked again, nil if it is not to be
// shown. The text that was kept of an answer is in a paragraph before the words of the error.
func (b *Bot) retriedPost(ctx context.Context, o *memory.Outbox) (*platform.Outgoing, error) {
	m, nonce, err := b.Store.Queue.OutboxRetriedAnswer(ctx, o)
	if gone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("find what is asked again", err)
	}
	out := &platform.Outgoing{Nonce: nonce, Kind: platform.KindError, Text: m.Text, Language: b.wordsIn(ctx, m.SessionID, 0, "", m.Text).Code}
	if strings.Contains(m.Text, "\n\n") {
		out.Kind = platform.KindReply
	}
	out.Citations, err = b.Store.Citations(ctx, m.ID)
	return out, wrap("load citations", err)
}

// stop ends the waiting or running work of the conversation. Where the post that it ends says so, and no interaction waits
// for an answer, that is all.
func stop(ctx context.Context, c *call) (platform.Outgoing, error) {
	n, begun, err := c.Bot.Store.Queue.Interrupt(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("stop", err)
	}
	c.Bot.running.nudgeAll()
	c.Bot.turns.ring()
	switch {
	case n == 0:
		return commandText(c.say.Idle)
	case n == 1 && begun && c.Event.Reply.Interaction == "":
		if err := c.Bot.closeCommand(ctx, c.row, nil); err != nil {
			return platform.Outgoing{}, err
		}
		return platform.Outgoing{}, errAlreadyAnswered
	case n == 1:
		return commandText(c.say.Stopping)
	}
	return commandText(c.say.Count(c.say.StoppingAll, n-1))
}

const usageDays = 30

const maxTotals = 10

// usage shows what the model used: everybody in the workspace for an administrator, else the person alone.
func usage(ctx context.Context, c *call) (platform.Outgoing, error) {
	today := memory.Day(c.Bot.Store.Now())
	of := memory.UsageOf{Since: today - (usageDays-1)*24*time.Hour.Milliseconds(), Platform: c.Session.Platform, Workspace: c.Session.Workspace}
	if !c.Person.Admin {
		of.PersonID = c.Person.ID
	}
	rows, err := c.Bot.Store.Views.Usage(ctx, of)
	if err != nil {
		return platform.Outgoing{}, wrap("load usage", err)
	}
	if len(rows) == 0 {
		return commandText(c.say.UsageNone)
	}
	var b strings.Builder
	line := func(bullet, name string, t spend.Total) {
		fmt.Fprintf(&b, "\n"+bullet+c.say.UsageSpent, say.Plain(name), c.say.Number(int(t.Tokens)), c.say.Count(c.say.Calls, int(t.Calls)))
		if money := spend.Money(t.Micros); money != "" {
			b.WriteString(", " + money)
		}
	}
	if of.PersonID != 0 {
		b.WriteString(c.say.UsageYours + "\n")
	}
	for _, t := range spend.Sum(rows, func(u memory.Usage) string {
		if u.Day == today {
			return c.say.UsageToday
		}
		return ""
	}) {
		line("", t.Name, t)
	}
	for _, t := range spend.Sum(rows, func(memory.Usage) string { return c.say.UsageMonth }) {
		line("", t.Name, t)
	}
	for _, by := range spend.By {
		if of.PersonID != 0 && by.Name == "person" {
			continue
		}
		fmt.Fprintf(&b, "\n\n**%s**", c.say.UsageBy[by.Name])
		all := spend.Sum(rows, by.Of)
		for _, t := range all[:min(len(all), maxTotals)] {
			line("- ", t.Name, t)
		}
	}
	var file bytes.Buffer
	if err := spend.WriteCSV(&file, rows); err != nil {
		return platform.Outgoing{}, wrap("write usage", err)
	}
	return platform.Outgoing{Kind: platform.KindCommand, Text: strings.TrimSpace(b.String()),
		File: &platform.Upload{Name: "usage.csv", Media: "text/csv", Data: file.Bytes()}}, nil
}
