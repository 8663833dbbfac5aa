package discord

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// shapes are bodies by file name, without what people wrote: each text is the same, and
// of a list's elements of one shape one is left. Those the adapter can send are kept in
// testdata/shapes, for the certification of the fake to hold them against Discord's types.
type shapes struct {
	mu  sync.Mutex
	all map[string][]byte
}

const shapesDir = "testdata/shapes"

// add takes the body of a request, if it has one.
func (s *shapes) add(t *testing.T, method, path string, raw []byte) {
	if len(raw) == 0 {
		return
	}
	kind := kindOf(method, strings.TrimPrefix(path, "/api/v9"))
	if kind == "" {
		t.Errorf("%s %s has a body of no known kind", method, path)
	}
	s.put(t, kind, raw)
}

// put takes a body of a kind.
func (s *shapes) put(t *testing.T, kind string, raw []byte) {
	var body any
	if err := json.Unmarshal(raw, &body); err != nil {
		t.Errorf("a body of kind %q: %v", kind, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, part := range apart(body) {
		b, err := json.MarshalIndent(shapeOf(part), "", "  ")
		if err != nil {
			t.Error(err)
		}
		s.all[fmt.Sprintf("%s-%.8x.json", kind, sha256.Sum256(b))] = append(b, '\n')
	}
}

// apart is a body without its rows, and each of their components as a body of its own, so
// that which of them meet in one message makes no difference.
func apart(body any) []any {
	all := []any{body}
	m, ok := body.(map[string]any)
	if !ok {
		return all
	}
	rows, _ := m["components"].([]any)
	for _, row := range rows {
		row, _ := row.(map[string]any)
		inner, _ := row["components"].([]any)
		for _, c := range inner {
			all = append(all, map[string]any{"components": []any{map[string]any{"type": row["type"], "components": []any{c}}}})
		}
	}
	if rows != nil {
		m["components"] = []any{}
	}
	return all
}

func shapeOf(v any) any {
	switch v := v.(type) {
	case string:
		return "text"
	case map[string]any:
		for k := range v {
			v[k] = shapeOf(v[k])
		}
	case []any:
		var seen []string
		kept := []any{}
		for _, e := range v {
			e = shapeOf(e)
			b, err := json.Marshal(e)
			if err == nil && !slices.Contains(seen, string(b)) {
				seen, kept = append(seen, string(b)), append(kept, e)
			}
		}
		return kept
	}
	return v
}

// known checks that each shape is kept.
func (s *shapes) known(t *testing.T) {
	for name, b := range s.all {
		if _, err := os.Stat(filepath.Join(shapesDir, name)); err != nil {
			t.Errorf("%s is not kept; make TestShapes send it, too:\n%s", name, b)
		}
	}
}

// rowsOfAllSorts are the rows of each sort of post, one after the other.
func rowsOfAllSorts() []message {
	k := mark{nonce: "tkrows"}
	answer := platform.Outgoing{Nonce: k.nonce, Feedback: true, Buttons: []platform.Button{{Label: "Retry", Action: "retry"}},
		Citations: []memory.Citation{{N: 1, Document: "warranty.pdf", Page: 6}}}
	var all []message
	for _, m := range []platform.Outgoing{answer, asked("Red", "Green"), asked("a", "b", "c", "d", "e")} {
		one := newMessage("text")
		one.Components = components(m, k)
		all = append(all, one)
	}
	one := newMessage("text")
	one.Components = growing(k, "")
	return append(all, one)
}

// messagesOfAllSorts are those, and messages with a file, and with what they had of files
// taken away.
func messagesOfAllSorts() []message {
	all := rowsOfAllSorts()
	file, none := newMessage("text"), newMessage("text")
	file.file = &platform.Upload{Name: "page.png", Media: "image/png", Data: []byte("PNG")}
	none.Attachments = &[]attachment{}
	return append(all, file, none)
}

// TestShapes sends each sort of body to every place it can go to: which of them meet in a
// conversation depends on its timing. The conformance suite holds what it sends against
// these.
func TestShapes(t *testing.T) {
	const id = "1300000000000000009"
	ctx, seen, n := t.Context(), &shapes{all: make(map[string][]byte)}, 0
	a := handled(t, &fakeClock{at: createdAt(id)}, func(q *http.Request) *http.Response {
		seen.add(t, q.Method, q.URL.Path, jsonOf(t, q))
		n++
		if q.Method == http.MethodGet { // us, or a thread of ours
			return answers(200, `{"id":"`+id+`","owner_id":"`+id+`","name":"How long?"}`)
		}
		return answers(200, `{"id":"`+strconv.Itoa(1300000000000000100+n)+`"}`)
	})
	must := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	hook := interaction{id, id, "token", deferredPrivate}
	beside, click := hook, hook
	beside.Deferral, click.Deferral = deferredBeside, deferredClick
	for _, m := range messagesOfAllSorts() {
		named := m
		named.Nonce, named.EnforceNonce = "tkshape", true
		for _, p := range []spot{{channel: id}, {channel: id, replyTo: id}} {
			must(a.createMessage(ctx, p, 0, m))
			must(a.createMessage(ctx, p, 0, named))
			must(nil, a.editMessage(ctx, p, id, m))
		}
		for _, p := range []spot{{interaction: &hook, onlyTo: id}, {interaction: &beside}} {
			must(a.createMessage(ctx, p, 0, m))
			must(a.createMessage(ctx, p, 1, m))
			must(nil, a.editMessage(ctx, p, original, m))
			must(nil, a.editMessage(ctx, p, id, m))
		}
	}
	a.clearButtons(ctx, click)
	must(nil, a.openThread(ctx, id, id, "Conversation"))
	must(nil, a.Retitle(ctx, memory.Key{Channel: id, Thread: "1300000000000000010"}, "How long is the warranty?", "Conversation"))
	must(nil, a.call(ctx, http.MethodPatch, "/channels/"+id, unarchive{}, nil))
	must(a.openDirect(ctx, id))
	must(nil, a.registerOnce(ctx, registration(say.Commands("en"))))
	command := wireInteraction{ID: id, ApplicationID: id, Token: "token", came: time.Now().Add(time.Hour)}
	must(a.showQuestion(ctx, command, "How long is the warranty?", nil))
	for _, c := range []callback{
		{answerDeferred, &callbackData{Flags: flagEphemeral}},
		{Type: answerClick},
		{answerChoices, &callbackData{Choices: &[]choice{}}},
		{answerChoices, &callbackData{Choices: &[]choice{{Name: "warranty.pdf", Value: "1"}}}},
		modalOf("q:token:-3#tkquestion", &platform.Form{Title: "Something else", Label: "Please type what you mean.", Hint: "Which?"}),
		modalOf("q:token:-3#tkquestion", &platform.Form{Title: "Something else", Label: "Please type what you mean."}),
	} {
		must(nil, a.acknowledge(ctx, command, c, "", nil))
	}
	g := &gateway{a: a, session: &session{token: "secret", id: "session", at: new(progress)}, intents: intents}
	resumed, _ := g.session.resume()
	whole := g.identify()
	a.Shard, a.Shards = 1, 3
	sharded := g.identify()
	for _, f := range []struct {
		kind string
		frame
	}{{"identify", whole}, {"identify", sharded}, {"resume", *resumed}} {
		b, err := json.Marshal(f.Data)
		must(nil, err)
		seen.put(t, f.kind, b)
	}

	if *update {
		must(nil, os.RemoveAll(shapesDir))
		must(nil, os.MkdirAll(shapesDir, 0o755))
		for name, b := range seen.all {
			must(nil, os.WriteFile(filepath.Join(shapesDir, name), b, 0o644))
		}
	}
	kept, err := filepath.Glob(filepath.Join(shapesDir, "*.json"))
	if err != nil || len(kept) != len(seen.all) {
		t.Errorf("%d shapes are kept of %d %v; -update writes them, make certify-discord holds them against Discord's types", len(kept), len(seen.all), err)
	}
	seen.known(t)
}
