package bot

import (
	"context"
	"fmt"
	"strings"

	"threadkeeper/memory"
)

func why(ctx context.Context, c *Call) (Outgoing, error) {
	m, u, err := c.Bot.Store.LastUnderstood(ctx, c.Session.ID)
	if gone(err) {
		return said("I have not read a message here yet.")
	}
	if err != nil {
		return Outgoing{}, wrap("load understanding", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Your last message: %s\n", quoted(m, 200))
	if u.IsAmbiguous {
		b.WriteString("\n- It could be read in several ways")
	} else {
		b.WriteString("\n- It was clear")
	}
	fmt.Fprintf(&b, " (decided by %s)", u.Method)
	if u.RewrittenQuery != "" {
		fmt.Fprintf(&b, "\n- I read it as: %s", u.RewrittenQuery)
	}
	for _, p := range u.PossibleInterpretations {
		fmt.Fprintf(&b, "\n- Possible: %s", p)
	}
	for _, q := range u.ClarifyingQuestions {
		fmt.Fprintf(&b, "\n- I asked: %s", q)
	}
	if u.Reason != "" {
		fmt.Fprintf(&b, "\n- Because: %s", u.Reason)
	}
	return said(b.String())
}

// retry asks the last failed or partial request again, for the one who made it: its
// row becomes a request for a turn.
func retry(ctx context.Context, c *Call) (Outgoing, error) {
	m, err := c.Bot.Store.LastFailed(ctx, c.Session.ID, c.Audience.Person)
	if gone(err) {
		return said(words(c.language()).nothingFailed)
	}
	if err != nil {
		return Outgoing{}, wrap("look for a failed request", err)
	}
	w := words(languageOf(m.Text))
	r := request{Event: c.Event}
	if c.Person == nil || c.Person.ID != m.PersonID {
		if c.Event.Kind == EventClick {
			return c.aside(w.onlyAsker), nil
		}
		return said(w.onlyAsker)
	}
	var note *memory.Outbox
	if p := c.Bot.byName(c.Event.Key.Platform); p != nil && p.Limits().Ephemeral {
		// The command is answered to its giver, the request where it was made.
		if c.Event.Kind == EventCommand {
			if note, err = c.Bot.private(c.row, r, nonce("again/%s", nonceOf(c.row)), Outgoing{Text: w.again}); err != nil {
				return Outgoing{}, err
			}
		}
		r.forAll()
	}
	done, err := c.Bot.Store.Requeue(ctx, c.row.ID, m.ID, r.encode(), note)
	if err != nil {
		return Outgoing{}, wrap("retry", err)
	}
	if !done {
		return Outgoing{}, nil
	}
	return Outgoing{}, errQueued
}

// stop ends what is waiting or running in the conversation.
func stop(ctx context.Context, c *Call) (Outgoing, error) {
	n, err := c.Bot.Store.Interrupt(ctx, c.Session.ID)
	if err != nil {
		return Outgoing{}, wrap("stop", err)
	}
	c.Bot.running.nudge(c.Session.ID)
	c.Bot.turns.ring()
	w := words(c.language())
	switch n {
	case 0:
		return said(w.idle)
	case 1:
		return said(w.stopping)
	}
	return said(fmt.Sprintf(w.stoppingAll, n-1))
}
