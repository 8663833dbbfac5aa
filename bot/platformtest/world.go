package platformtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// World is a chat service in memory and a Harness for it.
type World struct {
	// Name is the platform's, "fake" if it is "".
	Name string
	// Step, if set, is called before and after every request of ours.
	Step func(string)
	// Streams, Interval and Whole are the platform's limits.
	Streams  bool
	Interval time.Duration
	Whole    bool
	// Private are the channels that not everybody may read.
	Private map[string]bool
	// AgentView says that a message at the top of a direct message opens a thread.
	AgentView bool
	// Locales are those of people's clients, by name; "" is not told.
	Locales map[string]string

	mu       sync.Mutex
	began    int64 // milliseconds UTC
	n        int
	said     []*utterance
	posts    []*post
	events   []platform.Event // every one so far
	queue    []platform.Event // to be delivered, or not acknowledged yet
	files    map[string][]byte
	statuses []string
	titles   map[string]string // of threads that were named anew
	faults   []Fault
	bell     chan struct{}
	handler  platform.Handler
	left     map[string]bool      // "channel/name"
	places   map[memory.Key]Place // channels in which something has happened
	shared   map[string]bool      // channels that were shared with another workspace, or no longer are
	homes    map[string]platform.Home
}

type utterance struct {
	id      string
	said    Said
	at      Place
	opens   string // the thread an answer opens, "" in a thread
	deleted bool
}

func (w *World) about(u *utterance, k platform.EventKind) platform.Event {
	at := u.said.At
	if at.DM {
		at = u.at
	}
	ev := w.event(k, u.said.Who, at)
	ev.Author.Kind = u.said.kind(ev.Author.Kind)
	ev.Message, ev.Opens, ev.Joined = u.id, u.opens, u.said.At.Thread != "" && !u.said.At.DM
	return ev
}

type post struct {
	Post
	key    memory.Key
	nonce  string
	labels map[string]string // label → action
}

// NewWorld is an empty world with streams.
func NewWorld() *World {
	return &World{Streams: true, files: make(map[string][]byte), places: make(map[memory.Key]Place), bell: make(chan struct{}, 1), began: time.Now().UnixMilli()}
}

var _ Harness = (*World)(nil)

// Features are all there are.
func (w *World) Features() Features {
	return Features{People: true, Threads: true, Changes: true, Files: true, Ephemeral: true, Clicks: true, Suggests: true,
		Backfill: true, Redeliver: true, Faults: true, Restarts: true, Joins: true, Tops: true, Roles: true, Guests: true, External: true,
		Moderated: true, Replaces: true, Pages: true, Links: true, FileEvent: true, Homes: true, Titles: true, Closes: true, Flat: true}
}

// Clone is the world as it is now, for a program that starts now: what was not
// acknowledged is delivered to it.
func (w *World) Clone() *World {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := NewWorld()
	c.Streams, c.Interval, c.Whole, c.AgentView, c.began, c.n = w.Streams, w.Interval, w.Whole, w.AgentView, w.began, w.n
	c.events, c.queue, c.files = slices.Clone(w.events), slices.Clone(w.queue), maps.Clone(w.files)
	c.places, c.shared, c.Private = maps.Clone(w.places), maps.Clone(w.shared), maps.Clone(w.Private)
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

// Equals reports whether a program that starts now meets the same in two clones that none has met yet.
func (w *World) Equals(other *World) bool {
	bell := other.bell
	other.bell = w.bell // each has its own
	defer func() { other.bell = bell }()
	return reflect.DeepEqual(w, other)
}

func (w *World) id(prefix string) string {
	w.n++
	return fmt.Sprintf("%s%04d", prefix, w.n)
}

// when is the time of what has an id.
func (w *World) when(id string) int64 {
	n, _ := strconv.ParseInt(strings.TrimLeft(id, "mpe"), 10, 64)
	return w.began + n
}

// Key names the conversation at a place.
func (w *World) Key(at Place) memory.Key {
	return memory.Key{Platform: cmp.Or(w.Name, "fake"), Workspace: cmp.Or(at.Workspace, "w"), Channel: at.Channel, Thread: at.Thread}
}

func (w *World) kind(at Place) memory.ChannelKind {
	switch {
	case at.DM:
		return memory.DM
	case w.Private[at.Channel]:
		return memory.Private
	}
	return memory.Public
}

// channel is what the wire tells of a channel. The lock is held.
func (w *World) channel(at Place) memory.Channel {
	external, changed := w.shared[at.Channel]
	return memory.Channel{Kind: w.kind(at), External: at.External && !changed || external, Name: at.Channel}
}

// workspaces are those in which something has happened.
func (w *World) workspaces() (all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for k := range w.places {
		all = append(all, k.Workspace)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Restrict makes a channel private, or public again.
func (w *World) Restrict(at Place, private, unseen bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.Private = maps.Clone(w.Private)
	if w.Private == nil {
		w.Private = make(map[string]bool)
	}
	w.Private[at.Channel] = private
	if !unseen {
		w.doubt(at, memory.Channel{Kind: w.kind(at)})
	}
}

// Share shares a channel with another workspace, or ends that.
func (w *World) Share(at Place, shared bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shared == nil {
		w.shared = make(map[string]bool)
	}
	w.shared[at.Channel] = shared
	w.doubt(at, memory.Channel{External: shared})
}

// Doubt says that events of a workspace were missed, and arrive again.
func (w *World) Doubt(workspace string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doubt(Place{Workspace: workspace}, memory.Channel{})
}

func (w *World) doubt(at Place, certain memory.Channel) {
	ev := w.event(platform.EventAudience, "", at)
	ev.Author, ev.Channel = platform.Author{}, certain
	w.send(ev)
}

// Leave takes somebody out of a channel, and tells so.
func (w *World) Leave(who, channel string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left == nil {
		w.left = make(map[string]bool)
	}
	w.left[channel+"/"+who] = true
	w.send(w.event(platform.EventAudience, who, Place{Channel: channel}))
}

// Member is true for all who have not left.
func (a *adapter) Member(_ context.Context, k memory.Key, person string) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.broken(FailMember) {
		return false, errWire
	}
	return !a.left[k.Channel+"/"+strings.TrimPrefix(person, "U-")], nil
}

// Retitle names a thread anew.
func (w *World) Retitle(_ context.Context, k memory.Key, text, _ string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.titles == nil {
		w.titles = make(map[string]string)
	}
	w.titles[k.Thread] = "Conversation: " + text
	return nil
}

// Title is what a thread is called: what it began with, until it is named anew.
func (w *World) Title(at Place) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if title, ok := w.titles[at.Thread]; ok {
		return title
	}
	for _, u := range w.said {
		if u.id == at.Thread {
			return u.said.Text
		}
	}
	return ""
}

func (s Said) kind(of memory.PersonKind) memory.PersonKind {
	if s.Program {
		return memory.Bot
	}
	return of
}

func author(who string) platform.Author {
	a := platform.Author{ID: "U-" + who, Name: who, Kind: memory.Human, Admin: who == Admin}
	if who == Guest {
		a.Kind = memory.Guest
	}
	return a
}

// Say is somebody saying something. A mention at the top of a channel opens a
// thread. One mention may come as two events with the same id.
func (w *World) Say(s Said) (string, Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	u := &utterance{id: w.id("m"), said: s, at: s.At}
	switch {
	case s.At.Thread != "":
	case !s.At.DM:
		u.at.Thread, u.opens = u.id, u.id
	case w.AgentView:
		u.at.Thread = u.id
	}
	w.said = append(w.said, u)
	for i, f := range s.Files {
		w.files[fileID(u.id, i)] = f.Data
	}
	if s.Unseen {
		return u.id, u.at
	}
	ev := w.about(u, platform.EventMessage)
	ev.Text, ev.Files = s.Text, attached(u)
	ev.Mention, ev.ToOther = s.Mention || s.At.DM, s.ToOther
	if i := slices.IndexFunc(w.said, func(q *utterance) bool { return q.id == s.Answers }); i >= 0 {
		quoted := w.about(w.said[i], platform.EventMessage)
		quoted.Text = w.said[i].said.Text
		ev.Text, ev.Quoted = "> "+quoted.Author.Name+": "+quoted.Text+"\n\n"+s.Text, []platform.Event{quoted}
	}
	if s.Hidden {
		ev.Text, ev.Files, ev.Hidden = "", nil, true
	}
	w.send(ev)
	if s.Mention && !s.At.DM {
		w.send(ev)
	}
	return u.id, u.at
}

func fileID(message string, i int) string { return fmt.Sprintf("%s-f%d", message, i) }

func attached(u *utterance) []memory.File {
	var files []memory.File
	for i, f := range u.said.Files {
		id := fileID(u.id, i)
		files = append(files, memory.File{PlatformID: id, Name: f.Name, Size: int64(len(f.Data)), Locator: id, Link: "fake://file/" + id})
	}
	return files
}

func (w *World) event(k platform.EventKind, who string, at Place) platform.Event {
	if top := at; top.Channel != "" {
		top.Thread = ""
		w.places[w.Key(top)] = top
	}
	by := author(who)
	by.Locale = w.Locales[who]
	id := w.id("e")
	return platform.Event{ID: id, Kind: k, Key: w.Key(at), Channel: w.channel(at), Author: by, At: w.when(id)}
}

func (w *World) send(ev platform.Event) {
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
	w.send(w.event(platform.EventJoin, "Ada", at))
}

// Edit changes what was said.
func (w *World) Edit(_ Place, id, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.said {
		if u.id == id {
			u.said.Text = text
			ev := w.about(u, platform.EventEdit)
			ev.Text = text
			w.send(ev)
		}
	}
}

// CallIn edits what was said so that it mentions us.
func (w *World) CallIn(_ Place, id, text string) { w.Call(id, text, time.Now()) }

// Call edits what was said so that it mentions us, at a time.
func (w *World) Call(id, text string, at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.said {
		if u.id == id {
			u.said.Text, u.said.Mention = text, true
			ev := w.about(u, platform.EventEdit)
			ev.Text, ev.Files, ev.Mention, ev.At = text, attached(u), true, at.UnixMilli()
			w.send(ev)
		}
	}
}

// Delete takes back what was said, or a post of ours.
func (w *World) Delete(at Place, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.said {
		if u.id == id {
			u.deleted = true
			w.send(w.about(u, platform.EventDelete))
		}
	}
	n := len(w.posts)
	w.posts = slices.DeleteFunc(w.posts, func(p *post) bool { return p.ID == id })
	if len(w.posts) < n {
		ev := w.event(platform.EventDelete, Admin, at)
		ev.Message = id
		w.send(ev)
	}
}

// DeleteFile deletes a file of a message. The wire does not tell where it was.
func (w *World) DeleteFile(at Place, id, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.said {
		for i, f := range u.said.Files {
			if u.id == id && f.Name == name {
				delete(w.files, fileID(id, i))
				ev := w.event(platform.EventFile, u.said.Who, Place{})
				ev.Channel, ev.Message = memory.Channel{}, fileID(id, i)
				w.send(ev)
			}
		}
	}
}

// Home opens the page about us, which is shown until another one is published.
func (w *World) Home(ctx context.Context, who string) (platform.Home, error) {
	w.mu.Lock()
	h := w.handler
	w.mu.Unlock()
	if h.Home == nil {
		return platform.Home{}, errors.New("no adapter runs")
	}
	err := h.Home(ctx, w.Key(Place{}), author(who))
	return w.Shown(who), err
}

// Shown is the page about us that somebody sees.
func (w *World) Shown(who string) platform.Home {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.homes[author(who).ID]
}

// PublishHome shows a page.
func (a *adapter) PublishHome(_ context.Context, _ memory.Key, person string, h platform.Home) error {
	defer a.request("home")()
	if a.broken(FailHome) {
		return errWire
	}
	if a.homes == nil {
		a.homes = make(map[string]platform.Home)
	}
	a.homes[person] = h
	return nil
}

// Person is who somebody is.
func (a *adapter) Person(_ context.Context, _ memory.Key, id string) (platform.Author, error) {
	who := author(strings.TrimPrefix(id, "U-"))
	who.Locale = a.Locales[who.Name]
	return who, nil
}

// Click presses a button.
func (w *World) Click(who string, at Place, p Post, label string) { w.Fill(who, at, p, label, "") }

// Form asks the running adapter's handler for the form that a button opens.
func (w *World) Form(ctx context.Context, who string, at Place, p Post, label string) (*platform.Form, error) {
	w.mu.Lock()
	ev, _ := w.press(who, at, p, label)
	h := w.handler
	w.mu.Unlock()
	if h.Form == nil {
		return nil, errors.New("no adapter runs")
	}
	return h.Form(ctx, ev)
}

// Fill presses a button, with what was typed into its form.
func (w *World) Fill(who string, at Place, p Post, label, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ev, ok := w.press(who, at, p, label); ok {
		ev.Args = text
		w.send(ev)
	}
}

// press is the press of a button, false for a post that is not there. The lock is held.
func (w *World) press(who string, at Place, p Post, label string) (ev platform.Event, ok bool) {
	for _, q := range w.posts {
		if q.ID == p.ID {
			ev = w.event(platform.EventClick, who, at)
			ev.Action, ev.Reply.Interaction = q.labels[label], "token"
			return ev, true
		}
	}
	return ev, false
}

// Offers reports whether a post has a button with this label, as Click takes it.
func (w *World) Offers(p Post, label string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.posts, func(q *post) bool { return q.ID == p.ID && q.labels[label] != "" })
}

// Command is a command of the platform.
func (w *World) Command(who string, at Place, name, args string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ev := w.event(platform.EventCommand, who, at)
	ev.Command, ev.Args, ev.Reply.Interaction = name, args, "token"
	w.send(ev)
}

// Rename gives a conversation a title.
func (w *World) Rename(who string, at Place, title string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.titles[at.Thread] = title
	w.send(w.event(platform.EventTitle, who, at))
}

// Suggest asks the running adapter's handler.
func (w *World) Suggest(ctx context.Context, who string, at Place, command, option, prefix string) ([]platform.Choice, error) {
	w.mu.Lock()
	h := w.handler
	w.mu.Unlock()
	if h.Suggest == nil {
		return nil, errors.New("no adapter runs")
	}
	return h.Suggest(ctx, platform.Suggestion{Key: w.Key(at), Author: author(who), Command: command, Option: option, Prefix: prefix})
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
		if p.key == w.Key(at) && (p.OnlyTo == "" || p.OnlyTo == "U-"+who) {
			seen = append(seen, p.Post)
		}
	}
	return seen
}

// Uploaded is what a file of ours holds, nil if there is none with this name.
func (w *World) Uploaded(name string) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files["upload:"+name]
}

// Statuses are what was shown as progress.
func (w *World) Statuses() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.statuses)
}

// Traces are statuses and posts.
func (w *World) Traces() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := slices.Clone(w.statuses)
	for _, p := range w.posts {
		all = append(all, p.Text)
	}
	return all
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

// Breaks reports whether something is still to go wrong.
func (w *World) Breaks(f Fault) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.faults, f)
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
func (w *World) Platform() platform.Platform { return &adapter{w} }

// New is an open function for Run over a fresh World.
func New(*testing.T) Harness { return NewWorld() }
