package platformtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/memory"
)

// World is a chat service in memory and a Harness for it.
type World struct {
	// Step, if set, is called before and after every request of ours.
	Step func(string)
	// Streams and Interval are the platform's limits.
	Streams  bool
	Interval time.Duration

	mu       sync.Mutex
	n        int
	said     []*utterance
	posts    []*post
	events   []bot.Event // every one so far
	queue    []bot.Event // to be delivered, or not acknowledged yet
	files    map[string][]byte
	statuses []string
	faults   []Fault
	bell     chan struct{}
	handler  bot.Handler
}

type utterance struct {
	id      string
	said    Said
	at      Place
	deleted bool
}

type post struct {
	Post
	key    memory.Key
	nonce  string
	labels map[string]string // label → action
}

// NewWorld is an empty world with streams.
func NewWorld() *World {
	return &World{Streams: true, files: make(map[string][]byte), bell: make(chan struct{}, 1)}
}

var _ Harness = (*World)(nil)

// Features are all there are.
func (w *World) Features() Features {
	return Features{People: true, Threads: true, Changes: true, Files: true, Ephemeral: true, Clicks: true, Suggests: true,
		Backfill: true, Redeliver: true, Faults: true, Restarts: true, Joins: true}
}

// Clone is the world as it is now, for a program that starts now: what was not
// acknowledged is delivered to it.
func (w *World) Clone() *World {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := NewWorld()
	c.Streams, c.Interval, c.n = w.Streams, w.Interval, w.n
	c.events, c.queue, c.files = slices.Clone(w.events), slices.Clone(w.queue), maps.Clone(w.files)
	for _, u := range w.said {
		v := *u
		c.said = append(c.said, &v)
	}
	for _, p := range w.posts {
		q := *p
		c.posts = append(c.posts, &q)
	}
	return c
}

func (w *World) id(prefix string) string {
	w.n++
	return fmt.Sprintf("%s%04d", prefix, w.n)
}

func key(at Place) memory.Key {
	return memory.Key{Platform: "fake", Workspace: "w", Channel: at.Channel, Thread: at.Thread}
}

func kind(at Place) memory.ChannelKind {
	if at.DM {
		return memory.DM
	}
	return memory.Public
}

func author(who string) bot.Author {
	return bot.Author{ID: "U-" + who, Name: who, Kind: memory.Human}
}

// Say is somebody saying something. A mention at the top of a channel opens a thread.
func (w *World) Say(s Said) (string, Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	u := &utterance{id: w.id("m"), said: s, at: s.At}
	fresh := s.At.Thread == "" && !s.At.DM
	if fresh {
		u.at.Thread = u.id
	}
	joined := !fresh && !s.At.DM && s.Mention && !slices.ContainsFunc(w.said, func(o *utterance) bool { return o.at == s.At && o.said.Mention })
	w.said = append(w.said, u)
	var files []memory.File
	for i, f := range s.Files {
		id := fmt.Sprintf("%s-f%d", u.id, i)
		w.files[id] = f.Data
		files = append(files, memory.File{PlatformID: id, Name: f.Name, Size: int64(len(f.Data)), Locator: id})
	}
	if !s.Unseen {
		ev := w.event(bot.EventMessage, s.Who, u.at)
		ev.Message, ev.Text, ev.Files = u.id, s.Text, files
		ev.Mention, ev.ToOther, ev.Joined = s.Mention || s.At.DM, s.ToOther, joined
		w.send(ev)
	}
	return u.id, u.at
}

func (w *World) event(k bot.EventKind, who string, at Place) bot.Event {
	return bot.Event{ID: w.id("e"), Kind: k, Key: key(at), Channel: memory.Channel{Kind: kind(at), Name: at.Channel}, Author: author(who), At: 1_700_000_000_000 + int64(w.n)}
}

func (w *World) send(ev bot.Event) {
	w.events, w.queue = append(w.events, ev), append(w.queue, ev)
	w.ring()
}

func (w *World) ring() {
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// Join adds us to a channel.
func (w *World) Join(at Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.send(w.event(bot.EventJoin, "Ada", at))
}

// Edit changes what was said.
func (w *World) Edit(at Place, id, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.said {
		if u.id == id {
			u.said.Text = text
			ev := w.event(bot.EventEdit, u.said.Who, at)
			ev.Message, ev.Text = id, text
			w.send(ev)
		}
	}
}

// Delete takes back what was said.
func (w *World) Delete(at Place, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.said {
		if u.id == id {
			u.deleted = true
			ev := w.event(bot.EventDelete, u.said.Who, at)
			ev.Message = id
			w.send(ev)
		}
	}
}

// Click presses a button.
func (w *World) Click(who string, at Place, p Post, label string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, q := range w.posts {
		if q.ID == p.ID {
			ev := w.event(bot.EventClick, who, at)
			ev.Action, ev.Reply.Interaction = q.labels[label], "token"
			w.send(ev)
		}
	}
}

// Command is a command of the platform.
func (w *World) Command(who string, at Place, name, args string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ev := w.event(bot.EventCommand, who, at)
	ev.Command, ev.Args, ev.Reply.Interaction = name, args, "token"
	w.send(ev)
}

// Suggest asks the running adapter's handler.
func (w *World) Suggest(ctx context.Context, who string, at Place, command, option, prefix string) ([]bot.Choice, error) {
	w.mu.Lock()
	h := w.handler
	w.mu.Unlock()
	if h.Suggest == nil {
		return nil, errors.New("no adapter runs")
	}
	return h.Suggest(ctx, bot.Suggestion{Key: key(at), Author: author(who), Command: command, Option: option, Prefix: prefix})
}

// Redeliver delivers every event so far again.
func (w *World) Redeliver() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = append(w.queue, w.events...)
	w.ring()
}

// Posts are ours in a place.
func (w *World) Posts(at Place, who string) []Post {
	w.mu.Lock()
	defer w.mu.Unlock()
	var seen []Post
	for _, p := range w.posts {
		if p.key == key(at) && (p.OnlyTo == "" || p.OnlyTo == "U-"+who) {
			seen = append(seen, p.Post)
		}
	}
	return seen
}

// Statuses are what was shown as progress.
func (w *World) Statuses() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.statuses)
}

// Pending is how many events are not acknowledged.
func (w *World) Pending() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue)
}

// Break makes something go wrong, once.
func (w *World) Break(f Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, f)
}

// broken reports, once, whether f was to go wrong. The lock is held.
func (w *World) broken(f Fault) bool {
	i := slices.Index(w.faults, f)
	if i >= 0 {
		w.faults = slices.Delete(w.faults, i, i+1)
	}
	return i >= 0
}

// Platform is a new adapter.
func (w *World) Platform() bot.Platform { return &adapter{w} }

// New is an open function for Run over a fresh World.
func New(*testing.T) Harness { return NewWorld() }

type adapter struct{ *World }

func (a *adapter) Name() string { return "fake" }

func (a *adapter) Limits() bot.Limits {
	return bot.Limits{Text: 4000, Buttons: 5, EditInterval: a.Interval, Streams: a.Streams, Ephemeral: true}
}

func (a *adapter) step(name string) {
	if a.Step != nil {
		a.Step(name)
	}
}

// Run delivers events in order and acknowledges each once it was received.
func (a *adapter) Run(ctx context.Context, h bot.Handler, _ []bot.Command) error {
	w := a.World
	w.mu.Lock()
	w.handler = h
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.handler = bot.Handler{}
		w.mu.Unlock()
	}()
	for {
		w.mu.Lock()
		var next *bot.Event
		if len(w.queue) > 0 {
			ev := w.queue[0]
			next = &ev
		}
		w.mu.Unlock()
		if next == nil {
			select {
			case <-w.bell:
			case <-ctx.Done():
				return nil
			}
			continue
		}
		if err := h.Receive(ctx, *next); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		a.step("received")
		w.mu.Lock()
		w.queue = w.queue[1:]
		w.mu.Unlock()
		a.step("acknowledged")
	}
}

func (a *adapter) Open(_ context.Context, f memory.File) (io.ReadCloser, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	data, ok := a.files[f.Locator]
	if !ok || a.broken(FailOpen) {
		return nil, fmt.Errorf("fake: %w", bot.ErrFileGone)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// errWire is a request that failed.
var errWire = errors.New("fake: connection reset")

// render is what the platform makes of our text: it neutralises mentions.
func (p *post) render(m bot.Outgoing) {
	p.Text = strings.NewReplacer("@", "@\u200b", "<!", "<\u200b!").Replace(m.Text)
	p.Mentions = strings.Count(p.Text, "@everyone") + strings.Count(p.Text, "<!channel>") + strings.Count(p.Text, "<@U")
	p.Options, p.Buttons, p.labels = nil, nil, make(map[string]string)
	if m.Question != nil {
		for _, o := range m.Question.Options {
			p.Options = append(p.Options, o.Label)
			p.labels[o.Label] = o.Action
		}
	}
	for _, b := range m.Buttons {
		p.Buttons = append(p.Buttons, b.Label)
		p.labels[b.Label] = b.Action
	}
	if m.Feedback {
		for _, f := range []bot.Feedback{bot.Helpful, bot.Unhelpful} {
			p.labels[string(f)] = bot.FeedbackAction(m.Nonce, f)
		}
	}
}

func (w *World) put(to bot.Address, nonce string) *post {
	p := &post{key: to.Key, nonce: nonce}
	p.ID, p.OnlyTo = w.id("p"), to.EphemeralTo
	w.posts = append(w.posts, p)
	return p
}

func (a *adapter) Post(_ context.Context, to bot.Address, m bot.Outgoing) (bot.Ref, error) {
	a.step("before post")
	defer a.step("after post")
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.broken(FailPost) {
		return "", errWire
	}
	p := a.put(to, m.Nonce)
	p.render(m)
	if a.broken(LosePost) {
		return "", errWire
	}
	return bot.Ref(p.ID), nil
}

func (a *adapter) Edit(_ context.Context, r bot.Ref, m bot.Outgoing) error {
	a.step("before edit")
	defer a.step("after edit")
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.broken(FailEdit) {
		return errWire
	}
	for _, p := range a.posts {
		if p.ID == string(r) {
			p.render(m)
			if a.broken(LoseEdit) {
				return errWire
			}
			return nil
		}
	}
	return fmt.Errorf("fake: no post %s: %w", r, bot.ErrUndeliverable)
}

func (a *adapter) Upload(_ context.Context, to bot.Address, f bot.Upload) (bot.Ref, error) {
	a.step("before upload")
	defer a.step("after upload")
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.put(to, f.Nonce)
	p.render(bot.Outgoing{Text: f.Text})
	p.File = f.Name
	a.files["upload:"+f.Name] = f.Data
	if a.broken(LosePost) {
		return "", errWire
	}
	return bot.Ref(p.ID), nil
}

func (a *adapter) Status(_ context.Context, _ bot.Address, s string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.statuses = append(a.statuses, s)
	return nil
}

func (a *adapter) Find(_ context.Context, to bot.Address, nonce string) (bot.Ref, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.posts {
		if p.nonce == nonce && p.key == to.Key {
			return bot.Ref(p.ID), true, nil
		}
	}
	return "", false, nil
}

func (a *adapter) History(_ context.Context, k memory.Key, _ string, limit int) ([]bot.Event, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.broken(FailPast) {
		return nil, errWire
	}
	var past []bot.Event
	for _, u := range a.said {
		if key(u.at) != k || u.deleted {
			continue
		}
		ev := bot.Event{ID: "past-" + u.id, Kind: bot.EventMessage, Key: k, Author: author(u.said.Who), Message: u.id, Text: u.said.Text, At: 1_600_000_000_000}
		for i, f := range u.said.Files {
			id := fmt.Sprintf("%s-f%d", u.id, i)
			ev.Files = append(ev.Files, memory.File{PlatformID: id, Name: f.Name, Size: int64(len(f.Data)), Locator: id})
		}
		past = append(past, ev)
	}
	return past[max(0, len(past)-limit):], nil
}

func (a *adapter) Channel(_ context.Context, k memory.Key) (memory.Channel, error) {
	return memory.Channel{Kind: memory.Public, Name: k.Channel}, nil
}

func (a *adapter) Link(r bot.Ref) string { return "fake://" + string(r) }

func (a *adapter) Stream(_ context.Context, to bot.Address, nonce string) (bot.Stream, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &stream{a: a, to: to, nonce: nonce, cut: a.broken(CutStream)}, nil
}

type stream struct {
	a     *adapter
	to    bot.Address
	nonce string
	cut   bool
	post  *post
	n     int
}

func (s *stream) Ref() bot.Ref {
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	if s.post == nil {
		return ""
	}
	return bot.Ref(s.post.ID)
}

func (s *stream) Append(_ context.Context, text string) error {
	s.a.step("before append")
	defer s.a.step("after append")
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	s.n++
	if s.cut && s.n > 1 {
		return errWire
	}
	if s.post == nil {
		s.post = s.a.put(s.to, s.nonce)
	}
	s.post.Text += text
	return nil
}

func (s *stream) Close(_ context.Context, final bot.Outgoing) (bot.Ref, error) {
	s.a.step("before close")
	defer s.a.step("after close")
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	if s.cut {
		return "", errWire
	}
	if s.post == nil {
		s.post = s.a.put(s.to, s.nonce)
	}
	s.post.render(final)
	if s.a.broken(LoseClose) {
		return "", errWire
	}
	return bot.Ref(s.post.ID), nil
}
