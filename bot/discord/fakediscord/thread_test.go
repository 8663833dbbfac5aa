package fakediscord

import (
	"strings"
	"testing"
	"time"
)

func TestThreadOnAMessage(t *testing.T) {
	b := open(t, Options{})
	c, _ := b.connect(usualIntents)
	m := b.Say(Said{User: b.ada, Channel: b.general, Text: "hello"})
	c.want(opDispatch, "MESSAGE_CREATE")
	path := "/channels/" + b.general + "/messages/" + m.ID
	for _, name := range []string{"", strings.Repeat("n", 101)} {
		b.refused(400, 50035, "POST", path+"/threads", object{"name": name})
	}
	b.refused(400, 50035, "POST", path+"/threads", object{"name": "x", "auto_archive_duration": 7})
	status, o := b.do("POST", path+"/threads", object{"name": "hello", "auto_archive_duration": 1440})
	if status != 201 || o["id"] != m.ID || o["parent_id"] != b.general || o["type"] != float64(PublicThread) {
		t.Fatal(status, o)
	}
	if p := c.want(opDispatch, "THREAD_CREATE"); !strings.Contains(string(p.D), `"newly_created":true`) {
		t.Errorf("%s", p.D)
	}
	c.want(opDispatch, "MESSAGE_UPDATE")
	b.refused(400, 160004, "POST", path+"/threads", object{"name": "hello"})
	_, first := b.do("GET", path, nil)
	if first["thread"] == nil || first["flags"] != float64(FlagHasThread) {
		t.Errorf("%v", first)
	}
	b.post(m.ID, "in the thread")
	_, raw := b.raw("GET", "/channels/"+m.ID+"/messages", nil)
	var all []Message
	into(t, raw, &all)
	if len(all) != 2 || all[1].Type != ThreadStarterMessage || all[1].ID == m.ID || all[1].ReferencedMessage.Content != "hello" {
		t.Errorf("%+v", all)
	}
	b.refused(404, 10008, "GET", "/channels/"+m.ID+"/messages/"+m.ID, nil)
	b.refused(400, 50024, "POST", "/channels/"+m.ID+"/messages/"+all[0].ID+"/threads", object{"name": "nested"})
}

func TestArchivedAndLockedThreads(t *testing.T) {
	b := open(t, Options{})
	m := b.Say(Said{User: b.ada, Channel: b.general, Text: "hello"})
	thread := b.OpenThread(b.ada, b.general, m.ID, "hello", false)
	own := b.post(thread, "ours")["id"].(string)
	b.SetThread(thread, true, false)
	b.refused(400, 50083, "PATCH", "/channels/"+thread+"/messages/"+own, say("edited"))
	b.refused(400, 50083, "DELETE", "/channels/"+thread+"/messages/"+own, nil)
	b.refused(403, 50013, "PATCH", "/channels/"+thread, object{"name": "not ours to name"})
	b.post(thread, "opens it again")
	if c, _ := b.Channel(thread); c.ThreadMetadata.Archived {
		t.Error("still archived")
	}
	if status, o := b.do("PATCH", "/channels/"+thread+"/messages/"+own, say("edited")); status != 200 {
		t.Error(status, o)
	}
	b.SetThread(thread, false, true)
	b.refused(403, 160005, "POST", "/channels/"+thread+"/messages", say("x"))
	b.refused(403, 160005, "PATCH", "/channels/"+thread+"/messages/"+own, say("edited"))
	b.SetThread(thread, true, true)
	b.refused(400, 50083, "POST", "/channels/"+thread+"/messages", say("x"))
	b.refused(403, 50013, "PATCH", "/channels/"+thread, object{"locked": false, "archived": false})
	b.AddRole(b.guild, "Moderators", ManageThreads, b.Bot().ID)
	if status, o := b.do("PATCH", "/channels/"+thread, object{"locked": false, "archived": false}); status != 200 {
		t.Error(status, o)
	}
}

func TestNamesOfThreadsAreSeldomChanged(t *testing.T) {
	c := newClock()
	b := open(t, Options{Now: c.now})
	thread := b.post(b.general, "hello")["id"].(string)
	b.do("POST", "/channels/"+b.general+"/messages/"+thread+"/threads", object{"name": "first"})
	rename := func(name string) (int, object) { return b.do("PATCH", "/channels/"+thread, object{"name": name}) }
	rename("second")
	rename("third")
	status, o := rename("fourth")
	if status != 429 || o["retry_after"] != 600.0 || b.header.Get("X-RateLimit-Remaining") == "0" {
		t.Errorf("%d %v %v", status, o, b.header)
	}
	if status, o := b.do("PATCH", "/channels/"+thread, object{"archived": true}); status != 200 {
		t.Error(status, o)
	}
	b.refused(400, 50083, "PATCH", "/channels/"+thread, object{"name": "while archived"})
	c.pass(10 * time.Minute)
	if status, o := b.do("PATCH", "/channels/"+thread, object{"name": "fourth", "archived": false}); status != 200 {
		t.Error(status, o)
	}
}

func TestForumPost(t *testing.T) {
	b := open(t, Options{})
	forum := b.AddChannel(b.guild, Channel{Name: "questions", Type: ForumChannel})
	c, _ := b.connect(usualIntents)
	id := b.Post(b.ada, forum, "How?", "How does it work?")
	c.want(opDispatch, "THREAD_CREATE")
	var m Message
	into(t, c.want(opDispatch, "MESSAGE_CREATE").D, &m)
	if m.ID != id || m.ChannelID != id || m.Content != "How does it work?" {
		t.Errorf("%+v", m)
	}
	b.refused(400, 40058, "POST", "/channels/"+forum+"/messages", say("x"))
}

func TestPrivateThreadIsForItsMembers(t *testing.T) {
	b := open(t, Options{})
	c, _ := b.connect(usualIntents)
	closed := b.PrivateThread(b.ada, b.general, "secret")
	b.refused(403, 50001, "POST", "/channels/"+closed+"/messages", say("x"))
	b.Say(Said{User: b.ada, Channel: closed, Text: "come in, <@" + b.Bot().ID + ">"})
	if p := c.want(opDispatch, "THREAD_CREATE"); !strings.Contains(string(p.D), `"member":{`) || strings.Contains(string(p.D), "newly_created") {
		t.Errorf("invited by %s", p.D)
	}
	b.post(closed, "x")
	open := b.PrivateThread(b.ada, b.general, "with us", b.Bot().ID)
	b.post(open, "x")
}
