package bot

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// addressee says whom a post is for, where other people have spoken since. That is
// decided once, when the post begins: it may show its text long before it is complete.
type addressee struct {
	store   *memory.Store
	since   int64 // the message it follows
	person  int64 // who asked for it
	replies bool  // the platform shows it
	log     *slog.Logger

	mu      sync.Mutex
	decided bool
	between bool
	lead    string // what the post begins with
}

func (c *call) whom(message int64) *addressee {
	return &addressee{store: c.Bot.Store, since: message, person: c.Audience.Person, replies: c.Bot.byName(c.Event.Key.Platform).Limits().Replies, log: c.Bot.Log}
}

// others reports whether somebody else has spoken since, and the name of who asked. If that
// cannot be read nobody has.
func (a *addressee) others(ctx context.Context) (asker string, between bool) {
	asker, between, err := a.store.AskedBeforeOthers(ctx, a.since, a.person)
	if err != nil {
		a.log.Warn("could not look who has spoken since", "error", err)
	}
	return asker, between
}

// begin completes the address of a post, and returns its text with what it begins with.
func (a *addressee) begin(ctx context.Context, to *platform.Address, text string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.decided {
		a.decided = true
		var name string
		if name, a.between = a.others(ctx); a.between && !a.replies {
			a.lead = lead(name, text)
		}
	}
	to.Between = a.between
	return a.lead + text
}

// styles are what would change how a name looks.
var styles = strings.NewReplacer("*", "", "_", " ", "~", "", "|", "")

// lead names somebody before a text: on its line, or above what needs its own.
func lead(name, text string) string {
	if name = strings.TrimSpace(styles.Replace(say.Plain(name))); name == "" {
		return ""
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimSpace(text)); unicode.IsLetter(first) || first == '[' {
		return "**" + name + ":** "
	}
	return "**" + name + ":**\n\n"
}
