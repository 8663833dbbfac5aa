package bot_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"
)

// TestTheFileAloneIsUpToDate: who copies the database's file beside a running program has what
// was said.
func TestTheFileAloneIsUpToDate(t *testing.T) {
	s := begin(t, func(s *scene) { s.bot.Checkpoint = time.Millisecond })
	for i := range 5 {
		s.says(s.say(general, fmt.Sprintf("shelf %d is green", i)), "Ada", fmt.Sprintf("You said: shelf %d is green", i))
	}
	until(t, "a file that holds what was said last", func() bool {
		data, err := os.ReadFile(s.db)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(data, []byte("You said: shelf 4 is green"))
	})
}
