package slack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// sent is a request as testdata/requests.json keeps it.
type sent struct {
	Method string         `json:"method"`
	Args   map[string]any `json:"args"`
}

// changing is what differs from run to run: time stamps.
var changing = regexp.MustCompile(`\b\d{10}\.\d{6}\b`)

// typed is an argument as Slack's types have it; a form has text only.
func typed(name string, value any) any {
	text, ok := value.(string)
	if !ok {
		return value
	}
	text = changing.ReplaceAllString(text, "1700000000.000100")
	switch name {
	case "blocks", "metadata", "view", "files", "prompts":
		var v any
		if json.Unmarshal([]byte(text), &v) == nil {
			return v
		}
	case "loading_messages":
		return strings.Split(text, ",")
	case "limit", "length":
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	case "inclusive", "include_all_metadata", "unfurl_links", "unfurl_media", "include_locale", "include_num_members", "return_im":
		return text == "true" || text == "1"
	}
	return text
}

// kinds are the types of the blocks and elements inside a value, in order.
func kinds(v any) string {
	switch v := v.(type) {
	case []any:
		all := ""
		for _, x := range v {
			all += kinds(x)
		}
		return all
	case map[string]any:
		all, _ := v["type"].(string)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all += kinds(v[name])
		}
		return all + " "
	}
	return ""
}

// different are one request of each shape, by method.
func different(requests []fakeslack.Request) []sent {
	byShape := make(map[string]sent)
	for _, r := range requests {
		if r.Method == "response_url" || r.Method == "download" {
			continue // no methods of the Web API
		}
		x := sent{r.Method, make(map[string]any)}
		shape := r.Method
		for _, name := range slices.Sorted(maps.Keys(r.Args)) {
			x.Args[name] = typed(name, r.Args[name])
			shape += " " + name + " " + kinds(x.Args[name])
		}
		if _, seen := byShape[shape]; !seen {
			byShape[shape] = x
		}
	}
	var all []sent
	for _, shape := range slices.Sorted(maps.Keys(byShape)) {
		all = append(all, byShape[shape])
	}
	return all
}

// TestRequests makes every sort of request that the adapter makes. They are kept, so that
// certify-slack holds them against Slack's own types. The scopes of the manifest are all
// they need.
func TestRequests(t *testing.T) {
	var granted []string
	for _, n := range scopes {
		granted = append(granted, n.Name)
	}
	s := newStage(t, fakeslack.Options{AgentView: true, Scopes: granted})
	a, ctx := s.a, t.Context()
	a.AgentView = true
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	only := s.to
	only.EphemeralTo, only.ReplyTo = s.ada, s.Say(fakeslack.Said{User: s.ada, Channel: s.channel, Thread: s.root, Text: "and?"})
	top := s.to
	top.Key.Thread = ""
	for _, name := range slices.Sorted(maps.Keys(looks)) {
		out := looks[name]
		a.limits = limits{} // not today
		ref := s.post(s.to, out)
		if name == "answer" {
			a.limits = limits{}
			_, err := a.Edit(ctx, ref, looks["erased"])
			must(err)
			s.post(top, out)
			s.post(only, out)
		}
	}
	a.limits = limits{}
	live := s.stream(s.to, "The warranty lasts ", "**three years** from ")
	final := looks["german"]
	final.Nonce, final.Text = reply("").Nonce, "The warranty lasts **three years** from today [1]."
	s.done(live, final)
	_, err := a.Upload(ctx, s.to, platform.Upload{Nonce: "tk20", Name: "page.png", Media: "image/png", Data: []byte("picture"), Text: "Page 6"})
	must(err)
	_, err = a.Upload(ctx, only, platform.Upload{Nonce: "tk21", Name: "export.jsonl", Media: "application/json", Data: []byte("{}"), Text: "All of it"})
	must(err)
	must(a.Status(ctx, s.to, "Reading report.pdf, page 34 of 150"))
	for _, to := range []platform.Address{s.to, top} {
		_, _, err = a.Find(ctx, to, "tk99")
		must(err)
		_, err = a.History(ctx, to.Key, timeOf(s.root).UnixMilli(), 10)
		must(err)
	}
	_, err = a.Channel(ctx, s.to.Key)
	must(err)
	us, err := a.identify(ctx)
	must(err)
	in := &intake{a: a, us: us}
	must(a.PublishHome(ctx, s.to.Key, s.ada, home))
	in.suggestPrompts(ctx, s.ada, s.DM(s.ada))
	must(a.Retitle(ctx, memory.Key{Channel: s.DM(s.ada), Thread: s.root}, "How long?", "Conversation"))
	in.a.tasks.all.Wait()
	o := a.Options
	o.AppToken = s.Options().AppToken
	New(o).Check(ctx, func(name, _ string, err error) { must(err) })
	must(a.deleteMessage(ctx, spotOf(s.to), live.ts))

	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	must(e.Encode(different(s.Requests())))
	const path = "testdata/requests.json"
	if *update {
		must(os.WriteFile(path, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(path)
	must(err)
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("other requests are made than %s keeps; -update writes it anew and make certify-slack holds it against Slack's types\n%s", path, got.Bytes())
	}
	fmt.Fprintln(t.Output(), len(different(s.Requests())), "shapes of requests")
}
