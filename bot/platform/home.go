package platform

import (
	"threadkeeper/memory"
)

// Home is one person's overview: the conversations and documents they may see,
// the latest first, at most 20 of each.
type Home struct {
	Language  string // of their latest conversation
	Threads   []HomeThread
	Documents []HomeDocument
}

// HomeThread is one conversation. Post is our last post in it, "" if there is none.
type HomeThread struct {
	Key     memory.Key
	Channel memory.Channel
	Title   string   // its beginning, one line
	Lines   []string // what it is about, at most three
	Gauge   string   // as Gauge draws it
	Post    Ref
	At      int64 // of its last message, milliseconds UTC
}

// HomeDocument is one document.
type HomeDocument struct {
	Name  string
	Pages int    // 0 of a picture
	Link  string // on the platform, "" if it has none
	At    int64
}
