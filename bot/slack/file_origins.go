package slack

import (
	"cmp"
	"sync"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// maxRemembered bounds the files remembered.
const maxRemembered = 10_000

// fileOrigins remembers which message brought a file: Slack may repeat the files of a
// thread's root with its replies.
type fileOrigins struct {
	mu     sync.Mutex
	origin map[string]string // channel and file → thread and message
}

// brought are the files of a message that no other message of its thread had before.
func (s *fileOrigins) brought(ev *platform.Event) []memory.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	thread := cmp.Or(ev.Key.Thread, ev.Message)
	var files []memory.File
	for _, f := range ev.Files {
		key := ev.Key.Channel + " " + thread + " " + f.PlatformID
		by, seen := s.origin[key]
		if seen && by != ev.Message {
			continue
		}
		if s.origin == nil || len(s.origin) >= maxRemembered {
			s.origin = make(map[string]string)
		}
		s.origin[key] = ev.Message
		files = append(files, f)
	}
	return files
}
