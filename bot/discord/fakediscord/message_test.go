package fakediscord

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a time that a test moves while the server reads it.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func newClock() *clock { return &clock{at: time.UnixMilli(1_800_000_000_000)} }

func TestSnowflakesBearTimeAndGrow(t *testing.T) {
	c := newClock()
	b := open(t, Options{Now: c.now})
	one, two := b.post(b.general, "one")["id"].(string), b.post(b.general, "two")["id"].(string)
	if !older(one, two) || older(two, one) {
		t.Errorf("%s and %s", one, two)
	}
	if at := snowflakeTime(one); !at.Equal(c.now()) {
		t.Errorf("%v, want %v", at, c.now())
	}
}

func buttons(n int, label, id string) []object {
	var row []object
	for i := range n {
		row = append(row, object{"type": 2, "style": 1, "label": label, "custom_id": fmt.Sprintf(id, i)})
	}
	return row
}

func rows(all ...[]object) object {
	var rows []object
	for _, r := range all {
		rows = append(rows, object{"type": 1, "components": r})
	}
	m := say("x")
	m["components"] = rows
	return m
}

func menu(n int) object {
	var options []object
	for i := range n {
		options = append(options, object{"label": "o", "value": fmt.Sprint(i)})
	}
	return rows([]object{{"type": 3, "custom_id": "m", "options": options}})
}

func with(m object, name string, v any) object {
	m[name] = v
	return m
}

func TestLimitsOfMessages(t *testing.T) {
	b := open(t, Options{Rate: Rate{1000, time.Second}, Global: Rate{1000, time.Second}})
	for _, c := range []struct {
		name string
		body object
		code int // 0 if it is accepted
	}{
		{"2000 characters", say(strings.Repeat("é", 2000)), 0},
		{"2000 characters outside the BMP", say(strings.Repeat("😀", 2000)), 0},
		{"2001 characters", say(strings.Repeat("x", 2001)), 50035},
		{"outer white space does not count", say(strings.Repeat("x", 2000) + "\n\n"), 0},
		{"nothing", say(""), 50006},
		{"white space", say(" \n"), 50006},
		{"5 buttons in 5 rows", rows(buttons(5, "a", "a%d"), buttons(5, "b", "b%d"), buttons(5, "c", "c%d"), buttons(5, "d", "d%d"), buttons(5, "e", "e%d")), 0},
		{"6 buttons in a row", rows(buttons(6, "a", "a%d")), 50035},
		{"6 rows", rows(buttons(1, "a", "a%d"), buttons(1, "a", "b%d"), buttons(1, "a", "c%d"), buttons(1, "a", "d%d"), buttons(1, "a", "e%d"), buttons(1, "a", "f%d")), 50035},
		{"an empty row", rows([]object{}), 50035},
		{"a label of 81", rows(buttons(1, strings.Repeat("l", 81), "a%d")), 50035},
		{"no label", rows(buttons(1, "", "a%d")), 50035},
		{"a custom id of 101", rows(buttons(1, "a", strings.Repeat("i", 100)+"%d")), 50035},
		{"the same custom id twice", rows([]object{{"type": 2, "style": 1, "label": "a", "custom_id": "x"}}, []object{{"type": 2, "style": 1, "label": "b", "custom_id": "x"}}), 50035},
		{"a link", rows([]object{{"type": 2, "style": 5, "label": "a", "custom_id": "x"}}), 50035},
		{"a button outside a row", with(say("x"), "components", buttons(1, "a", "a%d")), 50035},
		{"25 options", menu(25), 0},
		{"26 options", menu(26), 50035},
		{"a menu beside a button", rows([]object{{"type": 3, "custom_id": "m", "options": []object{{"label": "o", "value": "v"}}}, {"type": 2, "style": 1, "label": "b", "custom_id": "b"}}), 50035},
		{"a nonce of 26", with(say("x"), "nonce", strings.Repeat("n", 26)), 50035},
		{"everybody and somebody", object{"content": "x", "allowed_mentions": object{"parse": []string{"users"}, "users": []string{b.ada}}}, 50035},
		{"an answer to nothing", with(say("x"), "message_reference", object{"message_id": "1"}), 50035},
		{"an answer to nothing, if need be", with(say("x"), "message_reference", object{"message_id": "1", "fail_if_not_exists": false}), 0},
	} {
		status, o := b.do("POST", "/channels/"+b.general+"/messages", c.body)
		if c.code == 0 && status != 200 || c.code != 0 && (status != 400 || o["code"] != float64(c.code)) {
			t.Errorf("%s: %d %v", c.name, status, o)
		}
		if c.code == 0 || c.code == 50006 {
			continue
		}
		if o["errors"] == nil {
			t.Errorf("%s: it is not said what was wrong: %v", c.name, o)
		}
		id := b.post(b.general, "to edit")["id"].(string)
		if c.body["message_reference"] == nil {
			b.refused(400, c.code, "PATCH", "/channels/"+b.general+"/messages/"+id, c.body)
		}
	}
}

func TestErrorsNameTheField(t *testing.T) {
	b := open(t, Options{})
	_, o := b.do("POST", "/channels/"+b.general+"/messages", rows(buttons(1, strings.Repeat("l", 81), "a%d")))
	e := o["errors"].(object)["components"].(object)["0"].(object)["components"].(object)["0"].(object)["label"].(object)["_errors"].([]any)[0].(object)
	if o["message"] != "Invalid Form Body" || e["code"] != "BASE_TYPE_MAX_LENGTH" || e["message"] != "Must be 80 or fewer in length." {
		t.Errorf("%v", o)
	}
}

func TestUnknownThings(t *testing.T) {
	b := open(t, Options{})
	own := b.post(b.general, "ours")["id"].(string)
	theirs := b.Say(Said{User: b.ada, Channel: b.general, Text: "hers"}).ID
	path := "/channels/" + b.general + "/messages/"
	b.refused(404, 10003, "POST", "/channels/1/messages", say("x"))
	b.refused(404, 10008, "PATCH", path+"1", say("x"))
	b.refused(403, 50005, "PATCH", path+theirs, say("x"))
	b.refused(403, 50013, "DELETE", path+theirs, nil)
	b.refused(400, 50006, "PATCH", path+own, say(""))
	if status, _ := b.do("DELETE", path+own, nil); status != 204 {
		t.Error(status)
	}
	b.refused(404, 10008, "GET", path+own, nil)
	b.version = "v8"
	b.refused(400, 50041, "GET", "/users/@me", nil)
	b.version = "v9"
	if status, o := b.do("GET", "/users/@me", nil); status != 200 || o["id"] != b.Bot().ID {
		t.Error(status, o)
	}
}

func TestPermissions(t *testing.T) {
	b := open(t, Options{Rate: Rate{100, time.Second}})
	deny := func(p uint64) { b.SetOverwrites(b.general, Overwrite{ID: b.guild, Deny: fmt.Sprint(p)}) }
	path := "/channels/" + b.general
	id := b.post(b.general, "ours")["id"].(string)
	deny(SendMessages)
	b.refused(403, 50013, "POST", path+"/messages", say("x"))
	deny(CreatePublicThreads)
	b.refused(403, 50013, "POST", path+"/messages/"+id+"/threads", object{"name": "x"})
	deny(AttachFiles)
	b.refused(403, 50013, "POST", path+"/messages", say("x"), File{Name: "a.txt", Data: []byte("a")})
	deny(ViewChannel)
	b.refused(403, 50001, "GET", path, nil)
	deny(ReadMessageHistory)
	b.refused(403, 50001, "GET", path+"/messages/"+id, nil)
	if _, raw := b.raw("GET", path+"/messages", nil); string(raw) != "[]" {
		t.Errorf("%s", raw)
	}
	b.refused(403, 160009, "POST", path+"/messages", with(say("x"), "message_reference", object{"message_id": id}))
	b.SetOverwrites(b.general, Overwrite{ID: b.guild, Deny: fmt.Sprint(SendMessages)}, Overwrite{ID: b.Bot().ID, Type: 1, Allow: fmt.Sprint(SendMessages)})
	b.post(b.general, "allowed by name")
	b.RemoveFromGuild(b.guild)
	b.refused(403, 50001, "POST", path+"/messages", say("x"))
	b.CloseDMs(b.ada)
	_, dm := b.do("POST", "/users/@me/channels", object{"recipient_id": b.ada})
	b.refused(403, 50007, "POST", "/channels/"+dm["id"].(string)+"/messages", say("x"))
}

func TestNonceIsPostedOnce(t *testing.T) {
	c := newClock()
	b := open(t, Options{Now: c.now})
	body := with(with(say("once"), "nonce", "n-1"), "enforce_nonce", true)
	path := "/channels/" + b.general + "/messages"
	_, one := b.do("POST", path, body)
	_, two := b.do("POST", path, body)
	if one["id"] != two["id"] || len(b.Messages(b.general, "")) != 1 {
		t.Errorf("%v and %v", one["id"], two["id"])
	}
	b.Server.Delete(b.general, one["id"].(string))
	b.refused(404, 10008, "POST", path, body)
	c.pass(4 * time.Minute)
	if _, three := b.do("POST", path, body); three["id"] == one["id"] {
		t.Error("a nonce is remembered for ever")
	}
}

func TestOldMessagesAreSeldomEdited(t *testing.T) {
	c := newClock()
	b := open(t, Options{Now: c.now})
	path := "/channels/" + b.general + "/messages/" + b.post(b.general, "old")["id"].(string)
	c.pass(61 * time.Minute)
	for range 3 {
		if status, o := b.do("PATCH", path, say("new")); status != 200 {
			t.Fatal(status, o)
		}
	}
	status, o := b.do("PATCH", path, say("newer"))
	if status != 429 || o["code"] != 30046.0 || o["retry_after"] != 6.0 || b.header.Get("X-RateLimit-Remaining") != "1" {
		t.Errorf("%d %v %v", status, o, b.header)
	}
	c.pass(6 * time.Second)
	if status, o := b.do("PATCH", path, say("newer")); status != 200 {
		t.Error(status, o)
	}
}

func TestPeopleNotified(t *testing.T) {
	b := open(t, Options{Rate: Rate{100, time.Second}})
	role := b.AddRole(b.guild, "Cooks", 0)
	b.SetOverwrites(b.general, Overwrite{ID: b.ada, Type: 1, Deny: fmt.Sprint(MentionEveryone)})
	ours := b.guilds[b.guild].roles[1]
	if m := b.Say(Said{User: b.ada, Channel: b.general, Text: "<@&" + role + "> <@&" + ours.ID + ">"}); len(m.MentionRoles) != 1 || ours.Tags.BotID != b.Bot().ID {
		t.Errorf("the bot's own role, which not everybody may notify, is among %v", m.MentionRoles)
	}
	hers := b.Say(Said{User: b.ada, Channel: b.general, Text: "hers"}).ID
	text := "@everyone <@" + b.ada + "> <@&" + role + ">"
	for _, c := range []struct {
		body object
		want int
	}{
		{object{"content": text}, 3},
		{say(text), 0},
		{object{"content": text, "allowed_mentions": object{}}, 0},
		{object{"content": text, "allowed_mentions": object{"parse": []string{"roles"}}}, 1},
		{object{"content": text, "allowed_mentions": object{"users": []string{b.ada}}}, 1},
		{object{"content": "`" + text + "`"}, 0},
		{object{"content": "x", "message_reference": object{"message_id": hers}}, 1},
		{with(say("x"), "message_reference", object{"message_id": hers}), 0},
	} {
		if status, o := b.do("POST", "/channels/"+b.general+"/messages", c.body); status != 200 {
			t.Fatal(status, o)
		}
		all := b.Messages(b.general, b.ada)
		if got := all[len(all)-1].Notifies; got != c.want {
			t.Errorf("%v notifies %d, want %d", c.body, got, c.want)
		}
	}
	if v := b.Violations(); len(v) != 3 || !strings.Contains(v[0], "allowed_mentions") {
		t.Errorf("violations %q", v)
	}
}

func TestHistoryIsPaged(t *testing.T) {
	b := open(t, Options{})
	var ids []string
	for i := range 7 {
		ids = append(ids, b.Say(Said{User: b.ada, Channel: b.general, Text: fmt.Sprint(i)}).ID)
	}
	for query, want := range map[string]string{
		"":                            "6543210",
		"?limit=2":                    "65",
		"?limit=2&before=" + ids[3]:   "21",
		"?limit=2&after=" + ids[3]:    "54",
		"?after=" + ids[6]:            "",
		"?limit=100&before=" + ids[0]: "",
		"?limit=3&after=1":            "210",
	} {
		_, raw := b.raw("GET", "/channels/"+b.general+"/messages"+query, nil)
		var all []Message
		into(t, raw, &all)
		got := ""
		for _, m := range all {
			got += m.Content
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	b.refused(400, 50035, "GET", "/channels/"+b.general+"/messages?limit=101", nil)
}

func TestLinksAreUnfurledUnlessSuppressed(t *testing.T) {
	b := open(t, Options{})
	c, _ := b.connect(usualIntents)
	b.post(b.general, "see https://example.com")
	c.want(opDispatch, "MESSAGE_CREATE")
	var m Message
	into(t, c.want(opDispatch, "MESSAGE_UPDATE").D, &m)
	if len(m.Embeds) != 1 || m.EditedTimestamp != nil {
		t.Errorf("%+v", m)
	}
	b.do("POST", "/channels/"+b.general+"/messages", with(say("see https://example.com"), "flags", FlagSuppressEmbeds))
	b.post(b.general, "see <https://example.com>")
	c.want(opDispatch, "MESSAGE_CREATE")
	c.want(opDispatch, "MESSAGE_CREATE")
}

func TestUnknownFieldsAreViolations(t *testing.T) {
	b := open(t, Options{})
	b.do("POST", "/channels/"+b.general+"/messages", with(say("x"), "alowed_mentions", object{}))
	if v := b.Violations(); len(v) != 1 || !strings.Contains(v[0], "alowed_mentions") {
		t.Errorf("%q", v)
	}
}

func TestDeletedMessages(t *testing.T) {
	b := open(t, Options{})
	c, _ := b.connect(usualIntents)
	var ids []string
	for range 3 {
		ids = append(ids, b.Say(Said{User: b.ada, Channel: b.general, Text: "x"}).ID)
		c.want(opDispatch, "MESSAGE_CREATE")
	}
	b.Delete(b.general, ids[0])
	if p := c.want(opDispatch, "MESSAGE_DELETE"); !strings.Contains(string(p.D), ids[0]) {
		t.Errorf("%s", p.D)
	}
	b.Delete(b.general, ids[1:]...)
	if p := c.want(opDispatch, "MESSAGE_DELETE_BULK"); !strings.Contains(string(p.D), ids[2]) {
		t.Errorf("%s", p.D)
	}
}
