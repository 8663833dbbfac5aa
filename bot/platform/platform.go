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
// for use by several goroutines, and the posting methods work until the bot's Run has
// returned, even after the platform's own Run has. After an error, Post or Upload may
// still have posted: the bot calls Find before it tries again.
// Package platformtest has the conformance suite each must pass.
type Platform interface {
	// Name is the platform's word in keys: "slack", "discord", "console".
	Name() string
	Limits() Limits
	// Run delivers events until ctx is done or the connection is lost for good.
	// An event is acknowledged only after h.Receive returned nil.
	Run(ctx context.Context, h Handler, commands []Command) error
	// Open reads an attachment. The caller closes it and limits how much it reads.
	Open(ctx context.Context, f memory.File) (io.ReadCloser, error)
	Post(ctx context.Context, to Address, m Outgoing) (Ref, error)
	// Edit changes a post and returns its new Ref: the post may then consist of more
	// messages, or other ones.
	Edit(ctx context.Context, r Ref, m Outgoing) (Ref, error)
	// Stream begins a reply that grows; nothing is posted before its first Append. A
	// platform without streams returns one that posts once, at Close.
	Stream(ctx context.Context, to Address, nonce string) (Stream, error)
	// Status shows, until something is posted, that we are working on an answer, and the
	// current step; "" for none in particular.
	Status(ctx context.Context, to Address, status string) error
	Upload(ctx context.Context, to Address, f Upload) (Ref, error)
	// Find looks for a post of ours by its nonce, after a crash.
	Find(ctx context.Context, to Address, nonce string) (Ref, bool, error)
	// History returns the messages of a conversation, or at the top of a channel, oldest first: the last
	// limit of those said at or after since (milliseconds UTC, 0 for all), with a thread's first
	// message. Past.Whole says that there are no others. With an error it returns those it could read.
	History(ctx context.Context, key memory.Key, since int64, limit int) (Past, error)
	// Channel says who may read a key's channel, as of the last EventAudience about it or
	// later. The error wraps ErrUndeliverable if we may not see the channel.
	Channel(ctx context.Context, key memory.Key) (memory.Channel, error)
	Link(r Ref) string // permalink, "" if the platform has none
}

// Past is a part of what was said.
type Past struct {
	Events []Event
	Whole  bool // nothing that was asked for is missing
}

// Limits are what a platform offers. A longer post is split by it, and buttons that have no room are left out.
type Limits struct {
	Clicks       bool          // buttons are in the message, and an edit removes them
	EditInterval time.Duration // between two edits of one message
	Streams      bool          // Stream shows text as it grows
	Whole        bool          // an answer that ends soon after its first text is posted whole, not streamed
	Ephemeral    bool          // Address.EphemeralTo hides a post from others
	Once         bool          // one question is asked, and nothing follows
	Asks         bool          // it has commands that stand for a message to us
	Replies      bool          // a post shows what it replies to, if Address.Between; elsewhere it begins with the asker's name
	Slash        []string      // first words of the commands available as slash commands, which work outside threads only; nil: all, anywhere
}

// Stream is a reply that grows. Append may be called many times; Close ends it with its
// final form, whose text begins with the appended text unless the turn was stopped or
// restarted, or a judge settled what was marked in it. After an error of Append or Close the stream is not used again: its post is
// edited into the final form, or found and then edited.
type Stream interface {
	Ref() Ref // "" until the platform has named the post
	Append(ctx context.Context, text string) error
	Close(ctx context.Context, final Outgoing) (Ref, error)
}
