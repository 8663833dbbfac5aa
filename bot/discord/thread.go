package discord

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
	"threadkeeper/memory/reading"
)

const (
	maxThreadName = 100
	archiveAfter  = 1440 // minutes without a message
)

// threadStart opens a thread on a message; a second one is refused.
type threadStart struct {
	Name    string `json:"name"`
	Archive int    `json:"auto_archive_duration"`
}

// threadFor is where the posts of a thread go: the thread, or its channel if none
// can be opened. It is opened if open says so and it may be missing; its id is that
// of the message it begins with.
func (a *Adapter) threadFor(ctx context.Context, to platform.Address, p spot, open bool) (spot, error) {
	thread := to.Key.Thread
	inside, outside := p, p
	inside.channel, inside.opened = thread, to.ReplyTo == "" || to.ReplyTo == thread
	if to.Between && !inside.opened && isID(to.ReplyTo) {
		inside.replyTo = to.ReplyTo
	}
	outside.thread, outside.replyTo = thread, thread
	if isID(to.ReplyTo) {
		outside.replyTo = to.ReplyTo
	}
	c, unknown := a.channelOf(ctx, p.channel)
	if c.posts() {
		inside.opened = false // a forum takes no messages beside its posts
		return inside, nil
	}
	if at, known := a.threads.Get(thread); known {
		if at == thread {
			return inside, nil
		}
		return outside, nil
	}
	if c, known := a.places.channel(thread); known && c.thread() {
		return inside, nil
	}
	if !inside.opened && a.standsIn(ctx, to, p.channel) {
		a.threads.Set(thread, p.channel)
		return outside, nil
	}
	if !open || !inside.opened {
		return inside, nil
	}
	if unknown != nil && !errors.Is(unknown, platform.ErrUndeliverable) {
		return inside, unknown // it may be a forum
	}
	if may, err := a.rights(ctx, p.channel); err == nil && may&sendInThreads == 0 {
		a.Log.Info("cannot post in threads, answering in the channel")
		a.threads.Set(thread, p.channel) // none is opened that would stay empty
		return outside, nil
	}
	err := a.openThread(ctx, p.channel, thread, say.In(to.Language).Untitled)
	switch {
	case err == nil:
		a.threads.Set(thread, thread)
		return inside, nil
	case hasCode(err, discordgo.ErrCodeUnknownMessage), !errors.Is(err, platform.ErrUndeliverable):
		return inside, err
	}
	a.Log.Info("could not open a thread, answering in the channel", "error", err)
	a.threads.Set(thread, p.channel)
	return outside, nil
}

// standsIn reports whether the conversation of a thread is held in its channel, because
// the thread could not be opened: it does not exist, and what is answered stands there.
func (a *Adapter) standsIn(ctx context.Context, to platform.Address, channel string) bool {
	if !isID(to.ReplyTo) {
		return false
	}
	if _, err := a.channelOf(ctx, to.Key.Thread); !errors.Is(err, platform.ErrUndeliverable) {
		return false
	}
	return a.call(ctx, http.MethodGet, "/channels/"+channel+"/messages/"+to.ReplyTo, nil, nil) == nil
}

// openThread makes sure that the thread of a message exists. It is untitled if the message has no words.
func (a *Adapter) openThread(ctx context.Context, channel, message, untitled string) error {
	path := "/channels/" + channel + "/messages/" + message
	name, known := a.titles.Get(message)
	if !known {
		var asked wireMessage
		if err := a.call(ctx, http.MethodGet, path, nil, &asked); err != nil {
			a.Log.Debug("could not read a thread's first message", "error", err)
		}
		name = a.titleOf(ctx, channel, asked)
	}
	err := a.call(ctx, http.MethodPost, path+"/threads", threadStart{cmp.Or(name, untitled), archiveAfter}, nil)
	if hasCode(err, refusedNameCodes...) {
		err = a.call(ctx, http.MethodPost, path+"/threads", threadStart{untitled, archiveAfter}, nil)
	}
	if err == nil || hasCode(err, discordgo.ErrCodeThreadAlreadyCreatedForThisMessage) {
		return nil
	}
	return err
}

// noThread takes back that a thread can be written to, if what was posted there
// was refused and the channel may take it. It returns the place for that.
func (a *Adapter) noThread(to platform.Address, p spot, err error) (spot, bool) {
	if !p.opened || !hasCode(err, discordgo.ErrCodeMissingPermissions, discordgo.ErrCodeMissingAccess) {
		return p, false
	}
	a.Log.Info("cannot post in the thread, answering in the channel", "error", err)
	a.threads.Set(to.Key.Thread, to.Key.Channel)
	p.opened, p.channel, p.thread, p.replyTo = false, to.Key.Channel, to.Key.Thread, to.Key.Thread
	return p, true
}

var (
	anyTag   = reading.Lazy(`<(?:@[!&]?|#)\d+>|<a?:(\w+):\d+>|<t:[^>]*>`)
	styles   = reading.Lazy("[*_~`|>#]+")
	anyLink  = reading.Lazy(`\[([^\]\n]*)\]\([^)\n]*\)`)
	sentence = reading.Lazy(`^(.{12,}?[.?!…])\s`)
)

// refusedNameCodes are the codes of a name with words that Discord or the server does not
// allow (https://docs.discord.com/developers/topics/opcodes-and-status-codes#json; 50035
// is also what servers in Discovery answer).
var refusedNameCodes = []int{20031, discordgo.ErrCodeInvalidFormBody, 200001}

// threadName returns a thread's name after the request: its first line or sentence,
// without mentions and styles, or else the first file that came with it; "" without any.
func threadName(question string, files []wireAttachment) string {
	question = anyTag.ReplaceAllString(question, "$1")
	question = anyLink.ReplaceAllString(question, "$1")
	for line := range strings.Lines(plain(question)) {
		line = strings.Join(strings.Fields(styles.ReplaceAllString(strings.TrimPrefix(line, "-# "), "")), " ")
		if line == "" {
			continue
		}
		if s := sentence.FindStringSubmatch(line); s != nil {
			line = s[1]
		}
		if short := strings.TrimSuffix(line, "."); short != "" && !strings.HasSuffix(short, ".") {
			line = short
		}
		return kit.Shorten(defuse(line), maxThreadName)
	}
	if len(files) > 0 {
		return kit.Shorten(defuse(plain(files[0].name())), maxThreadName)
	}
	return ""
}

// title names a thread on a message, or on the one it is a question about.
func (s scene) title(m wireMessage) string {
	name := threadName(s.words(m), m.attachments())
	if about := s.about(m); about != nil && name == "" {
		return threadName(s.words(*about), about.attachments())
	}
	return name
}
