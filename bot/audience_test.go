package bot_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// somewhere is a place where Ada says a sentence with its name in it and shares a
// document that is called by its name.
type somewhere struct {
	name   string
	world  *platformtest.World
	top    platformtest.Place
	thread platformtest.Place // the conversation there
}

// quarters are places of every kind, on two platforms of one program.
type quarters struct {
	*scene
	overseas *platformtest.World
	all      []*somewhere
}

func newQuarters(t *testing.T) *quarters {
	q := &quarters{overseas: platformtest.NewWorld()}
	q.overseas.Name = "overseas"
	q.scene = begin(t, func(s *scene) {
		s.world.Private = map[string]bool{"board": true}
		s.bot.Platforms = append(s.bot.Platforms, q.overseas.Platform())
	})
	for _, p := range []*somewhere{
		{name: "general", top: platformtest.Place{Channel: "general"}},
		{name: "random", top: platformtest.Place{Channel: "random"}},
		{name: "lounge", top: platformtest.Place{Channel: "lounge"}}, // a guest takes part
		{name: "board", top: platformtest.Place{Channel: "board"}},   // private
		{name: "desk", top: platformtest.Place{Channel: "ada", DM: true}},
		{name: "shared", top: platformtest.Place{Channel: "shared", External: true}},
		{name: "abroad", top: platformtest.Place{Channel: "general", Workspace: "w2"}},
		{name: "overseas", top: platformtest.Place{Channel: "general"}, world: q.overseas},
	} {
		if p.world == nil {
			p.world = q.world
		}
		q.all = append(q.all, p)
		file := platformtest.File{Name: p.name + ".txt", Data: fmt.Appendf(nil, "%s: The warranty lasts three years from the day of delivery.", p.name)}
		_, p.thread = p.world.Say(platformtest.Said{Who: "Ada", At: p.top, Text: "the walrus sleeps in " + p.name, Mention: true, Files: []platformtest.File{file}})
		q.settle()
		p.world.Command("Ada", p.thread, "docs share", file.Name)
		q.settle()
	}
	q.world.Say(platformtest.Said{Who: platformtest.Guest, At: q.at("lounge").thread, Text: "hello from a guest"})
	q.world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "bob", DM: true}, Text: "hello"})
	q.world.Say(platformtest.Said{Who: platformtest.Guest, At: platformtest.Place{Channel: "gus", DM: true}, Text: "hello"})
	q.settle()
	return q
}

// again are the quarters at a moment, in a program of their own.
func (q *quarters) again(t *testing.T, m moment) *quarters {
	c := &quarters{overseas: q.overseas.Clone()}
	c.overseas.Name = q.overseas.Name
	c.scene = play(t, filepath.Join(m.dir, "crash.db"), m.world, &platformtest.Chain{Go: make(chan struct{})}, func(s *scene) {
		s.bot.Platforms = append(s.bot.Platforms, c.overseas.Platform())
	})
	for _, p := range q.all {
		there := *p
		if there.world = c.world; p.world == q.overseas {
			there.world = c.overseas
		}
		c.all = append(c.all, &there)
	}
	return c
}

func (q *quarters) settle() {
	q.t.Helper()
	until(q.t, "what is on its way", func() bool { return q.overseas.Pending() == 0 })
	q.scene.settle()
}

func (q *quarters) at(name string) *somewhere {
	return q.all[slices.IndexFunc(q.all, func(p *somewhere) bool { return p.name == name })]
}

// told are the places whose sentence, or whose document, a text tells of.
func (q *quarters) told(text string) (sentences, documents []string) {
	for _, p := range q.all {
		if strings.Contains(text, "sleeps in "+p.name) {
			sentences = append(sentences, p.name)
		}
		if strings.Contains(text, p.name+".txt") {
			documents = append(documents, p.name)
		}
	}
	return sentences, documents
}

// one is somebody somewhere who asks.
type one struct {
	*quarters
	who string
	somewhere
}

// after is what is shown to somebody between two moments, with what their files hold.
func (o one) after(do func()) string {
	o.t.Helper()
	var text strings.Builder
	var before []int
	seen := slices.Compact([]platformtest.Place{o.top, o.thread}) // one where the thread is the channel
	for _, at := range seen {
		before = append(before, len(o.world.Posts(at, o.who)))
	}
	do()
	o.settle()
	for i, at := range seen {
		for _, p := range o.world.Posts(at, o.who)[before[i]:] {
			fmt.Fprintln(&text, p.Text, p.File, p.Options, p.Buttons)
			text.Write(o.world.Uploaded(p.File))
		}
	}
	return text.String()
}

func (o one) command(name, args string) string {
	return o.after(func() { o.world.Command(o.who, o.thread, name, args) })
}

// TestAudience asks through every door, everywhere, for what was said and shared
// everywhere.
func TestAudience(t *testing.T) {
	public := []string{"general", "random", "lounge"}
	with := func(name string) []string { return append([]string{name}, public...) }
	built := newQuarters(t)
	built.stop()
	left := recorder{t: t, store: built.store, db: built.db, world: built.world}
	for _, c := range []struct {
		who, at   string
		sentences []string // that may be told of
		documents []string
	}{
		{"Ada", "general", public, public},
		{"Bob", "general", public, public},
		{"Ada", "board", with("board"), with("board")},
		{"Ada", "desk", with("desk"), with("desk")},
		{"Bob", "bob", public, public}, // a direct message
		{"Ada", "lounge", []string{"lounge"}, []string{"lounge"}},
		{"Ada", "shared", []string{"shared"}, nil},
		{"Ada", "abroad", []string{"abroad"}, []string{"abroad"}},
		{"Ada", "overseas", []string{"overseas"}, []string{"overseas"}},
		{platformtest.Guest, "gus", nil, nil},
		{platformtest.Guest, "lounge", []string{"lounge"}, nil},
	} {
		m := left.now(c.at) // each has its own
		t.Run(c.who+" at "+c.at, func(t *testing.T) {
			t.Parallel()
			q := built.again(t, m)
			o := one{q, c.who, somewhere{c.at, q.world, platformtest.Place{Channel: c.at, DM: true}, platformtest.Place{Channel: c.at, DM: true}}}
			own := []string(nil) // what this conversation itself holds
			if i := slices.IndexFunc(q.all, func(p *somewhere) bool { return p.name == c.at }); i >= 0 {
				o.somewhere, own = *q.all[i], []string{c.at}
			}
			mine := own // of which, what the one who asks has said
			if c.who != "Ada" {
				mine = nil
			}
			same := func(door, what, text string, got, want []string) {
				t.Helper()
				slices.Sort(got)
				if want := slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
					t.Errorf("%s: %s of %q, want %q: %s", door, what, got, want, text)
				}
			}
			// tells: these sentences, and no document of another place is named.
			tells := func(door, text string, want []string) {
				t.Helper()
				sentences, documents := q.told(text)
				same(door, "sentences", text, sentences, want)
				same(door, "documents", text, slices.DeleteFunc(documents, func(name string) bool { return name == c.at }), nil)
			}
			// names: these documents, and no sentence is told.
			names := func(door, text string, want []string) {
				t.Helper()
				sentences, documents := q.told(text)
				same(door, "documents", text, documents, want)
				same(door, "sentences", text, sentences, nil)
			}
			tells("search", o.command("memory search", "walrus"), c.sentences)
			tells("show", o.command("memory show", ""), own)
			tells("export", o.command("memory export", ""), own)
			tells("why", o.command("why", ""), mine)
			names("list", o.command("docs list", ""), c.documents)
			names("status", o.command("memory status", ""), c.documents)
			for _, name := range q.all {
				o.change(t, c.documents, name.name)
			}
			choices, err := o.world.Suggest(t.Context(), c.who, o.thread, "docs remove", "document", "")
			if err != nil {
				t.Fatal(err)
			}
			names("suggest", fmt.Sprint(choices), c.documents)
			if !o.top.DM {
				tells("overview", o.after(func() { o.world.Command(c.who, o.top, "memory status", "") }), own)
				names("list at the top", o.after(func() { o.world.Command(c.who, o.top, "docs list", "") }), c.documents)
			}
			recalled, readable, _ := strings.Cut(o.after(func() {
				o.world.Say(platformtest.Said{Who: c.who, At: o.thread, Text: "recall walrus", Mention: true})
			}), "May be read:")
			tells("recall", recalled, c.sentences)
			names("documents of an answer", readable, c.documents)
			names("greeting", o.after(func() { o.world.Say(platformtest.Said{Who: c.who, At: o.thread, Mention: true}) }), c.documents)
		})
	}
}

// change names a document in commands about one, and wants it found where it may be.
func (o one) change(t *testing.T, documents []string, name string) {
	t.Helper()
	text := o.command("docs use", name+".txt")
	if found := strings.Contains(text, "I answer from "+name+".txt"); found != slices.Contains(documents, name) {
		t.Errorf("use of %s: %s", name, text)
	}
	o.command("docs use", "all")
	if slices.Contains(documents, name) {
		return
	}
	for _, command := range []string{"docs remove", "docs share"} {
		if text := o.command(command, name+".txt"); strings.Contains(text, name) {
			t.Errorf("%s of %s: %s", command, name, text)
		}
	}
}

// TestHomes opens the overview of each person.
func TestHomes(t *testing.T) {
	q := newQuarters(t)
	for _, c := range []struct {
		who                  string
		world                *platformtest.World
		sentences, documents []string
	}{
		{"Ada", q.world, []string{"board", "desk", "general", "lounge", "random", "shared"}, []string{"board", "desk", "general", "lounge", "random"}},
		{"Bob", q.world, nil, []string{"general", "lounge", "random"}},
		{platformtest.Guest, q.world, []string{"lounge"}, nil},
		{"Ada", q.overseas, []string{"overseas"}, []string{"overseas"}},
		{"Bob", q.overseas, nil, nil},
	} {
		h, err := c.world.Home(t.Context(), c.who)
		if err != nil {
			t.Fatal(err)
		}
		sentences, documents := q.told(fmt.Sprintf("%+v", h))
		slices.Sort(sentences)
		slices.Sort(documents)
		if !slices.Equal(sentences, c.sentences) || !slices.Equal(documents, c.documents) {
			t.Errorf("%s: %q and %q, want %q and %q", c.who, sentences, documents, c.sentences, c.documents)
		}
	}
}

// TestButtonsFromElsewhere presses, from every other place, what stands under the answers
// of each, and wants nothing posted, recorded or answered. Where the answer is it works.
func TestButtonsFromElsewhere(t *testing.T) {
	q := newQuarters(t)
	for _, p := range q.all {
		p.world.Say(platformtest.Said{Who: "Ada", At: p.thread, Text: "cite", Mention: true})
	}
	q.settle()
	answers := make(map[string]platformtest.Post)
	for _, p := range q.all {
		posts := p.world.Posts(p.thread, "Ada")
		answers[p.name] = posts[len(posts)-1]
	}
	press := func(from, under *somewhere, who string) {
		for _, label := range []string{platformtest.Page(1), string(platform.Helpful)} {
			under.world.Click(who, from.thread, answers[under.name], label)
		}
		q.settle()
	}
	pictures := func() (n int) {
		for _, p := range q.all {
			for _, who := range []string{"Ada", "Bob"} {
				for _, at := range []platformtest.Place{p.top, p.thread} {
					for _, post := range p.world.Posts(at, who) {
						if strings.HasSuffix(post.File, ".png") {
							n++
						}
					}
				}
			}
		}
		return n
	}
	for _, from := range q.all {
		for _, under := range q.all {
			if from.name != under.name && from.world == under.world {
				press(from, under, "Bob")
				press(from, under, "Ada")
			}
		}
	}
	if given, err := q.store.Views.CountFeedback(t.Context()); err != nil || len(given) > 0 || pictures() > 0 {
		t.Fatalf("from elsewhere: feedback %v %v, %d pictures", given, err, pictures())
	}
	press(q.at("board"), q.at("board"), "Ada")
	if n := pictures(); n != 1 && n != 2 { // each of two sees it
		t.Errorf("%d pictures where the answer is", n)
	}
	if given, err := q.store.Views.CountFeedback(t.Context()); err != nil || given[string(platform.Helpful)] != 1 {
		t.Errorf("feedback %v %v", given, err)
	}
}
