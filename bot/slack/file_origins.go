package slack

import (
	"cmp"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// maxRemembered bounds the files, and the edits, remembered.
const maxRemembered = 10_000

// fileOrigins remembers which message brought a file: Slack may repeat the files of a
// thread's root with its replies.
type fileOrigins struct {
	origin kit.Recent[string] // channel, thread and file → message
}

// brought are the files of a message that no other message of its thread had before. The messages of a
// thread come one after the other.
func (s *fileOrigins) brought(ev *platform.Event) []memory.File {
	thread := cmp.Or(ev.Key.Thread, ev.Message)
	var files []memory.File
	for _, f := range ev.Files {
		key := ev.Key.Channel + " " + thread + " " + f.PlatformID
		if by, seen := s.origin.Get(key); seen && by != ev.Message {
			continue
		}
		s.origin.Set(key, ev.Message)
		files = append(files, f)
	}
	return files
}
