package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/platformtest/leaktest"
)

// talk is the conversation that is held on every platform.
type talk struct {
	*service
	at             platformtest.Place // the thread it is held in
	code           string             // the message that tells the code
	cited, unclear platformtest.Post
	again          bool // the program is killed: what one person alone sees may be said to them again
}

// said is how many messages people say in the conversation, the chosen reading included.
const said = 9

// step is one exchange: a person does something, and done waits for the effect.
type step struct {
	name string
	act  func(*talk)
	done func(*talk)
}

// use tells the steps that are a click or a command alone.
func (s step) use() bool {
	return slices.Contains([]string{"page", "button", "status", "forget"}, s.name)
}

var steps = []step{
	{"mention", func(k *talk) {
		_, k.at = k.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "Good morning, please introduce yourself", Mention: true})
	}, func(k *talk) { k.once("I am the scripted assistant.") }},

	{"follow-up", func(k *talk) {
		k.code = k.say("The alarm code of the boathouse is QX-7731.")
	}, func(k *talk) { k.once("I keep the code in mind.") }},

	{"memory", func(k *talk) {
		k.say("What is the alarm code of the boathouse?")
	}, func(k *talk) { k.once("The alarm code is QX-7731.") }},

	{"PDF", func(k *talk) {
		k.Say(platformtest.Said{Who: "Ada", At: k.at, Text: "Who supplies the new roaster, and what does it cost?", Files: []platformtest.File{{Name: "sample.pdf", Data: sampleFile(k.t)}}})
	}, func(k *talk) {
		k.once("Ferrum & Sons and costs €38,700")
		k.posts(k.at, "the citation", func(posts []platformtest.Post) bool { // it comes with the end of the answer
			i := slices.IndexFunc(posts, func(p platformtest.Post) bool { return strings.Contains(p.Text, "Ferrum & Sons and costs") })
			if i < 0 {
				return false
			}
			k.cited = posts[i]
			if slices.Contains(k.cited.Buttons, "Stop") { // its end has not been posted yet
				return false
			}
			all := k.sources(k.at, k.cited)
			return strings.Contains(all, "12-kilogram electric roaster") && strings.Contains(all, "sample.pdf") && strings.Contains(all, "6")
		})
	}},

	{"page", func(k *talk) {
		label := "page 1"
		if i := slices.IndexFunc(k.cited.Buttons, func(b string) bool { return strings.HasPrefix(b, "Show page") }); i >= 0 {
			label = k.cited.Buttons[i]
		}
		k.Click("Ada", k.at, k.cited, label)
	}, func(k *talk) {
		k.posts(k.at, "the page", func(posts []platformtest.Post) bool {
			return slices.ContainsFunc(posts, func(p platformtest.Post) bool { return strings.HasSuffix(p.File, ".png") })
		})
	}},

	{"question", func(k *talk) {
		k.say("How long is the warranty?")
	}, func(k *talk) {
		k.once("Which machine's warranty do you mean?")
		k.posts(k.at, "the options", func(posts []platformtest.Post) bool {
			i := slices.IndexFunc(posts, func(p platformtest.Post) bool { return slices.Contains(p.Options, "The lathe") })
			if i >= 0 {
				k.unclear = posts[i]
			}
			return i >= 0
		})
	}},

	{"button", func(k *talk) {
		k.Click("Ada", k.at, k.unclear, "The lathe")
	}, func(k *talk) { k.once("The lathe has two years.") }},

	{"story", func(k *talk) {
		k.say("Tell me a story, please")
	}, func(k *talk) { k.once("That is the end of it.") }},

	{"status", func(k *talk) {
		k.Command("Ada", k.at, "memory status", "")
	}, func(k *talk) { k.once("1. sample.pdf") }},

	{"edit", func(k *talk) {
		k.Edit(k.at, k.code, "The alarm code of the boathouse is QX-9999.")
		k.say("So what is the alarm code of the boathouse?")
	}, func(k *talk) { k.once("The alarm code is QX-9999.") }},

	{"deletion", func(k *talk) {
		k.Delete(k.at, k.code)
	}, func(k *talk) {
		k.erased(k.code)
		k.say("And now, what is the alarm code of the boathouse?")
		k.once("Nobody told me the code.")
	}},

	{"forget", func(k *talk) {
		k.settled() // an answer that is not recorded yet would be taken back
		k.Command("Ada", k.at, "memory forget", "--yes")
	}, func(k *talk) { k.once("Forgotten: ") }},
}

func sampleFile(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../../docs/testdata/sample.pdf")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// say is Ada going on in the thread, without a mention.
func (k *talk) say(text string) (id string) {
	id, _ = k.Say(platformtest.Said{Who: "Ada", At: k.at, Text: text})
	return id
}

// once waits for a post with this text, and holds that there is one only.
func (k *talk) once(text string) platformtest.Post {
	k.t.Helper()
	var found []platformtest.Post
	k.posts(k.at, text, func(posts []platformtest.Post) bool {
		found = slices.DeleteFunc(slices.Clone(posts), func(p platformtest.Post) bool { return !strings.Contains(p.Text, text) })
		return len(found) > 0
	})
	if len(found) != 1 && !(k.again && found[0].OnlyTo != "") {
		k.t.Errorf("%d posts say %q: %+v", len(found), text, found)
	}
	return found[len(found)-1]
}

// TestConversation holds the same conversation on every platform.
func TestConversation(t *testing.T) {
	if !hasEngine() {
		t.Fatal("run make engine first")
	}
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			leaktest.Check(t) // when the fakes are gone, too
			k := &talk{service: newService(t, o.open)}
			k.start()
			for _, s := range steps {
				began := time.Now()
				s.act(k)
				s.done(k)
				t.Logf("%s: %s", s.name, time.Since(began))
			}
			k.Redeliver()
			k.settled()
			k.stop()
			k.check()
		})
	}
}
