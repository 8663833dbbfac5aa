package hearing

import (
	"path"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Limits on what is stored of one event, whatever its platform sends: more than any platform
// lets people write.
const (
	maxSaid     = 100_000 // runes of a text
	maxFiles    = 50      // attachments
	maxCalled   = 100     // runes of the name of a person or channel
	maxFileName = 200     // runes
	maxAhead    = time.Hour
)

// Tidy makes an event one that can be stored and shown: within bounds, without what
// no text needs, names on one line, and not of the future.
func Tidy(ev *platform.Event, now int64) {
	ev.Text, ev.Args = cut(memory.Clean(ev.Text), maxSaid), cut(memory.Clean(ev.Args), maxSaid)
	ev.Author.Name, ev.Channel.Name = Called(ev.Author.Name), oneLine(ev.Channel.Name, maxCalled)
	for _, id := range []*string{&ev.ID, &ev.Message, &ev.Opens, &ev.Action, &ev.Command, &ev.Author.ID, &ev.Author.TimeZone,
		&ev.Key.Workspace, &ev.Key.Channel, &ev.Key.Thread, &ev.Reply.ReplyTo, &ev.Reply.Interaction, &ev.Reply.EphemeralTo} {
		*id = memory.Clean(*id)
	}
	if ev.At < 0 || ev.At > now+maxAhead.Milliseconds() {
		ev.At = now
	}
	ev.Files = ev.Files[:min(len(ev.Files), maxFiles)]
	for i := range ev.Files {
		f := &ev.Files[i]
		f.Name = fileName(f.Name)
		f.PlatformID, f.Media, f.Locator, f.Link = memory.Clean(f.PlatformID), memory.Clean(f.Media), memory.Clean(f.Locator), memory.Clean(f.Link)
	}
}

// inert takes out of a name what makes it an address, a mention or a link wherever it is shown: in
// prompts, answers, digests, exports.
var inert = strings.NewReplacer("@", "(at)", "://", ": //", "<", "", ">", "", "[", "", "]", "", "`", "")

// Called is what a person is called: people choose their names themselves.
func Called(name string) string { return cut(inert.Replace(oneLine(name, maxCalled)), maxCalled) }

func oneLine(text string, limit int) string {
	return cut(reading.CollapseSpace(reading.Visible(reading.CollapseSpace(memory.Clean(text)))), limit)
}

// fileName is the last element of a name; of a long one the end, with what tells
// its kind.
func fileName(name string) string {
	name = oneLine(path.Base(strings.ReplaceAll(name, `\`, "/")), len(name))
	if runes := []rune(name); len(runes) > maxFileName {
		name = string(runes[len(runes)-maxFileName:])
	}
	if strings.Trim(name, "./ ") == "" {
		return "file"
	}
	return name
}

func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	n := 0
	for i := range text {
		if n++; n > limit {
			return text[:i]
		}
	}
	return text
}
