package platform

import (
	"context"
	"time"

	"threadkeeper/memory"
)

// Handler is what a platform calls.
type Handler struct {
	// Receive stores an event. After nil it will be acted on, whatever happens.
	Receive func(context.Context, Event) error
	// Suggest completes a command's argument, at once.
	Suggest func(context.Context, Suggestion) ([]Choice, error)
	// Form is what a click asks its person to type, nil for nothing. A platform that shows
	// it hands on what was typed as that click with Args; one that does not, the click.
	Form func(context.Context, Event) (*Form, error)
	// LastSeen is what was stored of the platform's conversations of the last day on which
	// anything was, the latest first, at most 200: from there on a platform that does not deliver again
	// what it delivered to nobody looks for what it missed.
	LastSeen func(context.Context) ([]Seen, error)
	// MissedSince is since when something may have been missed of a part of the platform, such as
	// a workspace, that was not read yet, the zero time if nothing was. SetMissedSince keeps that,
	// whenever the program ends; with the zero time all of it was read.
	MissedSince    func(ctx context.Context, part string) (time.Time, error)
	SetMissedSince func(ctx context.Context, part string, since time.Time) error
	// Absent is told what a platform does not show any more. That is a suspicion, from which package bot
	// erases nothing before its Looker has said so several times, over some time. nil if nobody
	// has to know.
	Absent func(context.Context, Absence) error
	// Stale are the channels that a backup brought, and those we came back to (keys without a thread), Stored is
	// everything that is stored of one of them, whatever its age and number. Until SetFresh is called for it nothing of
	// it is shown elsewhere; of one that a backup brought nothing is shown at all, and nothing answered there.
	// AwaitStale waits until there may be more of them; it is false once ctx is done. See kit.Recheck.
	Stale      func(context.Context) ([]memory.Key, error)
	AwaitStale func(context.Context) bool
	Stored     func(ctx context.Context, channel memory.Key) ([]Seen, error)
	SetFresh   func(ctx context.Context, channel memory.Key) error
	// Home is what a person finds on the platform's page about us.
	// Platform and workspace of the key count.
	Home func(context.Context, memory.Key, Author) (Home, error)
}

// Form is a field for some lines of text, in the language of the one who sees it.
type Form struct {
	Title string
	Label string // of the field
	Hint  string // shown while the field is empty
}

// SeenMessages is how many messages of a conversation Seen has at most.
const SeenMessages = 50

// Seen is a conversation as far as it was received: the platform ids of what people said
// in it, and of the messages our answers consist of, as far as nobody deleted them,
// newest first, at most SeenMessages of each.
type Seen struct {
	Key      memory.Key
	Messages []string
	Posts    []string
}

// Absence is what is stored and was not found where it was to be: Messages of a conversation;
// without any, all of Key's thread or channel; without Key.Channel its workspace, and
// without Key.Workspace the only one there is.
type Absence struct {
	Key      memory.Key
	Messages []string // platform ids
	Of       int      // messages of the conversation that were looked for
	Told     bool     // the platform says that we were removed
}

// Suggestion asks for completions of a command's argument.
type Suggestion struct {
	Key     memory.Key
	Author  Author
	Command string
	Option  string
	Prefix  string
}

// Choice is one completion.
type Choice struct {
	Label string
	Value string
}
