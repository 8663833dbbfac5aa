package platform

import (
	"context"

	"threadkeeper/memory"
)

// The interfaces in this file are capabilities: a Platform has those its service can offer,
// and package bot looks for each by a type assertion and does without the ones that are
// missing.

// Completer is a Platform whose wire leaves out part of what its events mean.
type Completer interface {
	// Complete looks up what the wire did not tell of ev: names in Text, Author and Channel.
	// Package bot calls it once for each event, after it has decided to keep it or to act
	// on it, and before Handler.Receive returns. Platforms wait for that receipt, so
	// Complete bounds its own time, and takes less of it for an event that gets no answer.
	// What cannot be looked up stays as the wire told it.
	Complete(ctx context.Context, ev *Event, answer bool)
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

// ChannelLister is a Platform that can tell of all channels at once who may read them. Of
// one that can not, channels are believed to be what they were when it was last heard of
// them.
type ChannelLister interface {
	// Channels are those of a workspace that we can see: Channel, Kind, External and Name.
	// They are as they were after it was called, or later. With an error there are none.
	Channels(ctx context.Context, workspace string) ([]memory.Channel, error)
}

// Introducer is a Platform that can be asked who somebody is, for events whose author it
// did not tell (memory.Unknown).
type Introducer interface {
	// Person is who has a platform id. A *RetryError says that it may be told later; after
	// any other error they stay unknown.
	Person(ctx context.Context, key memory.Key, id string) (Author, error)
}

// Named is a Platform on which we have a name that people call us by.
type Named interface {
	// OwnNames are what people may call us in a conversation, none while that is not known.
	OwnNames(ctx context.Context, key memory.Key) []string
}

// Titler is a Platform that shows a name it has made from the first message of a
// conversation. Retitle makes it anew from text, where that name is the platform's and
// not one that people gave; "" stands for a message that was erased.
type Titler interface {
	Retitle(ctx context.Context, key memory.Key, text string) error
}

// Looker is a Platform that can be asked for one thing, whether it is still there. What is missing on one
// that is none stays.
type Looker interface {
	// Gone reports whether the platform says that something was deleted, or that we were removed from
	// a workspace. An error says that it cannot be told: the platform is not reached, or does
	// not let us see the place.
	Gone(ctx context.Context, l Look) (bool, error)
}

// Look names what is asked for, as Absence does.
type Look struct {
	Key     memory.Key
	Message string   // platform id, "" for all of Key
	Held    []string // without Message: ids of some messages of the conversation, besides the one its thread began on
	Told    bool     // the platform said before that we were removed
}
