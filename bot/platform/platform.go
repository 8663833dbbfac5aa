// Package platform is the contract between package bot and the platforms: what a platform
// delivers (Event), what it posts (Outgoing), and what each may ask of the other
// (Platform, Handler, and the capabilities of capabilities.go). Its only logic is the
// grammar of button actions.
package platform

import (
	"context"
	"io"
	"time"

	"threadkeeper/memory"
)

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
	// Channel is who may read a key's channel, as it was after the last EventAudience about it
	// at the earliest. The error wraps ErrUndeliverable if we may not see it.
	Channel(ctx context.Context, key memory.Key) (memory.Channel, error)
	Link(r Ref) string // permalink, "" if the platform has none
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
	Asks         bool          // it has the commands that stand for a message to us
	Slash        []string      // first words of the commands that are given by slash, outside of threads only; nil: all are, anywhere
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
