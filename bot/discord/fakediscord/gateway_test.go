package fakediscord

import (
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

func TestMessagesAreDeliveredInOrder(t *testing.T) {
	b := open(t, Options{})
	c, _ := b.connect(usualIntents)
	for _, text := range []string{"one", "two", "three"} {
		b.Say(Said{User: b.ada, Channel: b.general, Text: text})
	}
	for i, text := range []string{"one", "two", "three"} {
		p := c.want(opDispatch, "MESSAGE_CREATE")
		var m Message
		into(t, p.D, &m)
		if p.Seq != 3+i || m.Content != text || m.GuildID != b.guild || m.Member == nil {
			t.Errorf("%d %+v", p.Seq, m)
		}
	}
	b.post(b.general, "ours")
	c.want(opDispatch, "MESSAGE_CREATE")
}

func TestMissedEventsAreReplayed(t *testing.T) {
	b := open(t, Options{})
	c, session := b.connect(usualIntents)
	b.Say(Said{User: b.ada, Channel: b.general, Text: "one"})
	seq := c.want(opDispatch, "MESSAGE_CREATE").Seq
	b.Cut()
	if _, code := c.next(); code == 0 {
		t.Fatal("not cut")
	}
	b.Say(Said{User: b.ada, Channel: b.general, Text: "two"})
	c = b.dial("/resume")
	c.want(opHello, "")
	c.send(opResume, object{"token": b.Token(), "session_id": session, "seq": seq})
	if p := c.want(opDispatch, "MESSAGE_CREATE"); p.Seq != seq+1 || !strings.Contains(string(p.D), "two") {
		t.Errorf("%+v", p)
	}
	c.want(opDispatch, "RESUMED")
	if v := b.Violations(); len(v) > 0 {
		t.Error(v)
	}
}

func TestSessionThatEndedIsNotResumed(t *testing.T) {
	b := open(t, Options{})
	for _, end := range []func(*client){
		func(c *client) { c.Conn.WriteControl(8, []byte{3, 232}, time.Now().Add(time.Second)) }, // close 1000
		func(*client) { b.RefuseResume(); b.Cut() },
		func(*client) { b.Invalidate(false); b.Cut() },
	} {
		b.ForgetIdentify()
		c, session := b.connect(usualIntents)
		end(c)
		for code := 0; code == 0; _, code = c.next() {
		}
		if err := b.await(t.Context(), func() bool { return len(b.conns) == 0 }); err != nil {
			t.Fatal(err)
		}
		c = b.dial("")
		c.want(opHello, "")
		c.send(opResume, object{"token": b.Token(), "session_id": session, "seq": 1})
		if p := c.want(opInvalidSession, ""); string(p.D) != "false" {
			t.Errorf("%s", p.D)
		}
	}
}

func TestIdentifyIsChecked(t *testing.T) {
	b := open(t, Options{})
	b.Grant(0)
	for _, c := range []struct {
		name string
		op   int
		data any
		code int
	}{
		{"a wrong token", opIdentify, identify("other", intentGuilds), CloseAuthentication},
		{"an intent that is not granted", opIdentify, identify("Bot "+b.Token(), usualIntents), CloseDisallowedIntents},
		{"an intent that does not exist", opIdentify, identify(b.Token(), 1<<30), CloseInvalidIntents},
		{"a wrong shard", opIdentify, object{"token": b.Token(), "intents": 0, "properties": object{}, "shard": []int{2, 2}}, CloseInvalidShard},
		{"no intents", opIdentify, object{"token": b.Token(), "properties": object{}}, CloseDecodeError},
		{"presence before identify", opPresence, object{}, CloseNotAuthenticated},
		{"an op that does not exist", 99, nil, CloseUnknownOpcode},
		{"a resume with a wrong token", opResume, object{"token": "other", "session_id": "x", "seq": 1}, CloseAuthentication},
	} {
		g := b.dial("")
		g.want(opHello, "")
		g.send(c.op, c.data)
		if p, code := g.next(); code != c.code {
			t.Errorf("%s: op %d, close %d; want close %d", c.name, p.Op, code, c.code)
		}
	}
	g := b.dial("")
	g.want(opHello, "")
	if err := g.WriteMessage(1, []byte("{")); err != nil {
		t.Fatal(err)
	}
	g.wantClose(CloseDecodeError)
}

func TestIdentifyTwice(t *testing.T) {
	b := open(t, Options{IdentifyEvery: time.Hour})
	g, session := b.connect(usualIntents)
	g.send(opIdentify, identify(b.Token(), usualIntents))
	g.wantClose(CloseAlready)
	soon := b.dial("")
	soon.want(opHello, "")
	soon.send(opIdentify, identify(b.Token(), usualIntents))
	if p := soon.want(opInvalidSession, ""); string(p.D) != "false" {
		t.Errorf("%s", p.D)
	}
	far := b.dial("")
	far.want(opHello, "")
	far.send(opResume, object{"token": b.Token(), "session_id": session, "seq": 1000})
	far.wantClose(CloseInvalidSeq)
	if v := b.Violations(); len(v) != 2 {
		t.Errorf("%q", v)
	}
}

func TestHeartbeats(t *testing.T) {
	now := newClock()
	b := open(t, Options{Now: now.now, Heartbeat: time.Second})
	g, session := b.connect(usualIntents)
	beat := func(seq int) { g.send(opHeartbeat, seq) }
	b.AskHeartbeat()
	g.want(opHeartbeat, "")
	beat(1)
	g.want(opHeartbeatAck, "")
	b.Zombie(true)
	beat(2)
	if err := b.await(t.Context(), func() bool { return b.sessions[session].acked == 2 }); err != nil {
		t.Fatal(err)
	}
	b.Reconnect()
	g.want(opReconnect, "") // and no acknowledgement before it
	b.Zombie(false)
	now.pass(12 * time.Second)
	beat(2)
	g.want(opHeartbeatAck, "")
	if v := b.Violations(); len(v) != 1 || !strings.Contains(v[0], "heartbeat after") {
		t.Errorf("%q", v)
	}
}

func TestARepeatedNoticeIsNotPostedAThirdTime(t *testing.T) {
	b := open(t, Options{})
	g, _ := b.connect(usualIntents)
	b.Say(Said{User: b.ada, Channel: b.general, Text: "hello"})
	g.want(opDispatch, "MESSAGE_CREATE")
	first, second := b.Repeat(), b.Repeat()
	if second != first+1 {
		t.Errorf("told again up to %d, and then up to %d", first, second)
	}
	for range 2 {
		g.want(opDispatch, "MESSAGE_CREATE")
	}
}

func TestFaultsOfTheGateway(t *testing.T) {
	b := open(t, Options{})
	hello := func() *client {
		b.ForgetIdentify()
		g := b.dial("")
		g.want(opHello, "")
		return g
	}
	gone := func(what string, g *client) {
		if p, code := g.next(); code != websocket.CloseAbnormalClosure {
			t.Errorf("%s: op %d, close %d; want a dropped connection", what, p.Op, code)
		}
	}
	b.CutAt(opHello)
	gone("hello", hello())
	for _, op := range []int{opIdentify, opResume, opHeartbeat} {
		b.CutAt(op)
		g := hello()
		g.send(op, object{})
		gone("op", g)
	}
	b.ReconnectFirst()
	g := hello()
	g.send(opIdentify, identify(b.Token(), usualIntents))
	g.want(opReconnect, "")
	b.RefuseIdentify()
	g = hello()
	g.send(opIdentify, identify(b.Token(), usualIntents))
	g.want(opInvalidSession, "")

	b.ForgetIdentify()
	g, _ = b.connect(usualIntents)
	b.CloseWith(CloseUnknownError)
	g.wantClose(CloseUnknownError)
	b.ForgetIdentify()
	g, _ = b.connect(usualIntents)
	b.CutOn("MESSAGE_CREATE", true)
	b.Say(Said{User: b.ada, Channel: b.general, Text: "the last"})
	g.want(opDispatch, "MESSAGE_CREATE")
	gone("after a dispatch", g)
	b.ForgetIdentify()
	g, _ = b.connect(usualIntents)
	b.CutOn("MESSAGE_CREATE", false)
	b.Say(Said{User: b.ada, Channel: b.general, Text: "never sent"})
	gone("before a dispatch", g)

	b.SilenceNext(1)
	g = b.dial("")
	if err := g.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, raw, err := g.ReadMessage(); err == nil {
		t.Errorf("the silent server said %s", raw)
	}
	if v := b.Violations(); len(v) > 0 {
		t.Error(v)
	}
}

func TestWithoutTheMessageContentIntent(t *testing.T) {
	b := open(t, Options{})
	b.Grant(0)
	g, _ := b.connect(intentGuilds | intentGuildMessages | intentDirectMessages)
	seen := func() Message {
		t.Helper()
		var m Message
		into(t, g.want(opDispatch, "MESSAGE_CREATE").D, &m)
		return m
	}
	file := []File{{Name: "a.txt", Data: []byte("a")}}
	b.Say(Said{User: b.ada, Channel: b.general, Text: "not for us", Files: file})
	if m := seen(); m.Content != "" || len(m.Attachments) != 0 || m.Author.ID != b.ada {
		t.Errorf("%+v", m)
	}
	_, raw := b.raw("GET", "/channels/"+b.general+"/messages", nil)
	if strings.Contains(string(raw), "not for us") {
		t.Errorf("%s", raw)
	}
	b.Say(Said{User: b.ada, Channel: b.general, Text: "<@" + b.Bot().ID + "> for us", Files: file})
	if m := seen(); !strings.HasSuffix(m.Content, "for us") || len(m.Attachments) != 1 {
		t.Errorf("%+v", m)
	}
	b.Say(Said{User: b.ada, Channel: b.DM(b.ada), Text: "direct"})
	if m := seen(); m.Content != "direct" || m.GuildID != "" || *m.ChannelType != DMChannel {
		t.Errorf("%+v", m)
	}
	b.post(b.general, "ours")
	if m := seen(); m.Content != "ours" {
		t.Errorf("%+v", m)
	}
}

func TestShards(t *testing.T) {
	b := open(t, Options{IdentifyEvery: time.Nanosecond})
	of := func(guild string) int { return int(bits(guild) >> 22 % 2) }
	for of(b.AddGuild("Another")) == of(b.guild) { // ids depend on the time
	}
	told := 0
	var clients []*client
	for shard := range 2 {
		g := b.dial("")
		g.want(opHello, "")
		who := identify(b.Token(), usualIntents)
		who["shard"] = []int{shard, 2}
		g.send(opIdentify, who)
		var ready struct{ Guilds []struct{ ID string } }
		into(t, g.want(opDispatch, "READY").D, &ready)
		for _, guild := range ready.Guilds {
			told++
			g.want(opDispatch, "GUILD_CREATE")
			if of(guild.ID) != shard {
				t.Errorf("shard %d was told of guild %s", shard, guild.ID)
			}
		}
		clients = append(clients, g)
	}
	if told != len(b.order) {
		t.Errorf("%d guilds were told of, want %d", told, len(b.order))
	}
	b.Say(Said{User: b.ada, Channel: b.DM(b.ada), Text: "direct"})
	clients[0].want(opDispatch, "MESSAGE_CREATE")
	b.Reconnect()
	clients[1].want(opReconnect, "") // and no direct message before it
}

func TestGuildsComeAndGo(t *testing.T) {
	b := open(t, Options{})
	g, _ := b.connect(usualIntents)
	channel := b.Invite("Second", "lobby", b.ada)
	if p := g.want(opDispatch, "GUILD_CREATE"); !strings.Contains(string(p.D), `"system_channel_id":"`+channel+`"`) {
		t.Errorf("%s", p.D)
	}
	b.RemoveFromGuild(b.guild)
	if p := g.want(opDispatch, "GUILD_DELETE"); !strings.Contains(string(p.D), b.guild) {
		t.Errorf("%s", p.D)
	}
	b.Say(Said{User: b.ada, Channel: b.general, Text: "unheard"})
	b.Dispatch("", "MESSAGE_UPDATE", object{"id": "1", "channel_id": channel, "author": nil})
	g.want(opDispatch, "MESSAGE_UPDATE")
	b.DeleteChannel(channel)
	g.want(opDispatch, "CHANNEL_DELETE")
}
