package discord

import (
	"slices"
	"sync"
)

const (
	maxSeenChannels = 5_000
	maxSeenFiles    = 2_000 // messages with files
)

// seen is the last message handed on of each channel and thread, and which files
// messages had, since the program began.
type seen struct {
	mu    sync.Mutex
	last  map[string]string
	files map[string][]string // message → attachments
}

func newSeen() *seen {
	return &seen{last: make(map[string]string), files: make(map[string][]string)}
}

func (s *seen) note(m wireMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if newer(m.ID, s.last[m.ChannelID]) {
		makeRoom(s.last, m.ChannelID, maxSeenChannels)
		s.last[m.ChannelID] = m.ID
	}
	var ids []string
	for _, f := range m.attachments() {
		ids = append(ids, f.ID)
	}
	if delete(s.files, m.ID); ids != nil {
		makeRoom(s.files, m.ID, maxSeenFiles)
		s.files[m.ID] = ids
	}
}

// withdrawn are the attachments that a message had before and has no more.
func (s *seen) withdrawn(m wireMessage) []string {
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

// after is the last message seen in a channel, "" if there is none.
func (s *seen) after(channel string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[channel]
}

// latest is the newest message seen anywhere.
func (s *seen) latest() string {
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
