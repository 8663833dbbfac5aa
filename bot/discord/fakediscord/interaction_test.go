package fakediscord

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

var docsCommand = object{"name": "docs", "description": "Documents", "options": []object{
	{"type": 1, "name": "use", "description": "Use one", "options": []object{
		{"type": 3, "name": "document", "description": "Which", "required": true, "autocomplete": true}}}}}

// command registers docs and uses it; it returns the view of the person, and the routes
// of the answer.
func (b *bench) command() (i *Interaction, callback, webhook string) {
	b.t.Helper()
	if status, raw := b.raw("PUT", "/applications/"+b.Application()+"/commands", []object{docsCommand}); status != 200 {
		b.t.Fatalf("%d %s", status, raw)
	}
	i, err := b.Command(Use{User: b.ada, Channel: b.general, Command: "docs use", Options: map[string]string{"document": "note"}})
	if err != nil {
		b.t.Fatal(err)
	}
	return i, "/interactions/" + i.ID() + "/" + i.Token() + "/callback", "/webhooks/" + b.Application() + "/" + i.Token()
}

func TestDeferralFixesWhoSeesTheAnswer(t *testing.T) {
	b := open(t, Options{})
	c, _ := b.connect(usualIntents)
	i, callback, webhook := b.command()
	p := c.want(opDispatch, "INTERACTION_CREATE")
	if s := string(p.D); !strings.Contains(s, i.Token()) || !strings.Contains(s, `"name":"use"`) || !strings.Contains(s, `"member"`) || strings.Contains(s, `"user":null`) {
		t.Errorf("%s", s)
	}
	b.refused(404, 10015, "PATCH", webhook+"/messages/@original", say("too early"))
	if status, o := b.do("POST", callback, object{"type": DeferredChannelMessage, "data": object{"flags": FlagEphemeral}}); status != 204 {
		t.Fatal(status, o)
	}
	b.refused(400, 40060, "POST", callback, object{"type": DeferredChannelMessage})
	if m, _ := i.Original(); m.Flags&FlagLoading == 0 || m.OnlyTo != b.ada {
		t.Errorf("%+v", m)
	}
	if status, o := b.do("POST", webhook, say("the first follow-up is the answer")); status != 200 || o["flags"] != float64(FlagEphemeral) {
		t.Error(status, o)
	}
	b.do("PATCH", webhook+"/messages/@original", say("changed"))
	b.do("POST", webhook, say("for all"))
	if all, hers := b.Messages(b.general, ""), b.Messages(b.general, b.ada); len(all) != 1 || len(hers) != 2 || hers[0].Content != "changed" || all[0].Content != "for all" {
		t.Errorf("all see %+v, she sees %+v", all, hers)
	}
	b.refused(404, 10008, "GET", "/channels/"+b.general+"/messages/"+b.Messages(b.general, b.ada)[0].ID, nil)
	if status, _ := b.do("DELETE", webhook+"/messages/@original", nil); status != 204 {
		t.Error(status)
	}
	b.refused(404, 10008, "PATCH", webhook+"/messages/@original", say("gone"))
}

func TestDeadlinesOfInteractions(t *testing.T) {
	now := newClock()
	b := open(t, Options{Now: now.now})
	_, late, _ := b.command()
	now.pass(3*time.Second + time.Millisecond)
	b.refused(404, 10062, "POST", late, object{"type": DeferredChannelMessage})
	_, callback, webhook := b.command()
	b.do("POST", callback, object{"type": DeferredChannelMessage})
	now.pass(15 * time.Minute)
	if status, o := b.do("PATCH", webhook+"/messages/@original", say("in time")); status != 200 {
		t.Error(status, o)
	}
	now.pass(time.Millisecond)
	b.refused(401, 50027, "PATCH", webhook+"/messages/@original", say("too late"))
	b.refused(401, 50027, "POST", webhook, say("too late"))
	b.refused(404, 10015, "POST", "/webhooks/1/x", say("never was"))
}

func TestResponsesFitTheInteraction(t *testing.T) {
	b := open(t, Options{})
	m := b.post(b.general, "x")
	shown := b.Messages(b.general, "")[0].Message
	for _, kind := range []int{DeferredUpdate, UpdateMessage, Autocomplete, Pong, 99} {
		_, callback, _ := b.command()
		b.refused(400, 50035, "POST", callback, object{"type": kind, "data": say("x")})
	}
	i, err := b.Click(b.ada, b.general, shown, "red")
	if err != nil {
		t.Fatal(err)
	}
	if status, o := b.do("POST", "/interactions/"+i.ID()+"/"+i.Token()+"/callback", object{"type": UpdateMessage, "data": say("clicked")}); status != 204 {
		t.Fatal(status, o)
	}
	if got := b.Messages(b.general, "")[0]; got.Content != "clicked" || got.ID != m["id"] {
		t.Errorf("%+v", got)
	}
	_, callback, _ := b.command()
	b.refused(400, 50006, "POST", callback, object{"type": ChannelMessage, "data": say("")})
}

func TestSuggestions(t *testing.T) {
	b := open(t, Options{})
	c, _ := b.connect(usualIntents)
	b.command()
	c.want(opDispatch, "INTERACTION_CREATE")
	answered := make(chan int)
	go func() {
		var in struct{ ID, Token string }
		p := c.want(opDispatch, "INTERACTION_CREATE")
		if !strings.Contains(string(p.D), `"focused":true`) {
			t.Errorf("%s", p.D)
		}
		into(t, p.D, &in)
		choices := []object{}
		for n := range 26 {
			choices = append(choices, object{"name": fmt.Sprint(n), "value": "v"})
		}
		path := "/interactions/" + in.ID + "/" + in.Token + "/callback"
		many, _ := b.do("POST", path, object{"type": Autocomplete, "data": object{"choices": choices}})
		b.do("POST", path, object{"type": Autocomplete, "data": object{"choices": choices[:25]}})
		answered <- many
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	got, err := b.Suggest(ctx, Use{User: b.ada, Channel: b.general, Command: "docs use", Focused: "document", Options: map[string]string{"document": "n"}})
	if many := <-answered; err != nil || len(got) != 25 || many != 400 {
		t.Errorf("%d choices, %v; 26 were answered with %d", len(got), err, many)
	}
}

func option(kind int, name string, more object) object {
	o := object{"type": kind, "name": name, "description": "d"}
	for k, v := range more {
		o[k] = v
	}
	return o
}

func manyOptions(n, kind, words int) []object {
	var all []object
	for i := range n {
		all = append(all, object{"type": kind, "name": fmt.Sprintf("o%d", i), "description": strings.Repeat("d", words)})
	}
	return all
}

func TestLimitsOfCommands(t *testing.T) {
	b := open(t, Options{Rate: Rate{100, time.Second}})
	var many, nested []object
	for i := range 101 {
		many = append(many, object{"name": fmt.Sprintf("c%d", i), "description": "d"})
	}
	for i := range 4 {
		nested = append(nested, option(1, fmt.Sprintf("s%d", i), object{"options": manyOptions(25, 3, 100)}))
	}
	one := func(o object) []object { return []object{o} }
	options := func(all ...object) []object { return one(object{"name": "c", "description": "d", "options": all}) }
	for name, c := range map[string]struct {
		body []object
		ok   bool
	}{
		"as it should be":          {one(docsCommand), true},
		"none":                     {[]object{}, true},
		"100":                      {many[:100], true},
		"101":                      {many, false},
		"a capital letter":         {one(object{"name": "Docs", "description": "d"}), false},
		"a space":                  {one(object{"name": "docs use", "description": "d"}), false},
		"33 characters":            {one(object{"name": strings.Repeat("n", 33), "description": "d"}), false},
		"no description":           {one(object{"name": "n"}), false},
		"101 characters":           {one(object{"name": "n", "description": strings.Repeat("d", 101)}), false},
		"a name twice":             {[]object{docsCommand, docsCommand}, false},
		"25 options":               {one(object{"name": "c", "description": "d", "options": manyOptions(25, 3, 1)}), true},
		"26 options":               {one(object{"name": "c", "description": "d", "options": manyOptions(26, 3, 1)}), false},
		"required after optional":  {options(option(3, "a", nil), option(3, "b", object{"required": true})), false},
		"an option twice":          {options(option(3, "a", nil), option(3, "a", nil)), false},
		"subcommand beside option": {options(option(1, "a", nil), option(3, "b", nil)), false},
		"nested too deep":          {options(option(1, "a", object{"options": []object{option(1, "b", nil)}})), false},
		"a group":                  {options(option(2, "a", object{"options": []object{option(1, "b", nil)}})), true},
		"more than 8000":           {options(nested...), false},
		"choices and completion":   {options(option(3, "a", object{"autocomplete": true, "choices": []object{{"name": "n", "value": "v"}}})), false},
	} {
		if status, raw := b.raw("PUT", "/applications/"+b.Application()+"/commands", c.body); (status == 200) != c.ok {
			t.Errorf("%s: %d %s", name, status, raw)
		}
	}
	b.refused(403, 20012, "PUT", "/applications/"+b.Bot().ID+"/commands", []object{})
}

func TestOnlyRegisteredCommandsAreUsed(t *testing.T) {
	b := open(t, Options{})
	b.command()
	for _, u := range []Use{{Command: "docs"}, {Command: "docs list"}, {Command: "other"}, {Command: "docs use"}} {
		u.User, u.Channel = b.ada, b.general
		if _, err := b.Command(u); err == nil {
			t.Errorf("/%s was used", u.Command)
		}
	}
}
