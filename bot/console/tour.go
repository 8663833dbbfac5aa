package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"threadkeeper/bot/platform"
)

// tourPrefix begins the names of a tour's threads.
const tourPrefix = "tour "

// step is one stop of the tour: its introduction, and the line that Enter sends.
type step struct {
	say, line string
	second    bool // comes after the second document
	answers   bool // is left out if nothing was asked
	cites     bool // is left out if nothing was cited
}

// steps are the tour on the samples, an annual report and the minutes of a meeting. Each line is one that
// works without a model too.
var steps = []step{
	{say: "Ask about the report. The answer quotes the report and names the page.",
		line: "What does the new roaster cost, and when is it delivered?"},
	{say: "See for yourself: a picture of the page behind citation [1], with the passage marked.",
		line: "/page [1]", cites: true},
	{say: "Someone sends you another assistant's answer about the report. Is it right?",
		line: "Check this: Breakfast sales rose from €88,700 to €109,400. After the storm of 9 January the café was closed for 21 days. The members decided to buy an electric roaster from Ferrum & Sons for €41,900, to be delivered by 30 June 2026."},
	{say: "Now there are two documents, and a request names neither: it asks back instead of guessing.",
		line: "Summarise the document.", second: true},
	{say: "Answer by number, by name or in your own words.",
		line: "1", answers: true},
	{say: "Your messages are stored in a file on this machine.",
		line: "Please note: the key of the bicycle shed hangs behind the blue barrel."},
	{say: "You can find them again, today or in a year, with author and date.",
		line: "Where is the key of the bicycle shed?"},
	{say: "See how full the memory is. Long threads are folded into a summary; nothing is lost.",
		line: "/memory status"},
}

// greet says what this is, and offers the tour to a newcomer.
func (c *Chat) greet(ctx context.Context) error {
	if err := c.screen.line(c.screen.strong("Threadkeeper") + " remembers what you say, asks before it guesses, and answers from your " +
		"documents with citations checked against the page. " + c.screen.faint("/help lists the commands, Ctrl-D quits.")); err != nil {
		return err
	}
	for _, note := range append([]string{c.Model(ctx)}, c.Notes...) {
		if note == "" {
			continue
		}
		if err := c.screen.line(c.screen.faint(plain(note))); err != nil {
			return err
		}
	}
	st, err := c.status(ctx)
	if err != nil {
		return err
	}
	if st != nil {
		return c.enter(ctx, Key(c.Thread).Thread)
	}
	others, err := c.threads(ctx)
	if err != nil {
		return err
	}
	if others == noThreads && len(c.Attach) == 0 {
		return c.screen.line("\nNew here? " + c.screen.strong("/tour") + " shows it on a sample PDF in two minutes. Or " + c.screen.strong("/attach") + " your own and ask.\n")
	}
	return errors.Join(c.screen.line(""), c.catchUp(ctx))
}

// tour goes through steps. Enter sends the line that is proposed; anything else
// that is typed is sent instead, and the step comes again. It has a thread of its own, which is erased when it
// ends, so that nothing invented is found later.
func (c *Chat) tour(ctx context.Context) (err error) {
	report, meeting, err := c.Samples()
	if err != nil {
		return c.screen.line(plain("The sample documents cannot be written: " + err.Error()))
	}
	before := c.Thread
	dir, err := os.MkdirTemp("", "threadkeeper-tour")
	if err != nil {
		return err
	}
	c.touring.Store(&dir)
	defer func() { c.touring.Store(nil); err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := c.enter(ctx, tourPrefix+NewThread()); err != nil {
		return err
	}
	gone := c.event(c.id(), platform.EventDelete)
	defer func() { err = errors.Join(err, c.handler.Receive(ctx, gone), c.enter(ctx, Key(before).Thread)) }()
	if err := c.screen.line(c.screen.faint("Enter sends the suggested line, or type your own; Ctrl-D or /quit ends the tour.") + "\n\n" +
		"First, a document: the annual report of an invented café, 8 pages.\n" + c.screen.strong("› /attach sample.pdf")); err != nil {
		return err
	}
	over := func() error {
		return c.screen.line(c.screen.faint("The tour is over, and its thread and samples are erased."))
	}
	if err := c.attach(ctx, []string{report}); err != nil {
		return err
	} else if c.stopped { // there is nothing to ask about
		return over()
	}
	cited := false
	for i, came := 0, false; i < len(steps); {
		s := steps[i]
		last := c.lastShown()
		if cited = cited || len(last.Citations) > 0; s.answers && last.Question == nil || s.cites && !cited {
			i++
			continue
		}
		if s.second && !came {
			came = true
			if err := errors.Join(c.screen.line(c.screen.strong("› /attach meeting.md")), c.attach(ctx, []string{meeting})); err != nil {
				return err
			} else if c.stopped {
				return over()
			}
		}
		if err := c.screen.line(fmt.Sprintf("%s  %s\n%s", c.screen.faint(fmt.Sprintf("%d/%d", i+1, len(steps))), s.say,
			c.screen.faint("Enter sends: ")+c.screen.strong(s.line))); err != nil {
			return err
		}
		text, err := c.next(ctx, true)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, errInterrupt), err == nil && quits(text):
			return over()
		case err != nil:
			return err
		}
		if strings.TrimSpace(text) == "" {
			text = s.line
			i++
		}
		if err := c.say(ctx, text); err != nil {
			return err
		}
	}
	return c.screen.line("That was the tour; its thread and samples are erased. " + c.screen.strong("/attach") + " takes your own files, " + c.screen.strong("/help") + " lists the rest.\n")
}

// lastShown is what was shown as the answer to what was sent last.
func (c *Chat) lastShown() platform.Outgoing {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown
}
