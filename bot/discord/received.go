package discord

import (
	"slices"
	"sync"

	"threadkeeper/bot/platform/kit"
)

const (
	maxReceivedChannels = 5_000
	maxReceivedFiles    = 2_000 // messages with files
)

// received is the last message of each channel and thread that was delivered, and which
// files messages had, since the program began. The messages of a channel come one after the other.
type received struct {
	last  kit.Recent[string]
	files kit.Recent[[]string] // message → attachments

	mu     sync.Mutex
	newest string // of all channels
}

func (r *received) add(m wireMessage) {
	if newer(m.ID, r.lastIn(m.ChannelID)) {
		r.last.Set(m.ChannelID, m.ID)
	}
	r.mu.Lock()
	if newer(m.ID, r.newest) {
		r.newest = m.ID
	}
	r.mu.Unlock()
	var ids []string
	for _, f := range m.attachments() {
		ids = append(ids, f.ID)
	}
	if _, had := r.files.Get(m.ID); had || ids != nil {
		r.files.Set(m.ID, ids)
	}
}

func (r *received) removedFiles(m wireMessage) []string {
	files, _ := r.files.Get(m.ID)
	return without(files, m)
}

func without(files []string, m wireMessage) []string {
	all := m.attachments()
	return slices.DeleteFunc(slices.Clone(files), func(id string) bool {
		return slices.ContainsFunc(all, func(f wireAttachment) bool { return f.ID == id })
	})
}

// lastIn returns the last message seen in a channel, "" if there is none.
func (r *received) lastIn(channel string) string {
	last, _ := r.last.Get(channel)
	return last
}

func (r *received) latest() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.newest
}
