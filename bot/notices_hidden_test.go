package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestHiddenMessagesGetOneNotice writes without a mention where the platform
// tells only what mentions us: in a thread of ours, in one of others, and to somebody else.
func TestHiddenMessagesGetOneNotice(t *testing.T) {
	s := begin(t)
	at := s.say(general, "hello")
	s.says(at, "Ada", "You said: hello")
	s.settle()
	hidden := func(at platformtest.Place, toOther bool) (notices int) {
		_, at = s.world.Say(platformtest.Said{Who: "Ada", At: at, ToOther: toOther, Hidden: true})
		s.settle()
		for _, p := range s.world.Posts(at, "Ada") {
			if strings.Contains(p.Text, "mention me") {
				notices++
			}
		}
		return notices
	}
	if n := hidden(at, true) + hidden(general, false) + hidden(platformtest.Place{Channel: "general", Thread: "theirs"}, false); n != 0 {
		t.Errorf("%d notices that nobody needs", n)
	}
	if first, second := hidden(at, false), hidden(at, false); first != 1 || second != 1 {
		t.Errorf("%d and %d notices, want 1: %+v", first, second, s.world.Posts(at, "Ada"))
	}
	if n := len(s.world.Posts(at, "Ada")); n != 2 {
		t.Errorf("%d posts, want the answer and the notice: %+v", n, s.world.Posts(at, "Ada"))
	}
}
