package agent

import (
	"fmt"
	"log/slog"
	"math/rand"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"threadkeeper/agent/model"
	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/agent/spend"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

var promptLineSaid = regexp.MustCompile(`(?m)^#(\d+) \| [^|]* \| Ada \(person\) \| (.*)$`)

// honest is a right summary of a fold's prompt: its first lines, word for word.
func honest(r fakemodel.Request) string {
	narrative, facts := "", []map[string]any{}
	for _, l := range promptLineSaid.FindAllStringSubmatch(r.User(), 4) {
		narrative += "Ada said: " + l[2] + " "
		facts = append(facts, map[string]any{"kind": "key_fact", "subject": "Ada", "slot": "note " + l[2][5:8], "text": l[2], "line": l[1], "quote": l[2]})
	}
	return answer(narrative, facts...)
}

// faults are the ways in which a model fails at a summary.
var faults = []fakemodel.Rule{
	{Say: "x", Fault: fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 500}},
	{Say: "x", Fault: fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 429}},
	{Say: "I'm sorry, I can't help with that."},
	{Say: `{"narrative": "", "facts": []}`},
	{Reply: func(r fakemodel.Request) string { return honest(r)[:40] }},
	{Reply: func(r fakemodel.Request) string { return strings.ReplaceAll(honest(r), "euros", "dollars") }},
	{Reply: func(r fakemodel.Request) string {
		return regexp.MustCompile(`\d00 euros`).ReplaceAllString(honest(r), "777 euros")
	}},
	{Reply: func(r fakemodel.Request) string { return strings.ReplaceAll(honest(r), `"line":"`, `"line":"9`) }},
}

// grown is a conversation that is folded as it grows by a model with a script. It checks after each step that nothing is lost.
type grown struct {
	t       *testing.T
	store   *memory.Store
	server  *fakemodel.Server
	c       *Compactor
	session int64
	said    []string
	now     int64
}

func newGrown(t *testing.T, threshold int, script []fakemodel.Rule) *grown {
	t.Helper()
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	g := &grown{t: t, store: store, now: 1_772_600_000_000}
	store.Policy, store.Now = memory.DefaultPolicy(threshold), func() int64 { return g.now }
	if g.server, err = fakemodel.Start(fakemodel.Options{Script: script}); err != nil {
		t.Fatal(err)
	}
	llm, err := model.Open(model.Options{Model: "fake", OpenAIBaseURL: g.server.URL(), Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	g.c = &Compactor{Store: store, Model: &spend.Meter{Model: llm, Name: "fake", Store: store}, Name: "fake", Log: slog.New(slog.DiscardHandler)}
	t.Cleanup(func() {
		g.server.Close()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// interaction stores a request and its answer.
func (g *grown) interaction(text string) {
	g.t.Helper()
	for i, role := range []memory.Role{memory.User, memory.Assistant} {
		g.now += 60_000
		id := fmt.Sprint(len(g.said), "/", i)
		in := memory.Incoming{Platform: "test", EventID: id, Kind: "message", Key: memory.Key{Platform: "test", Channel: "c"},
			Message: &memory.Message{PlatformID: id, Role: role, Text: "Noted."}}
		if role == memory.User {
			in.Person, in.Message.Author, in.Message.Text = memory.Person{PlatformID: "ada", Name: "Ada"}, "Ada", text
		}
		r, err := g.store.Queue.Receive(g.t.Context(), in)
		if err != nil {
			g.t.Fatal(err)
		}
		g.session = r.Session.ID
	}
	g.said = append(g.said, text)
}

// fold does what is due, and checks the memory after each step.
func (g *grown) fold() {
	g.t.Helper()
	for worked := true; worked; {
		var err error
		if worked, err = g.c.Next(g.t.Context(), "test"); err != nil {
			g.t.Fatal(err)
		}
		g.check()
	}
}

// check fails unless every message is there, the segments cover those up to the watermark once, in order, and every fact
// stands on a message word for word, with its numbers.
func (g *grown) check() {
	g.t.Helper()
	ctx := g.t.Context()
	messages, err := g.store.Messages(ctx, g.session)
	if err != nil || len(messages) != 2*len(g.said) {
		g.t.Fatalf("%d messages for %d requests, %v", len(messages), len(g.said), err)
	}
	session, err := g.store.Session(ctx, g.session)
	if err != nil {
		g.t.Fatal(err)
	}
	segments, err := g.store.Segments(ctx, g.session)
	if err != nil {
		g.t.Fatal(err)
	}
	next := 0
	for _, sg := range segments {
		if messages[next].ID != sg.FromID || strings.TrimSpace(sg.Narrative) == "" {
			g.t.Fatalf("segment %+v does not begin at message %d", sg, messages[next].ID)
		}
		next += sg.Messages
	}
	if next > 0 && messages[next-1].ID != session.Watermark || next == 0 && session.Watermark != 0 {
		g.t.Fatalf("segments end at message %d, the watermark is %d", next, session.Watermark)
	}
	facts, err := g.store.Views.Facts(ctx, g.session)
	if err != nil {
		g.t.Fatal(err)
	}
	text := map[int64]string{}
	for _, m := range messages {
		text[m.ID] = m.Text
	}
	for _, f := range facts {
		if !strings.Contains(text[f.MessageID], f.Quote) || len(rank.Missing(f.Text, text[f.MessageID]+" Ada")) > 0 {
			g.t.Fatalf("%q (quote %q) rests on %q", f.Text, f.Quote, text[f.MessageID])
		}
	}
}

// TestAFaultyModelLosesNothing folds random conversations by a model that fails in random ways; once it is well again, all is
// its own work.
func TestAFaultyModelLosesNothing(t *testing.T) {
	for seed := range int64(2) {
		r := rand.New(rand.NewSource(seed))
		var script []fakemodel.Rule
		for range 24 {
			rule := faults[r.Intn(len(faults))]
			if r.Intn(3) == 0 {
				rule = fakemodel.Rule{Reply: honest}
			}
			rule.Times = 1
			script = append(script, rule)
		}
		g := newGrown(t, 600, append(script, fakemodel.Rule{Reply: honest}))
		for i := range 70 {
			g.interaction(fmt.Sprintf("Note %03d: the hall of group %d costs %d00 euros, and the stage is extra.", i, i+10, 1+r.Intn(9)))
			if r.Intn(3) == 0 {
				g.now += 3_600_000
			}
			g.fold()
		}
		for range 40 { // rebuilds wait for one another
			g.now += 4 * 3_600_000
			g.fold()
		}
		segments, err := g.store.Segments(t.Context(), g.session)
		if err != nil || len(segments) < 5 {
			t.Fatalf("%d segments, %v", len(segments), err)
		}
		for _, sg := range segments {
			if sg.Stale || sg.Method != memory.ByModel {
				t.Errorf("seed %d: not made again: %+v", seed, sg)
			}
		}
	}
}

// TestOneCallForTenInteractions folds a hundred and twenty interactions at the smallest threshold that is advised.
func TestOneCallForTenInteractions(t *testing.T) {
	g := newGrown(t, 1200, []fakemodel.Rule{{Reply: honest}})
	const interactions = 120
	for i := range interactions {
		g.interaction(fmt.Sprintf("Note %03d: the hall of group %d costs 300 euros, and the stage is extra.", i, i+10))
		g.fold()
	}
	calls := len(g.server.Requests())
	rows, err := g.store.Views.Usage(t.Context(), memory.UsageOf{})
	if err != nil {
		t.Fatal(err)
	}
	recorded := int64(0)
	for _, row := range rows {
		recorded += int64(row.Calls)
	}
	if calls == 0 || calls > interactions/10 || recorded != int64(calls) {
		t.Errorf("%d calls for %d interactions, %d of them in the ledger", calls, interactions, recorded)
	}
}
