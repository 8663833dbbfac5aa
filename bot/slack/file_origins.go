package slack

import (
	"sync"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// maxSeen bounds the files remembered.
const maxSeen = 10_000

// firstSeen remembers which message brought a file: Slack may repeat the files of a
// thread's root with its replies.
type firstSeen struct {
	mu sync.Mutex
	by map[string]string // channel and file → thread and message
}

// fresh are the files of a message that no other message of its thread brought.
func (s *firstSeen) fresh(ev *platform.Event) []memory.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	thread := first(ev.Key.Thread, ev.Message)
	var files []memory.File
	for _, f := range ev.Files {
		key := ev.Key.Channel + " " + thread + " " + f.PlatformID
		by, seen := s.by[key]
		if seen && by != ev.Message {
			continue
		}
		if s.by == nil || len(s.by) >= maxSeen {
			s.by = make(map[string]string)
		}
		s.by[key] = ev.Message
		files = append(files, f)
	}
	return files
}
