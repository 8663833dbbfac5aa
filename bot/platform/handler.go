package platform

import (
	"context"
	"time"

	"threadkeeper/memory"
)

// Handler holds the functions that a platform calls, all of them.
type Handler struct {
	// Receive stores an event. Once it returns nil the event will be handled, even after a crash.
	Receive func(context.Context, Event) error
	// Admit reports whether a question may be shown to everybody before it is received: its author may use us there, and has not
	// asked too much. Else it tells them why not, and the question is not received.
	Admit func(context.Context, Event) (bool, error)
	// Suggest completes a command's argument, at once.
	Suggest func(context.Context, Suggestion) ([]Choice, error)
	// Form returns the form to show after a click, nil for none. A platform that shows
	// it delivers the click with the typed text in Args; one that does not delivers the click alone.
	Form func(context.Context, Event) (*Form, error)
	// LastSeen returns the conversations with messages stored on the last active day, the latest
	// first, at most 200. A platform that does not repeat deliveries nobody received
	// catches up from there.
	LastSeen func(context.Context) ([]Seen, error)
	// MissedSince returns since when events may have been missed, and not read yet, in a part of the
	// platform, such as a workspace; the zero time if none were. SetMissedSince stores that, so that
	// it survives the end of the program; the zero time means that everything was read.
	MissedSince    func(ctx context.Context, part string) (time.Time, error)
	SetMissedSince func(ctx context.Context, part string, since time.Time) error
	// Absent reports messages that a platform no longer shows. That is only a suspicion: package bot
	// erases nothing until the Looker has confirmed it several times, over some time.
	Absent func(context.Context, Absence) error
	// Stale returns the channels restored from a backup and those we were added back to.
	// Stored returns everything stored from one of them, whatever its age and number. Until SetFresh is called for a
	// channel, its messages are shown nowhere else; a channel from a backup shows and answers nothing at all.
	// AwaitStale waits until there may be more such channels; it is false once ctx is done. See kit.Recheck.
	Stale      func(context.Context) ([]memory.StaleChannel, error)
	AwaitStale func(context.Context) bool
	Stored     func(ctx context.Context, channel memory.Key) ([]Seen, error)
	SetFresh   func(ctx context.Context, channel memory.StaleChannel) error
	// AwaitMoved waits until a channel is found under an id that the platform did not tell us: what was said there while nobody
	// listened may not have been read. It is false once ctx is done.
	AwaitMoved func(context.Context) bool
	// NextPart waits until a part of what is stored is due to be compared with the platform, and returns it: at most limit
	// messages of one conversation. Every pass has each of them in one part. SetCompared ends that part.
	// See kit.Sweep.
	NextPart    func(ctx context.Context, limit int) (Part, error)
	SetCompared func(context.Context, Part) error
	// Files returns the platform ids of the files stored with a message of a channel, without those that are gone: one that
	// the message no longer has was taken out of it while nobody heard.
	Files func(ctx context.Context, channel memory.Key, message string) ([]string, error)
	// In notes which application we are in a workspace that we are in: another one's token proves nothing about it.
	In func(ctx context.Context, workspace, application string) error
	// Home shows a person the platform's page about us, with HomePublisher. Only the workspace of the key counts.
	Home func(context.Context, memory.Key, Author) error
}

// Form is a field for some lines of text, in the language of the person who sees it.
type Form struct {
	Title string
	Label string // of the field
	Hint  string // shown while the field is empty
}

// SeenMessages is the most messages of a conversation that Seen holds.
const SeenMessages = 50

// Seen is the received part of a conversation: the platform ids of people's messages and of
// the messages that make up our answers, without deleted ones,
// newest first, at most SeenMessages of each; where people started over, of each of the conversations.
type Seen = memory.Conversation

// Part is a part of a stored conversation. Last is the store's number of its last message.
type Part struct {
	Seen
	Last int64
}

// Absence names what is stored but was not found on the platform: Messages of a conversation;
// without Messages, all of Key's thread or channel; without Key.Channel its workspace, and
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
