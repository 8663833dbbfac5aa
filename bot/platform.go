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

// MutedError is an error of Post that wraps ErrUndeliverable: we may not write there. Who is
// answered is told so directly.
type MutedError struct {
	Asked string // where people open the message that is answered, "" if that is not known
	Err   error
}

func (e *MutedError) Error() string { return e.Err.Error() }
func (e *MutedError) Unwrap() error { return e.Err }

// ErrLocked is what an error of Edit wraps where nothing may be changed until people open
// the place again. It is not tried again but for an erasure.
var ErrLocked = errors.New("locked")

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
	// Edit brings a post into a new form and returns the name it has then: it may take
	// more messages, or others.
	Edit(ctx context.Context, r Ref, m Outgoing) (Ref, error)
	// Stream begins a reply that grows; nothing is posted before its first Append. A
	// platform without streams returns one that posts once, at Close.
	Stream(ctx context.Context, to Address, nonce string) (Stream, error)
	// Status shows, until something is posted, that an answer is worked on, and with
	// which step; "" for none in particular.
	Status(ctx context.Context, to Address, status string) error
	Upload(ctx context.Context, to Address, f Upload) (Ref, error)
	// Find looks for a post of ours by its nonce, after a crash.
	Find(ctx context.Context, to Address, nonce string) (Ref, bool, error)
	// History is what was said in a conversation before we joined, oldest first:
	// the last limit events after the platform message id after ("" = from the start), a
	// thread's first message among them. With an error come those that could be had.
	History(ctx context.Context, key memory.Key, after string, limit int) ([]Event, error)
	Channel(ctx context.Context, key memory.Key) (memory.Channel, error)
	Link(r Ref) string // permalink, "" if the platform has none
}

// Poster is a Platform whose posts people can delete. Messages are the platform ids
// of the messages a post of ours consists of, as Event.Message names them: the core
// keeps them with an answer, finds it by them when an EventDelete names one, and knows
// them again in History.
type Poster interface {
	Messages(r Ref) []string
}

// Permalinker is a Platform on which a message that somebody said has an address.
type Permalinker interface {
	// Permalink is where people see a message, by its platform id, of a conversation, ""
	// if it has no address.
	Permalink(key memory.Key, message string) string
}

// Membership is a Platform that knows who is in a channel. On one that does not, an
// overview shows nothing of channels that not everybody may read.
type Membership interface {
	// Member reports whether a person, by their platform id, is in a key's channel now.
	Member(ctx context.Context, key memory.Key, person string) (bool, error)
}

// Titler is a Platform that shows a name it has made from the first message of a
// conversation. Retitle makes it anew from text, where that name is the platform's and
// not one that people gave; "" stands for a message that was erased.
type Titler interface {
	Retitle(ctx context.Context, key memory.Key, text string) error
}

// Handler is what a platform calls.
type Handler struct {
	// Receive stores an event. After nil it will be acted on, whatever happens.
	Receive func(context.Context, Event) error
	// Suggest completes a command's argument, at once.
	Suggest func(context.Context, Suggestion) ([]Choice, error)
	// Form is what a click asks its person to type, nil for nothing. A platform that shows
	// it hands on what was typed as that click with Args; one that does not, the click.
	Form func(context.Context, Event) (*Form, error)
	// Last is what was stored of the platform's conversations of the last day on which
	// anything was, the latest first, at most 200: from there on a platform that does not deliver again
	// what it delivered to nobody looks for what it missed.
	Last func(context.Context) ([]Seen, error)
	// Owed is since when something may have been missed of a part of the platform, such as
	// a workspace, that was not read yet, the zero time if nothing was. Owe keeps that,
	// whenever the program ends; with the zero time all of it was read.
	Owed func(ctx context.Context, part string) (time.Time, error)
	Owe  func(ctx context.Context, part string, since time.Time) error
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

// Home is one person's overview: the conversations and documents that are open to
// them, the latest first, at most 20 of each.
type Home struct {
	Language  string // of their latest conversation
	Threads   []HomeThread
	Documents []HomeDocument
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

// HomeThread is one conversation. Post is our last post in it, "" if there is none.
type HomeThread struct {
	Key     memory.Key
	Channel memory.Channel
	Title   string // what it began with, one line
	Gauge   string // as Gauge draws it
	Post    Ref
	At      int64 // of its last message, milliseconds UTC
}

// HomeDocument is one document.
type HomeDocument struct {
	Name  string
	Pages int
	Link  string // on the platform, "" if it has none
	At    int64
}

// Limits are what a platform allows.
type Limits struct {
	Text         int           // runes in one message
	Buttons      int           // under one message
	Clicks       bool          // buttons are pressed in the message, and go when it is edited
	EditInterval time.Duration // between two edits of one message
	Streams      bool          // Stream shows text as it grows
	Whole        bool          // an answer that ends soon after its first text does not grow, but is posted
	Ephemeral    bool          // Address.EphemeralTo hides a post from others
	Slash        []string      // first words of the commands that are given by slash, outside of threads only; nil: all are, anywhere
}

// Ref names a post of ours on its platform. It is opaque and stored.
type Ref string

// Address is where something is posted.
type Address struct {
	Key         memory.Key `json:"key"`
	ReplyTo     string     `json:"reply_to,omitempty"`     // platform id of the message answered
	Event       string     `json:"event,omitempty"`        // id of the event answered
	Interaction string     `json:"interaction,omitempty"`  // token of a command to answer, or of the click that asked for this
	EphemeralTo string     `json:"ephemeral_to,omitempty"` // platform id of the only person to see it
	Asker       string     `json:"asker,omitempty"`        // platform id of who caused the event
	Language    string     `json:"-"`                      // of what is answered, for what is shown before the answer
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
	Language      string                `json:"language,omitempty"` // of Text, for LabelsIn; "" if it is not known
	Question      *Question             `json:"question,omitempty"`
	Citations     []memory.Citation     `json:"citations,omitempty"`
	Buttons       []Button              `json:"buttons,omitempty"`
	File          *Upload               `json:"file,omitempty"`     // posted by Upload instead of Post
	Feedback      bool                  `json:"feedback,omitempty"` // offer FeedbackAction buttons
	Understanding *memory.Understanding `json:"understanding,omitempty"`
	Ledger        *memory.Ledger        `json:"ledger,omitempty"`
	Error         string                `json:"error,omitempty"` // machine-readable code when Kind is KindError

	// Withdraw is told the platform id of each message of a post before Edit or
	// Stream.Close deletes it, because the post needs it no more. nil if nobody has to know.
	Withdraw func(ctx context.Context, message string) error `json:"-"`
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

	Document int64  `json:"document,omitempty"` // of which it shows a page, 0 if it shows none
	Language string `json:"language,omitempty"` // as in Outgoing
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
	EventDelete  EventKind = "delete"  // Message, somebody's or one of ours (see Poster), is gone; without one, all of Key's thread, or channel, is
	EventCommand EventKind = "command" // Command and Args; always answered with some text
	EventClick   EventKind = "click"   // Action, with Args what was typed into its Form; nothing is posted when there is nothing to say
	EventJoin    EventKind = "join"    // we were added to the channel
	EventFile    EventKind = "file"    // the file Message is on the platform no more, or only in the channels Kept; Key.Channel may be ""
	EventMove    EventKind = "move"    // the channel whose platform id was Message is Key's channel from now on
)

// Event is what a platform's wire delivers. ID is unique for its platform and
// the same when the event is delivered again.
type Event struct {
	ID      string         `json:"id"`
	Kind    EventKind      `json:"kind"`
	Key     memory.Key     `json:"key"`
	Channel memory.Channel `json:"channel"` // what the wire tells: name, and kind with external or neither
	Author  Author         `json:"author"`
	Message string         `json:"message,omitempty"` // platform id of the message said, edited or deleted
	At      int64          `json:"at,omitempty"`      // milliseconds UTC
	Text    string         `json:"-"`                 // without the mention of us; stored in messages only
	Files   []memory.File  `json:"-"`
	Mention bool           `json:"mention,omitempty"`  // says our name, or a DM
	ToOther bool           `json:"to_other,omitempty"` // opens by mentioning somebody else
	Hidden  bool           `json:"-"`                  // the platform does not let us read what it says, as it does not mention us
	Opens   string         `json:"opens,omitempty"`    // at the top of a channel: the thread an answer would open (Key.Thread is "")
	Joined  bool           `json:"joined,omitempty"`   // in a thread that somebody else began: backfill, if we were not in it before
	Ours    bool           `json:"ours,omitempty"`     // said by us (in History only)
	Kept    []string       `json:"kept,omitempty"`     // of an EventFile
	Said    string         `json:"-"`                  // of an edit: the ID that the message has as an event; with one, an edit that first mentions us is answered
	Command string         `json:"command,omitempty"`  // "memory status"
	Args    string         `json:"args,omitempty"`
	Action  string         `json:"action,omitempty"`
	Reply   Address        `json:"reply"` // where an answer goes; EphemeralTo if what was clicked is seen by one person only

	// Complete looks up what the wire does not tell: names in Text, Author and Channel. It
	// is called only for what is kept or acted upon, and waits for less if it gets no
	// answer. nil if nothing is missing.
	Complete func(ctx context.Context, ev *Event, answer bool) `json:"-"`
}

func (ev *Event) complete(ctx context.Context, answer bool) {
	if ev.Complete != nil {
		ev.Complete(ctx, ev, answer)
		ev.Complete = nil
	}
}

// Author is who caused an event.
type Author struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Kind     memory.PersonKind `json:"kind,omitempty"`
	Admin    bool              `json:"admin,omitempty"`
	TimeZone string            `json:"time_zone,omitempty"`
	Locale   string            `json:"locale,omitempty"` // of their client, as "de" or "de-AT"; "" if the platform does not tell
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
