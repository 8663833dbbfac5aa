// Package bot is the life of an event: from a platform's wire into the inbox,
// through a turn, and back. It owns the workers, leases, deliveries, the command
// registry and the words for errors; the tables it works on are memory's.
package bot

import (
	"context"
	"errors"
	"io"
	"time"

	"threadkeeper/memory"
)

// ErrUndeliverable is what an error of Post, Edit, Upload or Stream.Close wraps
// when trying again cannot help: the channel is gone, or we may not post there.
var ErrUndeliverable = errors.New("undeliverable")

// ErrFileGone is what an error of Open wraps when the platform no longer has the
// file or does not let us read it.
var ErrFileGone = errors.New("the file is not to be had")

// RetryError is an error of a platform that says when to try again.
type RetryError struct {
	After time.Duration
	Err   error
}

func (e *RetryError) Error() string { return e.Err.Error() }
func (e *RetryError) Unwrap() error { return e.Err }

// Platform is a chat service: Slack, Discord, the console. Every method is safe
// for use by several goroutines, and those that post work until the bot's Run has
// returned, also after the platform's own Run did. An error of Post or Upload may
// mean that it was posted all the same: Find is asked before it is tried again.
// Package platformtest has the conformance suite each must pass.
type Platform interface {
	// Name is the platform's word in keys: "slack", "discord", "console".
	Name() string
	Limits() Limits
	// Run delivers events until ctx is done or the connection is lost for good.
	// An event is acknowledged only after h.Receive returned nil.
	Run(ctx context.Context, h Handler, commands []Command) error
	// Open reads an attachment. The caller closes it and bounds what it reads.
	Open(ctx context.Context, f memory.File) (io.ReadCloser, error)
	Post(ctx context.Context, to Address, m Outgoing) (Ref, error)
	Edit(ctx context.Context, r Ref, m Outgoing) error
	// Stream begins a reply that grows. A platform without streams returns one
	// that posts once, at Close.
	Stream(ctx context.Context, to Address, nonce string) (Stream, error)
	Status(ctx context.Context, to Address, status string) error
	Upload(ctx context.Context, to Address, f Upload) (Ref, error)
	// Find looks for a post of ours by its nonce, after a crash.
	Find(ctx context.Context, to Address, nonce string) (Ref, bool, error)
	// History is what was said in a conversation before we joined, oldest first:
	// at most limit events after the platform message id after ("" = from the start).
	History(ctx context.Context, key memory.Key, after string, limit int) ([]Event, error)
	Channel(ctx context.Context, key memory.Key) (memory.Channel, error)
	Link(r Ref) string // permalink, "" if the platform has none
}

// Handler is what a platform calls.
type Handler struct {
	// Receive stores an event. After nil it will be acted on, whatever happens.
	Receive func(context.Context, Event) error
	// Suggest completes a command's argument, at once.
	Suggest func(context.Context, Suggestion) ([]Choice, error)
}

// Limits are what a platform allows.
type Limits struct {
	Text         int           // runes in one message
	Buttons      int           // under one message
	EditInterval time.Duration // between two edits of one message
	Streams      bool          // Stream shows text as it grows
	Ephemeral    bool          // Address.EphemeralTo hides a post from others
}

// Ref names a post of ours on its platform. It is opaque and stored.
type Ref string

// Address is where something is posted.
type Address struct {
	Key         memory.Key `json:"key"`
	ReplyTo     string     `json:"reply_to,omitempty"`     // platform id of the message answered
	Event       string     `json:"event,omitempty"`        // id of the event answered
	Interaction string     `json:"interaction,omitempty"`  // token of a command or click to answer
	EphemeralTo string     `json:"ephemeral_to,omitempty"` // platform id of the only person to see it
}

// Kind says what an outgoing message is.
type Kind string

const (
	KindReply   Kind = "reply"
	KindCommand Kind = "command" // the answer to a command
	KindError   Kind = "error"
	KindNotice  Kind = "notice"
	KindErased  Kind = "erased" // takes the place of a post whose text was erased
)

// Outgoing is what we post. Text is Markdown without any mention; each platform
// renders, splits and neutralises it.
type Outgoing struct {
	Nonce         string                `json:"nonce"`
	Kind          Kind                  `json:"kind"`
	Text          string                `json:"text"`
	Question      *Question             `json:"question,omitempty"`
	Citations     []memory.Citation     `json:"citations,omitempty"`
	Buttons       []Button              `json:"buttons,omitempty"`
	File          *Upload               `json:"file,omitempty"`     // posted by Upload instead of Post
	Feedback      bool                  `json:"feedback,omitempty"` // offer FeedbackAction buttons
	Understanding *memory.Understanding `json:"understanding,omitempty"`
	Ledger        *memory.Ledger        `json:"ledger,omitempty"`
	Error         string                `json:"error,omitempty"` // machine-readable code when Kind is KindError
}

// Question is a clarifying question as it is shown. Options end with "Something
// else" and "Just answer".
type Question struct {
	Text    string   `json:"text"`
	Options []Button `json:"options"`
}

// Button carries an opaque Action that comes back in Event.Action.
type Button struct {
	Label  string `json:"label"`
	Action string `json:"action"`
}

// Upload is a file we post.
type Upload struct {
	Nonce string `json:"nonce"`
	Name  string `json:"name"`
	Media string `json:"media"`
	Data  []byte `json:"data"`
	Text  string `json:"text"` // shown with it
}

// Stream is a reply that grows. Append may be called many times; Close ends it with its
// final form, whose text begins with what was appended unless the turn was stopped or
// taken again. A stream whose Append or Close failed is not used any more: its post is
// edited into the final form, or found and then edited.
type Stream interface {
	Ref() Ref // "" until the platform has named the post
	Append(ctx context.Context, text string) error
	Close(ctx context.Context, final Outgoing) (Ref, error)
}

// EventKind is what a platform's wire delivers.
type EventKind string

const (
	EventMessage EventKind = "message"
	EventEdit    EventKind = "edit"    // Message has a new Text
	EventDelete  EventKind = "delete"  // Message is gone
	EventCommand EventKind = "command" // Command and Args
	EventClick   EventKind = "click"   // Action
	EventJoin    EventKind = "join"    // we were added to the channel
	EventFile    EventKind = "file"    // the file Message was deleted on the platform
)

// Event is what a platform's wire delivers. ID is unique for its platform and
// the same when the event is delivered again.
type Event struct {
	ID      string         `json:"id"`
	Kind    EventKind      `json:"kind"`
	Key     memory.Key     `json:"key"`
	Channel memory.Channel `json:"channel"` // what the wire tells: kind, external, name
	Author  Author         `json:"author"`
	Message string         `json:"message,omitempty"` // platform id of the message said, edited or deleted
	At      int64          `json:"at,omitempty"`      // milliseconds UTC
	Text    string         `json:"-"`                 // without the mention of us; stored in messages only
	Files   []memory.File  `json:"-"`
	Mention bool           `json:"mention,omitempty"`  // says our name, or a DM
	ToOther bool           `json:"to_other,omitempty"` // opens by mentioning somebody else
	Joined  bool           `json:"joined,omitempty"`   // in a thread that began before us: backfill
	Ours    bool           `json:"ours,omitempty"`     // said by us (in History only)
	Command string         `json:"command,omitempty"`  // "memory status"
	Args    string         `json:"args,omitempty"`
	Action  string         `json:"action,omitempty"`
	Reply   Address        `json:"reply"` // where an answer goes
}

// Author is who caused an event.
type Author struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Kind     memory.PersonKind `json:"kind,omitempty"`
	Admin    bool              `json:"admin,omitempty"`
	TimeZone string            `json:"time_zone,omitempty"`
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
