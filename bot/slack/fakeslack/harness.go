package fakeslack

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/platformtest"
)

// Harness is a Server as package platformtest sees it: people by their names and
// channels by theirs. Ada and Bob are there from the start, and the bot with them in
// every channel.
type Harness struct {
	*Server
	Open func(*Server) platform.Platform // a new adapter to the server
	t    testing.TB

	people map[string]string // ids by name
	rooms  map[string]string // ids by name
}

var (
	_ platformtest.Harness = (*Harness)(nil)
	_ platformtest.Joiner  = (*Harness)(nil)
	_ platformtest.Filer   = (*Harness)(nil)
	_ platformtest.Warden  = (*Harness)(nil)
	_ platformtest.Sharer  = (*Harness)(nil)
	_ platformtest.Chooser = (*Harness)(nil)
	_ platformtest.Watched = (*Harness)(nil)
)

// NewHarness is a Server with Ada and Bob, closed when the test ends, which fails for
// every violation. Deliveries are retried without a pause, so that a restart does not
// wait.
func NewHarness(t testing.TB, o Options, open func(*Server) platform.Platform) *Harness {
	if o.RetryWaits == nil {
		o.RetryWaits = make([]time.Duration, 200)
	}
	o.AckWait, o.TriggerLife = or(o.AckWait, 20*time.Second), or(o.TriggerLife, patience)
	h := &Harness{Server: New(o), Open: open, t: t, people: map[string]string{}, rooms: map[string]string{}}
	t.Cleanup(func() {
		h.Close()
		for _, v := range h.Violations() {
			t.Error("Slack would refuse:", v)
		}
	})
	h.Person("Ada")
	h.Person("Bob")
	return h
}

// Person is the id of somebody by their name, who joins every channel.
func (h *Harness) Person(name string) string {
	if h.people[name] == "" {
		h.people[name] = h.AddUser(User{Name: name, Admin: name == platformtest.Admin, Restricted: name == platformtest.Guest}).ID
		for _, id := range h.rooms {
			h.admit(id, h.people[name])
		}
	}
	return h.people[name]
}

func (h *Harness) admit(room, user string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.channels[room].Members = append(h.channels[room].Members, user)
}

// Room is the id of a place's channel; a DM is that of the person.
func (h *Harness) Room(at platformtest.Place, who string) string {
	if at.DM {
		return h.DM(h.Person(who))
	}
	if h.rooms[at.Channel] == "" {
		members := []string{BotUser}
		for _, id := range h.people {
			members = append(members, id)
		}
		h.rooms[at.Channel] = h.AddChannel(Channel{Name: at.Channel, Members: members, ExtShared: at.External}).ID
	}
	return h.rooms[at.Channel]
}

// Furnish makes a place's channel what it is to be, before it is first named.
func (h *Harness) Furnish(name string, c Channel) {
	c.Name = name
	h.rooms[name] = h.AddChannel(c).ID
}

// Platform is a new adapter.
func (h *Harness) Platform() platform.Platform { return h.Open(h.Server) }

// Features are Slack's: it completes no arguments of commands. A paste is shown where a direct message is answered beside it.
func (h *Harness) Features() platformtest.Features {
	return platformtest.Features{People: true, Threads: true, Changes: true, Files: true, Ephemeral: true, Clicks: true,
		Asks: true, Backfill: true, Redeliver: true, Faults: true, Restarts: true, Joins: true, Tops: true, Roles: true, Guests: true, External: true,
		Moderated: true, Replaces: true, Pages: true, Links: true, FileEvent: true, Closes: true, Pastes: !h.o.AgentView}
}

// Traces are the requests that people may see something of.
func (h *Harness) Traces() []string {
	var all []string
	for _, r := range h.Requests() {
		for _, seen := range []string{"chat.", "assistant.", "agents.", "files.", "views."} {
			if strings.HasPrefix(r.Method, seen) {
				all = append(all, r.Method)
			}
		}
	}
	return all
}

// Say posts as a person would; at the top of a channel an answer is expected in the
// thread of the message.
func (h *Harness) Say(s platformtest.Said) (string, platformtest.Place) {
	h.breathe()
	text := escape(s.Text)
	if s.Mention && !s.At.DM {
		text = strings.TrimSpace("<@" + BotUser + "> " + text)
	}
	if s.ToOther {
		other := "Bob"
		if s.Who == other {
			other = "Ada"
		}
		text = "<@" + h.Person(other) + "> " + text
	}
	v := Said{User: h.Person(s.Who), Channel: h.Room(s.At, s.Who), Thread: s.At.Thread, Text: text, Silent: s.Unseen}
	if s.Program {
		v.Webhook = s.Who
	}
	for _, f := range s.Files {
		v.Files = append(v.Files, NewFile{Name: f.Name, Data: f.Data, Snippet: f.Name == kit.Pasted})
	}
	ts, at := h.Server.Say(v), s.At
	if at.Thread == "" && !at.DM {
		at.Thread = ts
	}
	return ts, at
}

// Edit changes a message.
func (h *Harness) Edit(at platformtest.Place, id, text string) {
	h.breathe()
	room := h.Room(at, "Ada")
	text = escape(text)
	if m, ok := h.Message(room, id); ok && mentioned(m.Text) {
		text = "<@" + BotUser + "> " + text
	}
	h.Server.Edit(room, id, text)
}

// CallIn changes a message so that it mentions us.
func (h *Harness) CallIn(at platformtest.Place, id, text string) {
	h.breathe()
	h.Server.Edit(h.Room(at, "Ada"), id, "<@"+BotUser+"> "+escape(text))
}

// Delete takes a message back.
func (h *Harness) Delete(at platformtest.Place, id string) {
	h.breathe()
	h.Server.Delete(h.Room(at, "Ada"), id)
}

// patience bounds how long what was done before may take to arrive.
const patience = 10 * time.Minute

// breathe lets what was done before arrive: nobody types faster than Slack delivers,
// and of two sockets one may be ahead of the other.
func (h *Harness) breathe() {
	for end := time.Now().Add(patience); h.Pending() > 0 && h.reached() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

func (h *Harness) reached() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.conns) > 0 || h.target.URL != "" && !h.deserted
}

// Click presses a button.
func (h *Harness) Click(who string, at platformtest.Place, p platformtest.Post, label string) {
	h.t.Helper()
	h.breathe()
	if err := h.Server.Click(h.Person(who), h.Room(at, who), p.ID, label); err != nil {
		h.t.Error(err)
	}
}

// Command gives a command: by slash, and in a thread, where Slack has none, by
// mentioning us.
func (h *Harness) Command(who string, at platformtest.Place, name, args string) {
	line := strings.TrimSpace(name + " " + args)
	if at.Thread != "" {
		h.Say(platformtest.Said{Who: who, At: at, Text: line, Mention: !at.DM})
		return
	}
	h.breathe()
	command, rest, _ := strings.Cut(line, " ")
	h.Slash(h.Person(who), h.Room(at, who), "/"+command, rest)
}

// menu are the callback ids of the entries of a message's menu.
var menu = map[string]string{"Ask about this message": "ask_message", "Check this": "check_message", "Memory of this thread": "thread_memory"}

// Choose picks an entry of a message's menu.
func (h *Harness) Choose(who string, at platformtest.Place, id, entry, question string) {
	h.breathe()
	user := h.Person(who)
	h.Shortcut(user, h.Room(at, who), id, menu[entry])
	if question == "" {
		return
	}
	if !platformtest.Await(func() bool { return len(h.Modals(user)) > 0 }) {
		h.t.Fatal("no form was opened")
	}
	h.Submit(h.Modals(user)[0].ID, map[string]map[string]any{"text": {"text": map[string]any{"type": "plain_text_input", "value": question}}})
}

// Suggest is nothing that Slack has.
func (h *Harness) Suggest(context.Context, string, platformtest.Place, string, string, string) ([]platform.Choice, error) {
	return nil, errors.New("fakeslack: Slack completes no arguments of commands")
}

// Join adds us to a channel, which we leave first if we are in it.
func (h *Harness) Join(at platformtest.Place) {
	room := h.Room(at, "Ada")
	h.mu.Lock()
	ch := h.channels[room]
	ch.Members = slices.DeleteFunc(ch.Members, func(u string) bool { return u == BotUser })
	h.mu.Unlock()
	h.Server.Join(BotUser, room, h.Person("Ada"))
}

// Restrict makes a channel private, or public again.
func (h *Harness) Restrict(at platformtest.Place, private, unseen bool) {
	h.breathe()
	to := Public
	if private {
		to = Private
	}
	room := h.Room(at, "Ada")
	if unseen {
		h.Change(room, func(c *Channel) { c.Kind = to })
		return
	}
	h.Convert(h.Person("Ada"), room, to)
}

// Share shares a channel with another workspace, or ends that.
func (h *Harness) Share(at platformtest.Place, shared bool) {
	h.breathe()
	h.Server.Share(h.Room(at, "Ada"), shared)
}

// ChangeID gives a place's channel another id.
func (h *Harness) ChangeID(at platformtest.Place, to string, told bool) {
	h.breathe()
	h.Server.ChangeID(h.rooms[at.Channel], to, told)
	h.rooms[at.Channel] = to
}

// Posts are ours as somebody sees them in a place. What went to their direct messages
// is seen there, at Place{DM: true}.
func (h *Harness) Posts(at platformtest.Place, who string) []platformtest.Post {
	var posts []platformtest.Post
	for _, v := range h.Shown(h.Room(at, who), at.Thread, h.Person(who)) {
		if v.TS == at.Thread {
			continue // a post of ours that the thread began on belongs to the channel
		}
		p := platformtest.Post{ID: v.TS, Text: v.Text, File: v.File, Data: v.Data, OnlyTo: v.OnlyTo, Mentions: v.Notifies}
		for _, small := range v.Context {
			for _, m := range address.FindAllStringSubmatch(small, -1) {
				p.Links = append(p.Links, unescape(m[1]))
			}
		}
		for _, b := range v.Buttons {
			if option(b) {
				p.Options = append(p.Options, b.Label)
			} else {
				p.Buttons = append(p.Buttons, b.Label)
			}
		}
		posts = append(posts, p)
	}
	return posts
}

var address = regexp.MustCompile(`<(https?://[^|>]+)[|>]`)

// answersTo reports whether a button is the one that somebody means by a label: its own,
// or platformtest.Page for a button that package bot marks as such.
func (e element) answersTo(label string) bool {
	n, paged := strings.CutPrefix(label, "page ")
	of := func(action string) bool {
		return strings.HasPrefix(action, "page:") && strings.HasSuffix(action, ":"+n)
	}
	return e.label == label || paged && (of(e.value) || of(e.action))
}

// DeleteFile deletes a file of a message.
func (h *Harness) DeleteFile(at platformtest.Place, id, name string) {
	h.t.Helper()
	m, _ := h.Message(h.Room(at, "Ada"), id)
	for _, f := range m.Files {
		if h.fileName(f) == name {
			h.Server.DeleteFile(f)
			return
		}
	}
	h.t.Errorf("fakeslack: message %s has no file %s", id, name)
}

func (h *Harness) fileName(id string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.files[id].name
}

// option reports whether a button answers a question: package bot marks those.
func option(b Button) bool {
	return strings.HasPrefix(b.Value, "q:") || strings.HasPrefix(b.Action, "q:")
}

// keeping are the requests whose result a client can look for when the answer is lost.
var keeping = []string{"chat.postMessage", "chat.startStream"}

// posted are the requests that show something new.
var posted = append([]string{"chat.postEphemeral", "response_url", "files.completeUploadExternal"}, keeping...)

// breaks are the faults of the suite as ours. No answer is lost to a post that nobody can look for afterwards, an ephemeral one.
var breaks = map[platformtest.Fault]Fault{
	platformtest.FailPost:  {Kind: Fail, Methods: posted},
	platformtest.LosePost:  {Kind: Lose, Methods: keeping},
	platformtest.FailEdit:  {Kind: Fail, Methods: []string{"chat.update"}},
	platformtest.LoseEdit:  {Kind: Lose, Methods: []string{"chat.update"}},
	platformtest.BarEdit:   {Kind: Refuse, Code: "edit_window_closed", Methods: []string{"chat.update"}},
	platformtest.LoseClose: {Kind: Lose, Methods: []string{"chat.stopStream"}},
	platformtest.FailOpen:  {Kind: Gone, Methods: []string{"download"}},
	platformtest.BusyOpen:  {Kind: Fail, Methods: []string{"download"}},
	platformtest.FailPast:  {Kind: Fail, Methods: []string{"conversations.replies", "conversations.history"}},
	platformtest.FailKinds: {Kind: Fail, Methods: []string{"users.conversations", "conversations.info"}, Times: 6},
}

// Break makes something go wrong with our next request.
func (h *Harness) Break(f platformtest.Fault) {
	fault, ok := breaks[f]
	switch {
	case f == platformtest.CutStream:
		h.ExpireNext()
	case !ok:
		h.t.Fatalf("fakeslack: no fault %q", f)
	default:
		h.Server.Break(fault)
	}
}
