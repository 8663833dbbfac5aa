package platform

import (
	"context"

	"threadkeeper/memory"
)

// The interfaces in this file are capabilities: a Platform implements those its service can
// offer. Package bot finds each with a type assertion and works without the missing ones.

// Completer is a Platform whose wire leaves out part of its events' meaning.
type Completer interface {
	// Complete looks up what the wire left out of ev: names in Text, Author and Channel.
	// Package bot calls it once for each event, after it has decided to keep it or to act
	// on it, and before Handler.Receive returns. Platforms wait for that receipt, so
	// Complete limits its own time, and takes less of it for an event that gets no answer.
	// Fields whose look-up fails stay as the wire delivered them.
	Complete(ctx context.Context, ev *Event, answer bool)
}

// Poster is a Platform whose posts people can delete. Messages returns the platform ids
// of the messages that make up our post, as in Event.Message. Package bot stores them
// with an answer, finds the answer by them when an EventDelete names one, and recognises
// them in History. RefOf names a message of ours in a conversation, so that it can be changed.
type Poster interface {
	Messages(r Ref) []string
	RefOf(key memory.Key, message string) Ref
}

// Permalinker is a Platform on which people's messages have addresses.
type Permalinker interface {
	// Permalink returns the address of a message of a conversation, by its platform id, ""
	// if it has none.
	Permalink(key memory.Key, message string) string
}

// Membership is a Platform that knows who is in a channel. Without it, an overview shows
// only channels that everybody may read.
type Membership interface {
	// Member reports whether a person, by their platform id, is in a key's channel now.
	Member(ctx context.Context, key memory.Key, person string) (bool, error)
}

// GuestLister is a Platform that can say which guests are in a channel, whether they have spoken there or not.
type GuestLister interface {
	// Guests returns the platform ids of the guests in a key's channel now; those among known count as guests.
	Guests(ctx context.Context, key memory.Key, known []string) ([]string, error)
}

// ChannelLister is a Platform that can say for all channels at once who may read them.
// Without it, the last known audience of a channel stays in force.
type ChannelLister interface {
	// Channels returns the channels of a workspace that we can see: Channel, Kind, External and
	// Name. Their state is not older than the call. With an error there are none.
	Channels(ctx context.Context, workspace string) ([]memory.Channel, error)
}

// Introducer is a Platform that can look up a person, for events whose author was not
// delivered (memory.Unknown).
type Introducer interface {
	// Person returns the person with a platform id. A *RetryError says when to try again; after
	// any other error they stay unknown.
	Person(ctx context.Context, key memory.Key, id string) (Author, error)
}

// HomePublisher is a Platform with a page about us for each person. It shows what was published until it is given another
// page; package bot gives it one once something on it was erased or closed.
type HomePublisher interface {
	Introducer
	// PublishHome shows a person, by their platform id, a page. Only platform and workspace of the key count.
	PublishHome(ctx context.Context, key memory.Key, person string, h Home) error
}

// Named is a Platform on which people call us by a name.
type Named interface {
	// OwnNames returns the names people may call us in a conversation, none while they are unknown.
	OwnNames(ctx context.Context, key memory.Key) []string
}

// Titler is a Platform that names a conversation after its first message. Retitle replaces
// that name with one made from text, unless people have chosen the name; "" stands for a
// message that was erased. Where text has no words, or its words would stay on the platform, the name is untitled.
type Titler interface {
	Retitle(ctx context.Context, key memory.Key, text, untitled string) error
}

// Looker is a Platform that can be asked whether a single thing still exists. Without it,
// missing messages are never erased.
type Looker interface {
	// Gone reports whether the platform says that something was deleted, or that we were removed from
	// a workspace. An error means that it cannot tell: the platform is unreachable, or does
	// not let us see the place.
	Gone(ctx context.Context, l Look) (bool, error)
}

// Mover is a ChannelLister on which a channel may get another id, of which we may not hear.
type Mover interface {
	ChannelLister
	// Moved returns the one of some channels that has a message which was said in a conversation of the channel from, "" if none
	// has or the platform still knows that channel.
	Moved(ctx context.Context, from string, said []Seen, channels []string) (string, error)
}

// Look names the thing to look for, as Absence does.
type Look struct {
	Key     memory.Key
	Message string   // platform id, "" for all of Key
	Held    []string // without Message: ids of some messages of the conversation, besides the one its thread began on
	Told    bool     // the platform said before that we were removed
	As      string   // of a workspace: what Handler.In said we were there
}
