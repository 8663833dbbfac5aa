package platformtest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// adapter is our program's side of a World.
type adapter struct{ *World }

func (a *adapter) Name() string { return a.Key(Place{}).Platform }

func (a *adapter) Limits() platform.Limits {
	return platform.Limits{Clicks: true, EditInterval: a.Interval, Streams: a.Streams, Whole: a.Whole, Ephemeral: true}
}

func (a *adapter) step(name string) {
	if a.Step != nil {
		a.Step(name)
	}
}

// request begins a request of ours, and returns what ends it.
func (a *adapter) request(name string) func() {
	a.step("before " + name)
	a.mu.Lock()
	return func() {
		a.mu.Unlock()
		a.step("after " + name)
	}
}

// Run delivers events in order and acknowledges each once it was received.
func (a *adapter) Run(ctx context.Context, h platform.Handler, _ []platform.Command) error {
	w := a.World
	w.mu.Lock()
	w.handler = h
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.handler = platform.Handler{}
		w.mu.Unlock()
	}()
	for _, workspace := range w.workspaces() { // events may have been missed
		ev := platform.Event{ID: "audience:" + workspace, Kind: platform.EventAudience, Key: memory.Key{Workspace: workspace}}
		if err := h.Receive(ctx, ev); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
	for {
		w.mu.Lock()
		var next *platform.Event
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
	if a.broken(BusyOpen) {
		return nil, errWire
	}
	data, ok := a.files[f.Locator]
	if !ok || a.broken(FailOpen) {
		return nil, fmt.Errorf("fake: %w", platform.ErrFileGone)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

var errWire = errors.New("fake: connection reset")

// render is what the platform makes of our text: it neutralises mentions.
func (p *post) render(m platform.Outgoing) {
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
	p.Links = nil
	for _, c := range m.Citations {
		p.Links = append(p.Links, c.Link)
		p.labels[Page(c.N)] = platform.PageAction(m.Nonce, c.N)
	}
	if m.Feedback {
		for _, f := range []platform.Feedback{platform.Helpful, platform.Unhelpful} {
			p.labels[string(f)] = platform.FeedbackAction(m.Nonce, f)
		}
	}
}

func (w *World) put(to platform.Address, nonce string) *post {
	p := &post{key: to.Key, nonce: nonce}
	p.ID, p.OnlyTo = w.id("p"), to.EphemeralTo
	w.posts = append(w.posts, p)
	return p
}

func (a *adapter) Post(_ context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	defer a.request("post")()
	if a.broken(FailPost) {
		return "", errWire
	}
	p := a.put(to, m.Nonce)
	p.render(m)
	if a.broken(LosePost) {
		return "", errWire
	}
	return platform.Ref(p.ID), nil
}

func (a *adapter) Edit(_ context.Context, r platform.Ref, m platform.Outgoing) (platform.Ref, error) {
	defer a.request("edit")()
	if a.broken(FailEdit) {
		return "", errWire
	}
	if a.broken(LockEdit) {
		return "", fmt.Errorf("fake: %w: %w", platform.ErrUndeliverable, platform.ErrLocked)
	}
	for _, p := range a.posts {
		if p.ID == string(r) {
			if a.broken(BarEdit) {
				p.ID = a.id("p")
			}
			p.render(m)
			if m.Kind == platform.KindErased {
				p.File = ""
			}
			if a.broken(LoseEdit) {
				return "", errWire
			}
			return platform.Ref(p.ID), nil
		}
	}
	return "", fmt.Errorf("fake: no post %s: %w", r, platform.ErrUndeliverable)
}

func (a *adapter) Upload(_ context.Context, to platform.Address, f platform.Upload) (platform.Ref, error) {
	defer a.request("upload")()
	p := a.put(to, f.Nonce)
	p.render(platform.Outgoing{Text: f.Text})
	p.File = f.Name
	a.files["upload:"+f.Name] = f.Data
	if a.broken(LosePost) {
		return "", errWire
	}
	return platform.Ref(p.ID), nil
}

func (a *adapter) Status(_ context.Context, _ platform.Address, s string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.statuses = append(a.statuses, s)
	return nil
}

func (a *adapter) Find(_ context.Context, to platform.Address, nonce string) (platform.Ref, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.posts {
		if p.nonce == nonce && p.key == to.Key {
			return platform.Ref(p.ID), true, nil
		}
	}
	return "", false, nil
}

func (a *adapter) History(_ context.Context, k memory.Key, since int64, limit int) (platform.Past, error) {
	defer a.request("history")()
	if a.broken(FailPast) {
		return platform.Past{}, errWire
	}
	var past []platform.Event
	for _, u := range a.said {
		top := k.Thread == "" && u.opens != "" && a.Key(u.said.At) == k
		if a.Key(u.at) != k && !top || u.deleted || a.when(u.id) < since {
			continue
		}
		ev := platform.Event{ID: "past-" + u.id, Kind: platform.EventMessage, Key: k, Author: author(u.said.Who), Message: u.id, Text: u.said.Text, Mention: u.said.Mention, At: a.when(u.id)}
		ev.Files, ev.Author.Kind = attached(u), u.said.kind(ev.Author.Kind)
		for _, reply := range a.said {
			if top && reply.said.At.Thread == u.id && !reply.deleted {
				ev.Replied = max(ev.Replied, a.when(reply.id))
			}
		}
		past = append(past, ev)
	}
	for _, p := range a.posts {
		if p.key == k && p.OnlyTo == "" && p.File == "" && a.when(p.ID) >= since {
			past = append(past, platform.Event{ID: "past-" + p.ID, Kind: platform.EventMessage, Key: k, Message: p.ID, Text: p.Text, Ours: true, At: a.when(p.ID)})
		}
	}
	slices.SortStableFunc(past, func(x, y platform.Event) int { return cmp.Compare(x.At, y.At) })
	return platform.Past{Events: past[max(0, len(past)-limit):], Whole: len(past) <= limit}, nil
}

func (a *adapter) Channel(_ context.Context, k memory.Key) (memory.Channel, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.broken(FailKinds) {
		return memory.Channel{}, errWire
	}
	k.Thread = ""
	if at, ok := a.places[k]; ok {
		return a.channel(at), nil
	}
	return a.channel(Place{Channel: k.Channel}), nil
}

// Channels are those in which something has happened.
func (a *adapter) Channels(_ context.Context, workspace string) ([]memory.Channel, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.broken(FailKinds) {
		return nil, errWire
	}
	var all []memory.Channel
	for k, at := range a.places {
		if k.Workspace == workspace {
			c := a.channel(at)
			c.Channel = k.Channel
			all = append(all, c)
		}
	}
	return all, nil
}

func (a *adapter) Link(r platform.Ref) string { return "fake://" + string(r) }

func (a *adapter) Permalink(k memory.Key, message string) string {
	return "fake://" + k.Channel + "/" + message
}

// Messages are the one that a post is.
func (a *adapter) Messages(r platform.Ref) []string { return []string{string(r)} }

func (a *adapter) RefOf(_ memory.Key, message string) platform.Ref { return platform.Ref(message) }

func (a *adapter) Stream(_ context.Context, to platform.Address, nonce string) (platform.Stream, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &stream{a: a, to: to, nonce: nonce, cut: a.broken(CutStream)}, nil
}

type stream struct {
	a     *adapter
	to    platform.Address
	nonce string
	cut   bool
	post  *post
	n     int
}

func (s *stream) Ref() platform.Ref {
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	if s.post == nil {
		return ""
	}
	return platform.Ref(s.post.ID)
}

func (s *stream) Append(_ context.Context, text string) error {
	defer s.a.request("append")()
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

func (s *stream) Close(_ context.Context, final platform.Outgoing) (platform.Ref, error) {
	defer s.a.request("close")()
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
	return platform.Ref(s.post.ID), nil
}
