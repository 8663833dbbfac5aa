package fakediscord

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// Harness is a Server as a world of the conformance suite: one guild, whose channels and
// people are made when they are first named. An adapter that did something Discord
// punishes fails the test.
type Harness struct {
	*Server
	// Open makes an adapter to the server.
	Open func(*Server) platform.Platform

	t     testing.TB
	guild string

	mu       sync.Mutex
	opened   bool
	channels map[string]string // by name
	people   map[string]string // by name
	asks     []ask             // by age
	prefix   map[string]string // message → mention it opens with
	buttons  map[string]button // post and label
	parts    map[string][]string
	awaited  map[string]int             // what the adapter must deliver, how often
	received map[string]map[string]bool // what it delivered, by event id
	replayed int                        // dispatches delivered again that were not seen to be read
}

var (
	_ platformtest.Harness = (*Harness)(nil)
	_ platformtest.Joiner  = (*Harness)(nil)
	_ platformtest.Filer   = (*Harness)(nil)
	_ platformtest.Warden  = (*Harness)(nil)
	_ platformtest.Watched = (*Harness)(nil)
	_ platformtest.Chooser = (*Harness)(nil)
)

// ask is something a person wanted of us.
type ask struct {
	id   string // of the message or interaction
	user string
	at   platformtest.Place
}

// patience bounds every wait for the adapter.
const patience = 10 * time.Minute

// NewHarness starts a server without limits of rate, which ends with the test. It takes
// answers to interactions that an adapter sends in time and a busy machine delivers late.
func NewHarness(t testing.TB, open func(*Server) platform.Platform) *Harness {
	s := New(Options{Token: "MTk4NjIyNDgz.Cl2FMQ.harness", Rate: Rate{1000, time.Second}, Global: Rate{100000, time.Second},
		RespondWithin: patience})
	h := &Harness{Server: s, Open: open, t: t, channels: make(map[string]string), people: make(map[string]string),
		prefix: make(map[string]string), buttons: make(map[string]button), parts: make(map[string][]string),
		awaited: make(map[string]int), received: make(map[string]map[string]bool)}
	h.guild = s.AddGuild("Workshop")
	t.Cleanup(func() {
		s.Close()
		for _, v := range s.Violations() {
			t.Errorf("Discord would not have it: %s", v)
		}
	})
	return h
}

// Features are all but guests and connected workspaces, which Discord has not.
func (h *Harness) Features() platformtest.Features {
	return platformtest.Features{People: true, Threads: true, Changes: true, Files: true, Ephemeral: true, Clicks: true, Suggests: true,
		Asks: true, Choices: true, Backfill: true, Redeliver: true, Faults: true, Restarts: true, Joins: true, Tops: true, Roles: true, Moderated: true, Pages: true,
		Links: true, FileEvent: true, Titles: true, Closes: true, Flat: true, Pastes: true}
}

// Traces are the requests that people may see something of.
func (h *Harness) Traces() []string {
	var all []string
	for _, r := range h.Requests() {
		if r.Method != "GET" {
			all = append(all, r.Route)
		}
	}
	return all
}

// Platform is a new adapter. What is left of an older one is gone, and time has passed.
func (h *Harness) Platform() platform.Platform {
	h.Server.mu.Lock()
	for c := range h.Server.conns {
		c.cut()
		c.session = nil
	}
	clear(h.Server.sessions)
	h.Server.mu.Unlock()
	h.ForgetIdentify()
	h.mu.Lock()
	h.opened = true
	h.mu.Unlock()
	return watched{h.Open(h.Server).(adapter), h}
}

// adapter is what the suite may want of the platform under test.
type adapter interface {
	platform.Platform
	platform.Completer
	platform.Poster
	platform.Titler
	platform.Membership
	platform.ChannelLister
}

// watched is an adapter whose deliveries are counted.
type watched struct {
	adapter
	h *Harness
}

func (w watched) Run(ctx context.Context, handler platform.Handler, commands []platform.Command) error {
	receive := handler.Receive
	handler.Receive = func(ctx context.Context, ev platform.Event) error {
		err := receive(ctx, ev)
		if err == nil {
			w.h.took(ev)
		}
		return err
	}
	return w.adapter.Run(ctx, handler, commands)
}

// Title is what a thread is called.
func (h *Harness) Title(at platformtest.Place) string {
	c, _ := h.Channel(at.Thread)
	return c.Name
}

func (h *Harness) took(ev platform.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := string(ev.Kind)
	switch ev.Kind {
	case platform.EventMessage, platform.EventEdit, platform.EventDelete, platform.EventFile:
		k += ev.Message
	}
	id := ev.ID
	if ev.Kind == platform.EventAudience { // which may come twice
		k += ev.Key.Channel
		id += fmt.Sprint(len(h.received[k]))
	}
	if h.received[k] == nil {
		h.received[k] = make(map[string]bool)
	}
	h.received[k][id] = true
}

func (h *Harness) expect(kind platform.EventKind, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.awaited[string(kind)+id]++
}

func (h *Harness) wants(id, user string, at platformtest.Place) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asks = append(h.asks, ask{id, user, at})
}

// Pending is how much of what happened the adapter has not delivered.
func (h *Harness) Pending() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for k, want := range h.awaited {
		n += max(0, want-len(h.received[k]))
	}
	h.Server.mu.Lock()
	defer h.Server.mu.Unlock()
	for _, s := range h.Server.sessions {
		if s.conn != nil {
			n += max(0, h.replayed-s.acked)
		}
	}
	return n
}

// connected waits for the adapter, if there is one.
func (h *Harness) connected(commands bool) {
	h.t.Helper()
	h.mu.Lock()
	opened := h.opened
	h.mu.Unlock()
	if !opened {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := h.await(ctx, func() bool {
		return h.Server.connected() > 0 && (!commands || len(h.Server.commands) > 0)
	})
	if err != nil {
		h.t.Fatal("the adapter did not connect, or registered no commands")
	}
}

func (h *Harness) person(name string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	id, ok := h.people[name]
	if !ok {
		id = h.AddUser(name).ID
		h.people[name] = id
		h.AddMember(h.guild, id)
		if name == platformtest.Admin {
			h.AddRole(h.guild, "Admins", Administrator, id)
		}
	}
	return id
}

func (h *Harness) channel(at platformtest.Place, who string) string {
	user := h.person(who)
	if at.DM {
		return h.DM(user)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	id, ok := h.channels[at.Channel]
	if !ok {
		id = h.AddChannel(h.guild, Channel{Name: at.Channel})
		h.channels[at.Channel] = id
	}
	return id
}

// RoomID is the id of a place's channel, without its thread; a DM is that of the person.
func (h *Harness) RoomID(at platformtest.Place, who string) string { return h.channel(at, who) }

// PersonID is the id of somebody by their name.
func (h *Harness) PersonID(name string) string { return h.person(name) }

// Guild is the id of the guild.
func (h *Harness) Guild() string { return h.guild }

// place is where somebody writes. They open the thread themselves if nobody did.
func (h *Harness) place(at platformtest.Place, who string, unseen bool) string {
	c := h.channel(at, who)
	if at.DM || at.Thread == "" {
		return c
	}
	return h.OpenThread(h.person(who), c, at.Thread, "A thread of "+who, unseen)
}

// holder is the channel a message is in: the one a thread began on is in the channel.
func (h *Harness) holder(at platformtest.Place, id string) string {
	if at.Thread != "" && at.Thread != id {
		return at.Thread
	}
	return h.channel(at, "Ada")
}

// Say is somebody saying something. Whatever is said at the top may get a thread.
func (h *Harness) Say(d platformtest.Said) (string, platformtest.Place) {
	h.t.Helper()
	if !d.Unseen {
		h.connected(false)
	}
	said := Said{User: h.person(d.Who), Channel: h.place(d.At, d.Who, d.Unseen), ReplyTo: d.Answers, Unseen: d.Unseen, Webhook: d.Program}
	prefix := ""
	switch {
	case d.ToOther:
		prefix = "<@" + h.person("Cleo") + "> "
	case d.Mention && !d.At.DM:
		prefix = "<@" + h.Bot().ID + "> "
	}
	said.Text = strings.TrimSpace(prefix + d.Text)
	for _, f := range d.Files {
		said.Files = append(said.Files, File{Name: f.Name, Data: f.Data})
	}
	m := h.Server.Say(said)
	h.mu.Lock()
	h.prefix[m.ID] = prefix
	h.mu.Unlock()
	at := d.At
	if at.Thread == "" && !at.DM {
		at.Thread = m.ID
	}
	if !d.Unseen {
		h.expect(platform.EventMessage, m.ID)
		h.wants(m.ID, said.User, at)
	}
	return m.ID, at
}

// Edit changes what was said, but not whom it mentions.
func (h *Harness) Edit(at platformtest.Place, id, text string) {
	h.connected(false)
	h.mu.Lock()
	prefix := h.prefix[id]
	h.mu.Unlock()
	h.expect(platform.EventEdit, id)
	h.Server.Edit(h.holder(at, id), id, prefix+text)
}

// CallIn edits what was said so that it mentions us.
func (h *Harness) CallIn(at platformtest.Place, id, text string) {
	h.mu.Lock()
	h.prefix[id] = "<@" + h.Bot().ID + "> "
	h.mu.Unlock()
	h.Edit(at, id, text)
}

// Delete takes back what was said, or a post of ours with all its messages.
func (h *Harness) Delete(at platformtest.Place, id string) {
	h.connected(false)
	h.mu.Lock()
	ids := h.parts[id]
	h.mu.Unlock()
	if len(ids) == 0 {
		ids = []string{id}
	}
	for _, id := range ids {
		h.expect(platform.EventDelete, id)
		h.Server.Delete(h.holder(at, id), id)
	}
}

// DeleteFile takes a file out of a message.
func (h *Harness) DeleteFile(at platformtest.Place, id, name string) {
	h.connected(false)
	if file := h.Withdraw(h.holder(at, id), id, name); file != "" {
		h.expect(platform.EventFile, file)
	}
}

// Restrict hides a channel from all but administrators, Ada and us, or shows it again. While
// no adapter is connected nobody is told.
func (h *Harness) Restrict(at platformtest.Place, private, unseen bool) {
	id := h.channel(at, "Ada")
	if !unseen {
		h.connected(false)
		h.expect(platform.EventAudience, id)
	}
	var o []Overwrite
	if view := strconv.FormatUint(ViewChannel, 10); private {
		o = []Overwrite{{ID: h.guild, Deny: view}, {ID: h.Bot().ID, Type: 1, Allow: view}, {ID: h.person("Ada"), Type: 1, Allow: view}}
	}
	h.SetOverwrites(id, o...)
}

// Join brings us into a new guild, whose first channel has the name of the place.
func (h *Harness) Join(at platformtest.Place) {
	h.connected(false)
	h.expect(platform.EventJoin, "")
	channel := h.Invite("Second workshop", at.Channel, h.person("Ada"))
	h.mu.Lock()
	h.channels[at.Channel] = channel
	h.mu.Unlock()
}

// Redeliver sends every message, change and interaction of this session again.
func (h *Harness) Redeliver() {
	h.connected(false)
	seq := h.Repeat()
	h.mu.Lock()
	h.replayed = seq
	h.mu.Unlock()
	h.AskHeartbeat()
}

// Hear waits until the adapter has handled all that was sent to it, also what it delivers no event of.
func (h *Harness) Hear() {
	h.t.Helper()
	h.Server.mu.Lock()
	sent := make(map[*session]int)
	for _, n := range h.Server.sessions {
		if n.conn != nil {
			sent[n] = n.seq
		}
	}
	h.Server.mu.Unlock()
	for pause := 20 * time.Millisecond; ; pause *= 2 {
		h.AskHeartbeat() // it may be answered before all was handled
		time.Sleep(pause)
		behind := false
		h.Server.mu.Lock()
		for n, seq := range sent {
			behind = behind || n.conn != nil && n.acked < seq
		}
		h.Server.mu.Unlock()
		if !behind {
			return
		}
		if pause > patience {
			h.t.Fatal("the adapter did not handle what was sent to it")
		}
	}
}
