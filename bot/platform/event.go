package platform

import "threadkeeper/memory"

// EventKind says what happened.
type EventKind string

const (
	EventMessage EventKind = "message"
	EventEdit    EventKind = "edit"    // Message has a new Text
	EventDelete  EventKind = "delete"  // Message, a person's or one of ours (see Poster), is gone; without Message, all of Key's thread or channel
	EventCommand EventKind = "command" // Command and Args; always answered with some text
	EventClick   EventKind = "click"   // Action; Args holds the text typed into its Form; it need not cause a post
	EventJoin    EventKind = "join"    // we were added to the channel
	EventFile    EventKind = "file"    // the file Message is gone from the platform, or is only in the channels Kept; Key.Channel may be ""
	EventTitle   EventKind = "title"   // somebody gave Key's thread a name
	EventMove    EventKind = "move"    // the channel with platform id Message is now Key's channel
	// EventAudience: the audience of Key's channel may have changed. Channel holds the changes that
	// only narrow it (a narrower Kind, External true); they take effect at once. Platform.Channel
	// is asked for the rest. Without Key.Channel any channel of the workspace may have
	// changed, because events were missed; from now on they arrive again. A ChannelLister also
	// sends that once for each workspace when it starts. With Author it is only that person
	// who is not in the channel any more or, with Joined, is now.
	EventAudience EventKind = "audience"
)

// Event is one delivery from a platform's wire. ID is unique on its platform and
// stays the same when the event is delivered again.
type Event struct {
	ID      string         `json:"id"`
	Kind    EventKind      `json:"kind"`
	Key     memory.Key     `json:"key"`
	Channel memory.Channel `json:"channel"` // as the wire delivers it: name, and either both kind and external or neither; Unchecked if it may be wrong
	Author  Author         `json:"author"`
	Message string         `json:"message,omitempty"` // platform id of the message said, edited or deleted
	At      int64          `json:"at,omitempty"`      // milliseconds UTC
	Text    string         `json:"-"`                 // without the mention of us; stored in messages only
	Files   []memory.File  `json:"-"`
	Mention bool           `json:"mention,omitempty"`  // mentions us, or is in a DM
	ToOther bool           `json:"to_other,omitempty"` // begins by mentioning somebody else
	Hidden  bool           `json:"-"`                  // the platform withholds its text, because it does not mention us
	Opens   string         `json:"opens,omitempty"`    // at the top of a channel: the thread an answer would open (Key.Thread is "")
	Joined  bool           `json:"joined,omitempty"`   // in a thread that somebody else started: backfill, if we are new in it; or of an EventAudience
	Ours    bool           `json:"ours,omitempty"`     // said by us (in History only)
	Replied int64          `json:"-"`                  // at the top of a channel: when the thread on it got its last reply, in milliseconds UTC, 0 without one (in History only)
	Shown   bool           `json:"shown,omitempty"`    // Message is one of ours that shows what the author asked
	Quoted  []Event        `json:"-"`                  // the messages of others that Text quotes
	Kept    []string       `json:"kept,omitempty"`     // of an EventFile
	Edited  int64          `json:"-"`                  // of an edit that a comparison found: when it was made, in milliseconds UTC; one of long ago is not answered
	Command string         `json:"command,omitempty"`  // "memory status"
	Args    string         `json:"args,omitempty"`
	Action  string         `json:"action,omitempty"`
	Reply   Address        `json:"reply"` // where an answer goes; EphemeralTo if only one person sees the clicked post
}

// Author is the person or bot that caused an event.
type Author struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Kind     memory.PersonKind `json:"kind,omitempty"`
	Admin    bool              `json:"admin,omitempty"`
	Roles    []string          `json:"roles,omitempty"` // their ids, where the platform has roles
	TimeZone string            `json:"time_zone,omitempty"`
	Locale   string            `json:"locale,omitempty"` // of their client, as "de" or "de-AT"; "" if it is unknown
}
