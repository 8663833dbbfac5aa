// Package console is the terminal as a platform. Chat is the interactive form:
// a prompt, streamed replies, a progress bar. Pipe is the form for pipes: one
// message per line in, one answer per line out, continued after a crash. It owns the
// settings rows in scopes "run:…", which hold answers not yet printed.
package console

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Platform is the console's name in keys.
const Platform = "console"

const (
	workspace  = "local"
	channel    = "terminal"
	maxText    = 4 << 20 // bytes of one message
	mainThread = "main"
)

// Key returns the key of the conversation called thread; "" is the main one.
func Key(thread string) memory.Key {
	if thread == "" {
		thread = mainThread
	}
	return memory.Key{Platform: Platform, Workspace: workspace, Channel: channel, Thread: thread}
}

// Channel returns the terminal as a channel: nobody else reads it.
func Channel() memory.Channel {
	return memory.Channel{Platform: Platform, Workspace: workspace, Channel: channel, Name: channel, Kind: memory.DM}
}

// Me returns the person at the terminal: the user of this system, who may do anything
// with a file of their own. Their time zone is that of the system, their language comes from the
// environment (POSIX, "Internationalization Variables").
func Me() platform.Author {
	me := platform.Author{ID: "me", Name: "You", Kind: memory.Human, Admin: true, TimeZone: time.Local.String(),
		Locale: cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))}
	u, err := user.Current()
	if err != nil || u.Username == "" {
		return me // a container without a list of users
	}
	me.Name = u.Username
	if name, _, _ := strings.Cut(u.Name, ","); strings.TrimSpace(name) != "" {
		me.Name = strings.TrimSpace(name)
	}
	return me
}

// As returns the person of this name at the terminal, whom import gives the messages of an author of this name; Me for no name, or
// for one's own. Somebody else may do only what everybody may.
func As(name string) platform.Author {
	me := Me()
	if name != "" && name != me.Name {
		me.ID, me.Name, me.Admin = "import:"+name, name, false
	}
	return me
}

// Seat is what both forms of the console share: who works in which thread.
type Seat struct {
	Store  *memory.Store
	Author platform.Author
	Thread string // "" is the main one
	Dir    string // where pictures and exports are saved

	kept    sync.Map               // see spool
	touring atomic.Pointer[string] // where they are saved while a tour runs; delivery reads it beside the tour
}

func (s *Seat) spool() spool { return spool{s.Store, &s.kept} }

// Sit switches to a thread; "" is the main one. The error is memory.ErrLocked, and the thread stays, if
// another process is using it.
func (s *Seat) Sit(thread string) error {
	err := s.Store.Sit(Key(thread))
	switch {
	case errors.Is(err, memory.ErrLocked):
		return fmt.Errorf("thread %q is %w; choose another with --thread NAME", Key(thread).Thread, memory.ErrLocked)
	case err != nil:
		return fmt.Errorf("console: %w", err)
	}
	s.Thread = thread
	return nil
}

// message is the event of something said.
func (s *Seat) message(id, text string, files []memory.File) platform.Event {
	e := s.event(id, platform.EventMessage)
	e.Message, e.Text, e.Files, e.Mention = id, text, files, true
	return e
}

// command is the event of a command.
func (s *Seat) command(id, name, args string) platform.Event {
	e := s.event(id, platform.EventCommand)
	e.Command, e.Args = name, args
	return e
}

func (s *Seat) event(id string, kind platform.EventKind) platform.Event {
	key := Key(s.Thread)
	return platform.Event{ID: id, Kind: kind, Key: key, Channel: Channel(), Author: s.Author, At: s.Store.Now(),
		Reply: platform.Address{Key: key, Event: id, ReplyTo: id}}
}

// Name returns the platform's name in keys.
func (s *Seat) Name() string { return Platform }

// Open opens an attached file.
func (s *Seat) Open(_ context.Context, f memory.File) (io.ReadCloser, error) {
	file, _, err := openRegular(f.Locator)
	if err != nil {
		return nil, fmt.Errorf("console: open %s: %w", f.Name, err)
	}
	return file, nil
}

// openRegular opens a file, and nothing that is like one: a pipe would block.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		err = fmt.Errorf("%s is a folder: name files in it", path)
	case err == nil && !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a file", path)
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		err = fmt.Errorf("you have no permission to read %s", path)
	}
	return f, info, err
}

// History returns nothing: nothing is said in a terminal before we are there.
func (s *Seat) History(context.Context, memory.Key, int64, int) (platform.Past, error) {
	return platform.Past{Whole: true}, nil
}

// Channel returns the terminal.
func (s *Seat) Channel(context.Context, memory.Key) (memory.Channel, error) { return Channel(), nil }

// Link returns "": a terminal has no permalinks.
func (s *Seat) Link(platform.Ref) string { return "" }

// Find returns true for an answer that was stored for a run of Pipe, printed or not. What an earlier process showed is not known any more.
func (s *Seat) Find(ctx context.Context, to platform.Address, nonce string) (platform.Ref, bool, error) {
	e, err := s.spool().get(ctx, to.Event)
	return ref(to.Event, nonce), err == nil && nonce != "" && e.Nonce == nonce, err
}

// status is what "memory status" shows of the thread; nil before its first message.
func (s *Seat) status(ctx context.Context) (*memory.Status, error) {
	session, err := s.Store.SessionByKey(ctx, Key(s.Thread))
	var st *memory.Status
	if err == nil {
		st, err = s.Store.Views.Status(ctx, session.ID)
	}
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	return st, err
}

// save writes an upload into the Seat's directory under a name that is free, unless it is there already, and returns its
// path.
func (s *Seat) save(u platform.Upload) (string, error) {
	name, dir := safeName(u.Name), s.Dir
	if t := s.touring.Load(); t != nil {
		dir = *t
	}
	ext := filepath.Ext(name)
	for n := 1; ; n++ {
		path := filepath.Join(dir, name)
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext))
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if os.IsExist(err) && n < 1000 {
			if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, u.Data) {
				return path, nil
			}
			continue
		}
		if err != nil {
			return "", fmt.Errorf("console: save %s: %w", name, err)
		}
		_, err = f.Write(u.Data)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", fmt.Errorf("console: save %s: %w", name, err)
		}
		return path, nil
	}
}

// safeName is the last element of a name, without what a file system or a
// terminal would act on.
func safeName(name string) string {
	name = filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"/|?*`, r) {
			return '-'
		}
		return r
	}, name)
	if name = strings.TrimLeft(name, ".-"); name == "" {
		return "file"
	}
	return name
}
