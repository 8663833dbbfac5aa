package platform

import "threadkeeper/memory"

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
	// EventAudience: who may read Key's channel may have changed. Channel is what is certain to
	// be taken (Kind is narrower, External is true) and takes effect at once; whatever else is
	// asked of Platform.Channel. Without Key.Channel any channel of the workspace may have
	// changed: events were missed, and arrive again from now on. A ChannelLister sends that
	// once for each workspace when it begins, too.
	EventAudience EventKind = "audience"
)

// Event is what a platform's wire delivers. ID is unique for its platform and
// the same when the event is delivered again.
type Event struct {
	ID      string         `json:"id"`
	Kind    EventKind      `json:"kind"`
	Key     memory.Key     `json:"key"`
	Channel memory.Channel `json:"channel"` // what the wire tells: name, and kind with external or neither; Unchecked if it may be wrong
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
}

// Author is who caused an event.
type Author struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Kind     memory.PersonKind `json:"kind,omitempty"`
	Admin    bool              `json:"admin,omitempty"`
	Roles    []string          `json:"roles,omitempty"` // their ids, where the platform has roles
	TimeZone string            `json:"time_zone,omitempty"`
	Locale   string            `json:"locale,omitempty"` // of their client, as "de" or "de-AT"; "" if the platform does not tell
}
