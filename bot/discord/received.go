package discord

import (
	"slices"
	"sync"
)

const (
	maxReceivedChannels = 5_000
	maxReceivedFiles    = 2_000 // messages with files
)

// received is the last message of each channel and thread that was delivered, and which
// files messages had, since the program began.
type received struct {
	mu    sync.Mutex
	last  map[string]string
	files map[string][]string // message → attachments
}

func newReceived() *received {
	return &received{last: make(map[string]string), files: make(map[string][]string)}
}

func (r *received) add(m wireMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if newer(m.ID, r.last[m.ChannelID]) {
		makeRoom(r.last, m.ChannelID, maxReceivedChannels)
		r.last[m.ChannelID] = m.ID
	}
	var ids []string
	for _, f := range m.attachments() {
		ids = append(ids, f.ID)
	}
	if delete(r.files, m.ID); ids != nil {
		makeRoom(r.files, m.ID, maxReceivedFiles)
		r.files[m.ID] = ids
	}
}

// removedFiles are the attachments that a message had before and no longer has.
func (r *received) removedFiles(m wireMessage) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return without(r.files[m.ID], m)
}

// without returns those of some files that a message does not have.
func without(files []string, m wireMessage) []string {
	all := m.attachments()
	return slices.DeleteFunc(slices.Clone(files), func(id string) bool {
		return slices.ContainsFunc(all, func(f wireAttachment) bool { return f.ID == id })
	})
}

// lastIn returns the last message seen in a channel, "" if there is none.
func (r *received) lastIn(channel string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last[channel]
}

// latest is the newest message seen anywhere.
func (r *received) latest() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	latest := ""
	for _, id := range r.last {
		if newer(id, latest) {
			latest = id
		}
	}
	return latest
}
