package kit

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Pasted is the name of the file that a client makes of a long pasted text, in place of the message.
const Pasted = "message.txt"

// maxPasted is the longest such text, in bytes, that is read as the message; a longer one is a document.
const maxPasted = 32 << 10

// TakePasted reads a pasted text as the message it was meant to be. A text that cannot be read in time stays
// a file.
func TakePasted(ctx context.Context, ev *platform.Event, open func(context.Context, memory.File) (io.ReadCloser, error)) {
	if len(ev.Files) != 1 || ev.Files[0].Name != Pasted || ev.Files[0].Size > maxPasted {
		return
	}
	body, err := open(ctx, ev.Files[0])
	if err != nil {
		return
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, maxPasted+1))
	text := strings.TrimSpace(string(data))
	if err != nil || len(data) > maxPasted || text == "" || !utf8.ValidString(text) {
		return
	}
	ev.Text, ev.Files = strings.TrimSpace(ev.Text+"\n\n"+text), nil
}
