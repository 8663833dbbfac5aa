package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tmc/langchaingo/chains"
	"pgregory.net/rapid"

	"threadkeeper/agent"
	"threadkeeper/bot/console"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/say"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// pick is one of some things, nil of none.
func pick[T any](t *rapid.T, what string, all []T) (one T) {
	if len(all) > 0 {
		one = rapid.SampledFrom(all).Draw(t, what)
	}
	return one
}

// somebody is who may write in a channel.
func (h *history) somebody(c *channel) string {
	return pick(h.T, "who", slices.Sorted(maps.Keys(c.members)))
}

// newCanary is a word for a message or document that belongs to some channels.
func (h *history) newCanary(holders ...string) *canary {
	return h.canary(fmt.Sprintf("zq%05d", 10000+len(h.canaries)*7), holders...)
}

// newNumber is a short number for a message, as long as there are any.
func (h *history) newNumber() *canary {
	if h.numbers++; h.numbers > 90 {
		return h.newCanary()
	}
	return h.canary(fmt.Sprintf("0%02d", 9+h.numbers))
}

func (h *history) canary(word string, holders ...string) *canary {
	c := &canary{word: word, holders: make(map[string]bool), posted: make(map[string]bool)}
	for _, name := range holders {
		c.holders[name] = true
	}
	h.canaries[c.word] = c
	return c
}

// speak has somebody write in a thread of a channel, or begin one.
func (h *history) speak(text string, files ...platformtest.File) string {
	c := pick(h.T, "channel", h.places)
	h.who, h.at = h.somebody(c), c.Place
	here := slices.DeleteFunc(slices.Clone(h.threads), func(at platformtest.Place) bool { return at.Channel != c.Channel })
	if len(here) > 0 && rapid.Bool().Draw(h.T, "in a thread") {
		h.at = pick(h.T, "thread", here)
	}
	c.guests = c.guests || h.who == platformtest.Guest
	id, at := h.v.Say(platformtest.Said{Who: h.who, At: h.at, Text: text, Mention: true, Files: files})
	h.at = at
	if !slices.Contains(h.threads, at) {
		h.threads = append(h.threads, at)
	}
	return id
}

func (h *history) say(t *rapid.T) {
	k := h.newNumber
	if rapid.IntRange(0, 3).Draw(t, "a word") > 0 {
		k = func() *canary { return h.newCanary() }
	}
	h.tell(k(), t)
}

// tell has somebody say a canary.
func (h *history) tell(k *canary, t *rapid.T) {
	text := "the code of the " + pick(t, "subject", subjects) + " is " + k.word
	id := h.speak(text)
	k.holders[h.at.Channel] = true
	h.said = append(h.said, &utterance{at: h.at, id: id, who: h.who, text: text, canary: k})
}

func (h *history) ask(t *rapid.T) {
	h.speak(pick(t, "question", []string{"what is the code of the ", "who told us the code of the ", "summarise what we know about the "}) + pick(t, "subject", subjects) + "?")
}

func (h *history) upload(t *rapid.T) {
	k := h.newCanary()
	name := "notes.txt"
	if rapid.Bool().Draw(t, "in the name") {
		name = k.word + ".txt"
	}
	subject := pick(t, "subject", subjects)
	id := h.speak("here is a file", platformtest.File{Name: name, Data: []byte("The code of the " + subject + " is " + k.word + ". It opens the " + subject + " at any time of the day.")})
	k.session, k.file = h.at, name
	k.holders[h.at.Channel] = name != "notes.txt" // the message tells of its file
	h.files = append(h.files, &utterance{at: h.at, id: id, who: h.who, canary: k})
}

func (h *history) share(t *rapid.T) {
	f := pick(t, "file", h.files)
	if f == nil || f.gone {
		t.Skip("no file")
	}
	h.who, h.at = "Ada", f.at
	if !h.of(f.at).members["Ada"] {
		t.Skip("not hers")
	}
	if !f.canary.holders[f.at.Channel] {
		f.canary.holders[f.at.Channel] = true // it may be refused, which tells less
	}
	name := "notes.txt"
	if f.canary.holders[f.at.Channel] {
		name = f.canary.word + ".txt"
	}
	h.v.Command("Ada", f.at, "docs share", name)
}

func (h *history) command(t *rapid.T) {
	c := pick(t, "channel", h.places)
	h.who, h.at = h.somebody(c), c.Place
	name := pick(t, "command", []string{"memory search", "memory search", "memory show", "memory export", "memory status", "docs list", "memory profile", "usage", "why", "help"})
	args := ""
	if name == "memory search" {
		args = "code of the " + pick(t, "subject", subjects)
	}
	here := slices.DeleteFunc(slices.Clone(h.threads), func(at platformtest.Place) bool { return at.Channel != c.Channel })
	if len(here) > 0 && rapid.Bool().Draw(t, "in a thread") {
		h.at = pick(t, "thread", here)
	}
	h.v.Command(h.who, h.at, name, args)
}

// hold is a message or file of somebody that was not erased.
func (h *history) hold(all []*utterance) *utterance {
	live := slices.DeleteFunc(slices.Clone(all), func(s *utterance) bool { return s.canary.erased || s.gone || s.at.DM && s.at.Channel != "ada" })
	return pick(h.T, "message", live)
}

func (h *history) edit(t *rapid.T) {
	if s := h.hold(h.said); s != nil {
		h.who, h.at = "Ada", s.at
		s.canary.erased = true
		text := "never mind"
		if rapid.Bool().Draw(t, "one word") {
			text = strings.Replace(s.text, s.canary.word, "secret", 1)
		}
		h.v.Edit(s.at, s.id, text)
	}
}

func (h *history) remove(t *rapid.T) {
	all := h.said
	if rapid.Bool().Draw(t, "a file") {
		all = h.files
	}
	if s := h.hold(all); s != nil {
		h.who, h.at = "Ada", s.at
		s.erase()
		if s.canary.file != "" && rapid.Bool().Draw(t, "alone") {
			h.v.DeleteFile(s.at, s.id, s.canary.file)
			return
		}
		h.v.Delete(s.at, s.id)
	}
}

// erase notes that everything that was made of an utterance is to go with it.
func (u *utterance) erase() {
	u.gone, u.canary.erased, u.canary.session = true, true, platformtest.Place{}
}

// forget has somebody forget what they said in a thread, and say yes.
func (h *history) forget(t *rapid.T) {
	at := pick(t, "thread", h.threads)
	if at.Channel == "" {
		t.Skip("no thread")
	}
	c := h.of(at)
	h.who, h.at = h.somebody(c), at
	before := len(h.v.Posts(at, h.who))
	h.v.Command(h.who, at, "memory forget", "")
	h.settle()
	h.check() // what is told until then may hold it
	posts := h.v.Posts(at, h.who)
	posts = slices.DeleteFunc(posts[min(before, len(posts)):], func(p platformtest.Post) bool { return len(p.Buttons) == 0 || p.Buttons[0] != say.In("en").Erase })
	if len(posts) == 0 {
		return
	}
	for _, u := range slices.Concat(h.said, h.files, h.notes) {
		if u.at == at && u.who == h.who {
			u.erase()
		}
	}
	h.v.Click(h.who, at, posts[len(posts)-1], posts[len(posts)-1].Buttons[0])
}

// quote has somebody ask about a message of another person, which stands in theirs then as platforms have it.
func (h *history) quote(t *rapid.T) {
	live := slices.DeleteFunc(slices.Clone(h.said), func(u *utterance) bool { return u.canary.erased || u.gone || u.at.DM })
	u := pick(t, "message", live)
	if u == nil {
		t.Skip("nothing to quote")
	}
	h.who, h.at = h.somebody(h.of(u.at)), u.at
	if h.who == "" {
		t.Skip("nobody is there")
	}
	h.v.Say(platformtest.Said{Who: h.who, At: h.at, Text: "> " + u.who + ": " + u.text + "\n\nis that right?", Mention: true})
}

// murmur has somebody say something that is not said to us, and somebody else answer it with a question to us.
func (h *history) murmur(t *rapid.T) {
	c := pick(t, "channel", slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.DM }))
	k := h.newCanary(c.Channel)
	u := &utterance{at: c.Place, who: h.somebody(c), text: "the code of the " + pick(t, "subject", subjects) + " is " + k.word, canary: k}
	c.guests = c.guests || u.who == platformtest.Guest
	u.id, _ = h.v.Say(platformtest.Said{Who: u.who, At: c.Place, Text: u.text})
	h.said = append(h.said, u)
	h.settle()
	h.who = h.somebody(c)
	c.guests = c.guests || h.who == platformtest.Guest
	_, h.at = h.v.Say(platformtest.Said{Who: h.who, At: c.Place, Text: "is that right?", Mention: true, Answers: u.id})
	h.threads = append(h.threads, h.at)
}

// catchUp has somebody ask for what they missed, or have a post checked.
func (h *history) catchUp(t *rapid.T) {
	h.speak(pick(t, "request", []string{"what did I miss?", "summarise #general this week", "what happened in #board today?", "what was decided in #lounge this week?", "check this"}))
}

// fork goes on from a thread in another one.
func (h *history) fork(t *rapid.T) {
	at := pick(t, "thread", slices.DeleteFunc(slices.Clone(h.threads), func(at platformtest.Place) bool { return at.DM }))
	if at.Channel == "" {
		t.Skip("no thread")
	}
	c := h.of(at)
	h.who, h.at = h.somebody(c), at
	h.v.Command(h.who, at, "memory fork", "")
	h.settle()
	for _, p := range h.v.Posts(c.Place, h.who) {
		fork := c.Place
		if fork.Thread = p.ID; strings.Contains(p.Text, "A fork of") && !slices.Contains(h.threads, fork) {
			h.threads, h.parents[fork] = append(h.threads, fork), at
		}
	}
}

// remember has us remember something in a thread.
func (h *history) remember(t *rapid.T) {
	at := pick(t, "thread", h.threads)
	if at.Channel == "" {
		t.Skip("no thread")
	}
	h.who, h.at = h.somebody(h.of(at)), at
	k := h.newCanary(at.Channel)
	h.notes = append(h.notes, &utterance{at: at, who: h.who, canary: k})
	h.v.Command(h.who, at, "memory remember", pick(t, "words", []string{"We decided on ", "I prefer "})+k.word+" for the "+pick(t, "subject", subjects)+".")
}

// settings has an administrator change how we work in a channel.
func (h *history) settings(t *rapid.T) {
	c := pick(t, "channel", slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.private || c.DM }))
	if c == nil {
		t.Skip("no open channel")
	}
	h.who, h.at = platformtest.Admin, c.Place
	set := pick(t, "setting", []string{"carryover off", "carryover on", "threshold 700", "instructions Be brief.", "follow always", "follow thread"})
	name, value, _ := strings.Cut(set, " ")
	h.v.Command(h.who, h.at, "settings "+name, value)
}

// report looks at what the owner is told in the weekly report.
func (h *history) report(t *rapid.T) {
	told, _, err := reportText(context.Background(), h.parts.store, 7, memory.ReportOf{Limit: 100}, say.In("en"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range h.in(told) {
		c := h.canaries[word]
		if c.erased || c.lost || !slices.ContainsFunc(h.places, func(p *channel) bool {
			return !p.private && !p.DM && !p.outside() && !p.away && (c.holders[p.Channel] || c.posted[p.Channel] || c.session.Channel == p.Channel)
		}) {
			t.Fatalf("the report holds %s, of %+v:\n%s", word, c, told)
		}
	}
}

// suggest looks at what is offered to somebody who begins to type the name of a document.
func (h *history) suggest(t *rapid.T) {
	c := pick(t, "channel", h.places)
	h.who, h.at = h.somebody(c), c.Place
	choices, err := h.v.Suggest(context.Background(), h.who, h.at, "docs use", "document", "")
	if err != nil {
		t.Skip(err)
	}
	for _, word := range h.in(fmt.Sprint(choices)) {
		if !h.mayTell(h.canaries[word], h.at, h.who) {
			t.Fatalf("%s at %+v is offered %s, of %+v", h.who, h.at, word, h.canaries[word])
		}
	}
}

func (h *history) convert(t *rapid.T) {
	c := pick(t, "channel", slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.DM || c.outside() || c.guests }))
	if c == nil {
		return
	}
	h.at = c.Place
	c.private = !c.private
	h.v.convert(c, c.private)
	h.follows(c)
}

// move moves a channel that nobody from outside was ever in.
func (h *history) move(t *rapid.T) {
	c := pick(t, "channel", slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.DM || c.External || c.guests }))
	if c == nil {
		return
	}
	h.at = c.Place
	h.v.move(c)
	h.follows(c)
}

// pictured answers as if every document had pages that can be drawn.
type pictured struct{ chains.Chain }

func (p pictured) Call(ctx context.Context, in map[string]any, options ...chains.ChainCallOption) (map[string]any, error) {
	out, err := p.Chain.Call(ctx, in, options...)
	if reply, is := out[agent.OutputReply].(*agent.Reply); is {
		for i := range reply.Citations {
			reply.Citations[i].Place = ""
		}
	}
	return out, err
}

// draw draws a page: a picture is nothing to read, so what is on it is noted.
func (h *history) draw(_ context.Context, c docs.Citation, _ int) (image.Image, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drawn = append(h.drawn, h.in(c.Quote)...)
	return image.NewGray(image.Rect(0, 0, 8, 8)), nil
}

// page has somebody look at the page behind an answer.
func (h *history) page(t *rapid.T) {
	cited := make(map[platformtest.Place][]platformtest.Post)
	var threads []platformtest.Place
	for _, at := range h.threads {
		for _, p := range h.v.Posts(at, slices.Sorted(maps.Keys(h.of(at).members))[0]) {
			if citing.MatchString(p.Text) && p.OnlyTo == "" { // what one person sees nobody else can click
				cited[at] = append(cited[at], p)
			}
		}
		if len(cited[at]) > 0 {
			threads = append(threads, at)
		}
	}
	if len(threads) == 0 {
		t.Skip("nothing is cited")
	}
	at := pick(t, "thread", threads)
	h.who, h.at = h.somebody(h.of(at)), at
	h.mu.Lock()
	h.drawn = nil // what a restart had drawn again since
	h.mu.Unlock()
	h.v.Click(h.who, at, pick(t, "answer", cited[at]), platformtest.Page(1))
	h.settle()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, word := range h.drawn {
		if k := h.canaries[word]; !h.mayTell(k, h.at, h.who) {
			h.Fatalf("%s at %+v is shown a page with %s, of %+v", h.who, h.at, word, k)
		}
	}
	h.pages += len(h.drawn)
	h.drawn = nil
}

// press has somebody press any button that a post of ours has or had, whoever it was meant for. Who has left the channel is told
// nothing of it then.
func (h *history) press(t *rapid.T) {
	at := pick(t, "thread", h.threads)
	if at.Channel == "" {
		t.Skip("no thread")
	}
	c := h.of(at)
	h.who, h.at = h.somebody(c), at
	left := c.private && !c.DM && !c.members["Bob"] && h.v.clicks() && rapid.Bool().Draw(t, "who has left")
	if left {
		h.who = "Bob"
	}
	posts := h.v.Posts(at, h.who)
	before := len(posts)
	for _, p := range posts {
		for _, label := range p.Buttons {
			if label != say.In("en").Erase && !slices.Contains(h.buttons[p.ID], label) { // see forget
				h.buttons[p.ID] = append(h.buttons[p.ID], label)
			}
		}
	}
	posts = slices.DeleteFunc(posts, func(p platformtest.Post) bool { return len(h.buttons[p.ID]) == 0 })
	if len(posts) == 0 {
		t.Skip("no button")
	}
	p := pick(t, "post", posts)
	h.v.Click(h.who, at, p, pick(t, "button", h.buttons[p.ID]))
	h.settle()
	for _, p := range h.v.Posts(at, h.who)[before:] {
		for _, word := range h.in(fmt.Sprint(p)) {
			if left && p.OnlyTo != "" && !h.mayShow(h.canaries[word], h.who) {
				t.Fatalf("%s has left %s and is told %+v, of %+v", h.who, c, p, h.canaries[word])
			}
		}
	}
}

// citing is how an answer with a citation ends.
var citing = regexp.MustCompile(`^The code of the \w+ is zq\d{5}`)

// follows waits until the program knows what a channel is now, if it runs and knows the channel.
func (h *history) follows(c *channel) {
	want := memory.Public
	if c.private {
		want = memory.Private
	}
	for end := time.Now().Add(patience); h.running; time.Sleep(time.Millisecond) {
		known, err := h.parts.store.ChannelByKey(context.Background(), h.v.key(c))
		if errors.Is(err, memory.ErrNotFound) || err == nil && known.Kind == want && known.External == c.outside() && !known.Unchecked {
			h.compared(c)
			return
		}
		if err != nil || time.Now().After(end) {
			h.Fatalf("%s is %v, and stored as %+v, %v", c, want, known, err)
		}
	}
}

func (h *history) leave(t *rapid.T) {
	c := pick(t, "channel", h.places)
	if !c.private || c.DM || !c.members["Bob"] {
		t.Skip("nobody to leave")
	}
	h.at = c.Place
	delete(c.members, "Bob")
	h.v.leave(c, "Bob")
}

// away has us be out of a channel for a while, in which a message there may be deleted, and somebody elsewhere
// looks for what was said.
func (h *history) away(t *rapid.T) {
	c := pick(t, "channel", slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.DM }))
	out := h.v.away(t, c)
	for _, o := range out {
		o.away = true
	}
	h.settle()
	at := pick(t, "elsewhere", slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.away }))
	h.who, h.at = h.somebody(at), at.Place
	h.v.Command(h.who, h.at, "memory search", "code of the "+pick(t, "subject", subjects))
	h.settle()
	h.check()
	if len(out) > 0 {
		h.takeBack(t, c)
	}
	h.who, h.at = "", c.Place
	epochs := make(map[*channel]int64)
	for _, o := range out {
		if known, err := h.parts.store.ChannelByKey(context.Background(), h.v.key(o)); err == nil {
			epochs[o] = known.Epoch
		}
	}
	h.v.back(c)
	for _, o := range out {
		o.away = false
		h.await(o, "is not doubted", func() bool {
			known, err := h.parts.store.ChannelByKey(context.Background(), h.v.key(o))
			epoch, held := epochs[o]
			return !held || err == nil && known.Epoch > epoch
		})
		h.follows(o)
	}
}

// compared waits until all that is stored may be used again: how soon that is would decide what the next steps draw.
func (h *history) compared(c *channel) {
	h.await(c, "is not compared", func() bool {
		stale, err := h.parts.store.Stale(context.Background(), h.v.key(c).Platform)
		return err == nil && len(stale) == 0
	})
}

// takeBack deletes a message of a channel that we do not hear of.
func (h *history) takeBack(t *rapid.T, c *channel) {
	there := slices.DeleteFunc(slices.Clone(h.said), func(u *utterance) bool { return u.gone || u.at.Channel != c.Channel })
	if u := pick(t, "deleted", there); u != nil {
		u.gone, u.canary.lost = true, true
		h.v.erase(u)
	}
}

// await waits until the program has done something about a channel.
func (h *history) await(c *channel, not string, done func() bool) {
	h.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			h.Fatalf("%s %s", c, not)
		}
	}
}

// drop deletes a channel, with all that was said there.
func (h *history) drop(t *rapid.T) {
	all := slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.DM })
	if len(all) < 4 {
		t.Skip("few are left")
	}
	c := pick(t, "channel", all)
	h.at = c.Place
	is := func(at platformtest.Place) bool { return at.Channel == c.Channel }
	for _, u := range slices.Concat(h.said, h.files, h.notes) {
		if is(u.at) {
			u.erase()
		}
	}
	h.threads = slices.DeleteFunc(h.threads, is)
	h.places = slices.DeleteFunc(h.places, func(p *channel) bool { return p == c })
	h.dropped = append(h.dropped, c)
	h.v.drop(c)
	h.await(c, "is kept", func() bool {
		kept, err := h.parts.store.CountPlace(context.Background(), h.v.key(c))
		return err == nil && kept.Messages == 0
	})
}

func (h *history) home(t *rapid.T) {
	h.who = pick(t, "who", []string{"Ada", "Bob", platformtest.Guest})
	h.v.home(h.who)
}

// guest has a guest come to a channel, who reads along from then on.
func (h *history) guest(t *rapid.T) {
	if !h.guestComes(t) {
		t.Skip("no guest")
	}
}

// guestComes is for use while the program is stopped, too: a step that is skipped there would leave it so.
func (h *history) guestComes(t *rapid.T) bool {
	c := pick(t, "channel", slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.DM || c.guests || c.outside() }))
	if c == nil || !h.v.guest(c) {
		return false
	}
	h.at, c.guests, c.members[platformtest.Guest] = c.Place, true, true
	return true
}

// restore puts a backup in the place of the database. Since it was made, things were taken back.
func (h *history) restore(t *rapid.T) {
	for _, c := range h.places { // nobody finds a direct message that the backup does not know; Discord answers one person alone there
		if c.DM {
			h.who, h.at = h.somebody(c), c.Place
			h.v.Say(platformtest.Said{Who: h.who, At: h.at, Text: "hello"})
			h.settle()
			h.check()
		}
	}
	backup, path := filepath.Join(h.sys.Dir, "backup.db"), filepath.Join(h.sys.Dir, "c.db")
	if _, err := h.parts.store.Backup(context.Background(), backup, true); err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(1, 3).Draw(t, "things") {
		pick(t, "meanwhile", []func(*rapid.T){h.edit, h.remove, h.forget, h.convert, h.move, h.say, h.ask})(t)
		h.settle()
		h.check()
	}
	h.stop()
	if _, err := memory.Restore(context.Background(), path, backup, memory.RestoreOptions{Local: console.Platform}); err != nil {
		t.Fatal(err)
	}
	h.start()
	h.compared(h.places[0])
}

// restart ends the program, lets things happen, and starts it again.
func (h *history) restart(t *rapid.T) {
	h.stop()
	var taken *utterance
	switch rapid.IntRange(0, 6).Draw(t, "meanwhile") {
	case 0:
		h.convert(t)
	case 1:
		h.move(t)
	case 2:
		h.convert(t)
		h.convert(t)
	case 3: // we are removed and invited again, and somebody leaves
		c := pick(t, "channel", slices.DeleteFunc(slices.Clone(h.places), func(c *channel) bool { return c.DM }))
		h.v.away(t, c)
		h.takeBack(t, c)
		if c.private && c.members["Bob"] {
			delete(c.members, "Bob")
			h.v.leave(c, "Bob")
		}
		h.v.back(c)
	case 5:
		h.guestComes(t)
	case 4: // a file is taken out of its message
		if taken = h.hold(h.files); taken != nil {
			taken.canary.lost = true
			h.v.withdraw(taken)
		}
	}
	h.start()
	h.compared(h.places[0])
	if taken != nil {
		c := h.of(taken.at)
		h.await(c, "keeps a file that was taken out", func() bool {
			held, err := h.parts.store.FilesWith(context.Background(), h.v.key(c), taken.id)
			return err == nil && len(held) == 0
		})
		h.settle()
		h.check() // a fold may have begun before the program heard of it
		taken.erase()
	}
}
