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

func (s *received) add(m wireMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if newer(m.ID, s.last[m.ChannelID]) {
		makeRoom(s.last, m.ChannelID, maxReceivedChannels)
		s.last[m.ChannelID] = m.ID
	}
	var ids []string
	for _, f := range m.attachments() {
		ids = append(ids, f.ID)
	}
	if delete(s.files, m.ID); ids != nil {
		makeRoom(s.files, m.ID, maxReceivedFiles)
		s.files[m.ID] = ids
	}
}

// removedFiles are the attachments that a message had before and no longer has.
func (s *received) removedFiles(m wireMessage) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, id := range s.files[m.ID] {
		if !slices.ContainsFunc(m.attachments(), func(f wireAttachment) bool { return f.ID == id }) {
			out = append(out, id)
		}
	}
	return out
}

// lastIn is the last message seen in a channel, "" if there is none.
func (s *received) lastIn(channel string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[channel]
}

// latest is the newest message seen anywhere.
func (s *received) latest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	latest := ""
	for _, id := range s.last {
		if newer(id, latest) {
			latest = id
		}
	}
	return latest
}
