package discord

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

var update = flag.Bool("update", false, "write the bodies we send to testdata/bodies and testdata/shapes")

// sent is what an adapter sent, each body under the name of its kind: what Discord's
// type definitions call it is looked up by the part before the first "-".
type sent struct {
	t      *testing.T
	a      *Adapter
	seen   map[string]int
	bodies map[string][]byte
}

func newSent(t *testing.T) *sent {
	s := &sent{t: t, seen: make(map[string]int), bodies: make(map[string][]byte)}
	s.a = handled(t, &fakeClock{at: createdAt("1300000000000000000")}, s.answer)
	return s
}

// kinds of bodies by what is requested.
func kindOf(method, path string) string {
	switch r := routeOf(method, path); {
	case r.name == "POST /channels/:id/messages":
		return "create"
	case r.name == "PATCH /channels/:id/messages/:id":
		return "edit"
	case r.name == "POST /channels/:id/messages/:id/threads":
		return "thread"
	case r.name == "PATCH /channels/:id":
		return "channel"
	case r.name == "POST /users/@me/channels":
		return "dm"
	case r.name == "PATCH /webhooks/:id/:token/messages/@original":
		return "original"
	case r.name == "PATCH /webhooks/:id/:token/messages/:id":
		return "amended"
	case r.name == "POST /webhooks/:id/:token":
		return "followup"
	case r.name == "POST /interactions/:id/:token/callback":
		return "callback"
	case r.name == "PUT /applications/:id/commands":
		return "commands"
	}
	return ""
}

// jsonOf is the body of a request, without files.
func jsonOf(t *testing.T, q *http.Request) []byte {
	if q.Body == nil {
		return nil
	}
	body, err := io.ReadAll(q.Body)
	if err != nil {
		t.Error(err)
	}
	if media := q.Header.Get("Content-Type"); strings.HasPrefix(media, "multipart/") {
		_, after, _ := bytes.Cut(body, []byte("\r\n\r\n"))
		body, _, _ = bytes.Cut(after, []byte("\r\n--"))
	}
	return body
}

func (s *sent) answer(q *http.Request) *http.Response {
	path := strings.TrimPrefix(q.URL.Path, "/api/v9")
	kind := kindOf(q.Method, path)
	if kind == "" {
		return answers(200, `{"id":"1300000000000000009","content":"How long is the warranty?"}`)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, jsonOf(s.t, q), "", "  "); err != nil {
		s.t.Errorf("%s: %v", kind, err)
	}
	pretty.WriteByte('\n')
	s.seen[kind]++
	name := kind
	if n := s.seen[kind]; n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	s.bodies[name] = pretty.Bytes()
	return answers(200, `{"id":"`+strconv.Itoa(1300000000000000100+len(s.bodies))+`"}`)
}

// conversation sends one of everything.
func (s *sent) conversation() {
	ctx, t := s.t.Context(), s.t
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const question = "1300000000000000001"
	thread := platform.Address{Key: memory.Key{Platform: "discord", Workspace: "1200000000000000000", Channel: "1200000000000000001", Thread: question}, ReplyTo: question}
	channel := thread
	channel.Key.Thread = ""
	private := channel
	private.EphemeralTo, private.Interaction = "1100000000000000000", interaction{"1150000000000000000", question, "token", deferredPrivate}.String()
	click := private
	click.Interaction = interaction{"1150000000000000000", question, "token", deferredClick}.String()

	answer := reply("The warranty lasts **three years** from delivery [1]; for two parts it differs [2]:\n\n| Part | Years | From |\n|---|--:|---|\n| Frame | 10 | purchase |\n| Battery | 2 | first charge |")
	answer.Feedback = true
	answer.Citations = []memory.Citation{{N: 1, Document: "warranty.pdf", Link: "https://discord.com/channels/1/2/3", Page: 6, Quote: "lasts three years from the day of delivery"},
		{N: 2, Document: "warranty.pdf", Link: "https://discord.com/channels/1/2/3", Page: 9, Quote: "ten years for the frame, two for the battery"}}
	failed := reply("The model takes no more requests for the moment.")
	failed.Kind, failed.Buttons = platform.KindError, []platform.Button{{Label: "Retry", Action: "retry"}}

	ref, err := s.a.Post(ctx, thread, answer)
	must(ref, err)
	must(s.a.Edit(ctx, ref, platform.Outgoing{Nonce: answer.Nonce, Kind: platform.KindErased, Text: "[erased]"}))
	which := asked("The contract with Acme Ltd. of May", "The contract with Bolt GmbH of June")
	which.Text, which.Question.Text = "Which contract do you mean?", "Which contract do you mean?"
	ref, err = s.a.Post(ctx, thread, which)
	must(ref, err)
	must(s.a.Edit(ctx, ref, platform.Outgoing{Nonce: which.Nonce, Kind: platform.KindReply, Text: which.Text + "\n\n→ The contract with Bolt GmbH of June"}))
	must(s.a.Post(ctx, channel, asked("Red", "Dark green")))
	must(s.a.Post(ctx, channel, asked("a", "b", "c", "d", "e")))
	must(s.a.Post(ctx, thread, failed))
	must(s.a.Post(ctx, thread, platform.Outgoing{Nonce: "tknotice", Kind: platform.KindNotice, Text: "What is said here is kept."}))
	stream, err := s.a.Stream(ctx, thread, "tkstream")
	must(stream, err)
	must(nil, stream.Append(ctx, "It grows"))
	must(stream.Close(ctx, platform.Outgoing{Nonce: "tkstream", Kind: platform.KindReply, Text: "It grows and ends.", Feedback: true}))
	page := thread
	page.ReplyTo, page.Between = "1300000000000000101", true
	must(s.a.Upload(ctx, page, platform.Upload{Nonce: "tkfile", Name: "page 6.png", Media: "image/png", Data: []byte("PNG"), Text: "[1] warranty.pdf, page 6"}))
	must(s.a.Post(ctx, private, platform.Outgoing{Nonce: "tkstatus", Kind: platform.KindCommand, Text: say.In("en").Gauge(1_240, 10_000) + "\n\n- Messages I have word for word: 9; older ones, as a summary: 15\n- Documents: 1\n    1. warranty.pdf – 150 pages\n- In numbers: 1,240 of 10,000 tokens\n    - instructions 848, summary 310, messages 930, documents 0; 8,760 free\n    - 12 requests\n    - Folds: 0"}))
	must(s.a.Post(ctx, private, platform.Outgoing{Nonce: "tkprivate", Kind: platform.KindCommand, Text: strings.Repeat("- a line of help\n", 150)}))
	must(s.a.Post(ctx, click, platform.Outgoing{Nonce: "tkaside", Kind: platform.KindNotice, Text: "Please type what you mean."}))
	must(s.a.openDirect(ctx, "1100000000000000000"))
	must(nil, s.a.call(ctx, "PATCH", "/channels/"+question, unarchive{}, nil))
	clicked := click
	clicked.EphemeralTo = ""
	must(s.a.Post(ctx, clicked, reply("Red it is.")))

	ref, err = s.a.Post(ctx, thread, which)
	must(ref, err)
	must(s.a.Edit(ctx, ref, platform.Outgoing{Nonce: which.Nonce, Kind: platform.KindReply, Text: "Which contract do you mean?\n\n→ The contract with Bolt GmbH of June"}))
	welcome := platform.Outgoing{Nonce: "tkwelcome", Kind: platform.KindNotice, Text: say.In("en").Welcome + "\n\n" + say.In("en").Notice}
	must(s.a.Post(ctx, channel, welcome))
	german := reply("Die Garantie gilt **drei Jahre** ab Lieferung [1].")
	german.Feedback, german.Citations = true, []memory.Citation{{N: 1, Document: "Garantie (2026) – Übersicht.pdf", Link: "https://discord.com/channels/1/2/3", Page: 2, Quote: "drei Jahre ab dem Tag der Lieferung"}}
	must(s.a.Post(ctx, thread, german))
	must(s.a.Post(ctx, thread, reply("# How to renew it\n\n"+strings.Repeat("1. Find the receipt and the serial number on the back, and write both down.\n", 22)+"\n```go\n"+strings.Repeat("renew(serial, receipt) // once a year\n", 30)+"```\nThat is all.")))
	reading := &writer{a: s.a, to: thread, kind: platform.KindReply, nonce: "tkreading"}
	reading.at, err = s.a.spotFor(ctx, thread, platform.KindReply, true)
	must(reading, err)
	must(nil, reading.write(ctx, func(k mark) []message {
		m := newMessage("-# Reading annual report.pdf, page 34 of 150")
		m.Nonce, m.EnforceNonce, m.Components = "tkreading", true, growing(k, "")
		return []message{m}
	}))
	form := modalOf("q:token:-3#tkquestion", &platform.Form{Title: "Something else", Label: "Please type what you mean.", Hint: "Which contract do you mean?"})
	must(nil, s.a.call(ctx, "POST", "/interactions/"+question+"/token/callback", form, nil))
	must(s.a.Post(ctx, private, platform.Outgoing{Nonce: "tkdocs", Kind: platform.KindCommand, Text: "1. warranty.pdf – 150 pages, shared with the channel\n2. contract\\_acme.docx – 12 pages"}))
}

// The bodies are checked against Discord's own type definitions by the certification
// of the fake.
func TestBodiesAreAsTheyWere(t *testing.T) {
	s := newSent(t)
	s.conversation()
	dir := filepath.Join("testdata", "bodies")
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, body := range s.bodies {
			if err := os.WriteFile(filepath.Join(dir, name+".json"), body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != len(s.bodies) {
		t.Errorf("%d files for %d bodies %v; -update writes them", len(files), len(s.bodies), err)
	}
	for name, body := range s.bodies {
		want, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil || !bytes.Equal(want, body) {
			t.Errorf("%s is now\n%s\n%v; -update writes it", name, body, err)
		}
		if !bytes.Contains(body, []byte(`"content"`)) && !bytes.Contains(body, []byte(`"allowed_mentions"`)) {
			continue
		}
		if !bytes.Contains(body, []byte(`"parse": []`)) {
			t.Errorf("%s may mention somebody", name)
		}
	}
}
