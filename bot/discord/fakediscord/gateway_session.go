package fakediscord

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// session is one identified client. It outlives its connection, to be resumed.
type session struct {
	id      string
	intents int
	shard   [2]int
	conn    *conn // nil while nobody is connected
	invalid bool  // can not be resumed
	seq     int
	log     []frame // the last dispatches, for those that resume
	acked   int     // sequence of the last heartbeat
	ready   bool
	gone    time.Time // since when nobody is connected
}

// replayed is how many dispatches are kept for those that resume.
const replayed = 5000

// resumable is how long a session waits for its client.
const resumable = 3 * time.Minute

// push gives a dispatch the next number and sends it. Data is what it is now, whatever
// becomes of it.
func (n *session) push(name string, data any) {
	b, err := json.Marshal(data)
	if err != nil {
		panic(err) // our own structs, or a test's
	}
	n.seq++
	seq := n.seq
	f := frame{Op: opDispatch, Data: json.RawMessage(b), Seq: &seq, Type: name}
	n.log = append(n.log, f)
	if len(n.log) > 2*replayed {
		n.log = append([]frame(nil), n.log[len(n.log)-replayed:]...)
	}
	if n.conn != nil && !n.conn.over && !n.conn.cutOn(name) {
		n.conn.send(f)
	}
}

// event is something to be told to the sessions that may know it.
type event struct {
	name    string
	guild   string   // "" for direct messages
	channel *channel // only if the bot sees it; nil for no such condition
	intents int      // one of them is needed; 0 for none
	data    func(to *session) any
}

// same is data that does not depend on the session.
func same(v any) func(*session) any { return func(*session) any { return v } }

// dispatch tells an event. The lock is held.
func (s *Server) dispatch(e event) {
	if g := s.guilds[e.guild]; e.guild != "" && e.name != "GUILD_DELETE" && g.members[s.bot.ID] == nil {
		return
	}
	if e.channel != nil && !s.may(s.bot.ID, e.channel, ViewChannel) {
		return
	}
	for _, n := range s.sessions {
		if n.ready && !n.invalid && n.concerns(e.guild) && (e.intents == 0 || n.intents&e.intents != 0) {
			n.push(e.name, e.data(n))
		}
	}
}

// concerns reports whether a guild is the session's. Direct messages are shard 0's.
// https://docs.discord.com/developers/events/gateway#sharding
func (n *session) concerns(guild string) bool {
	if n.shard[1] <= 1 {
		return true
	}
	id, err := strconv.ParseUint(or(guild, "0"), 10, 64)
	return err == nil && int(id>>22%uint64(n.shard[1])) == n.shard[0]
}

type identifyBody struct {
	Token      string         `json:"token"`
	Intents    *int           `json:"intents"`
	Shard      *[2]int        `json:"shard"`
	Properties map[string]any `json:"properties"`
}

func (s *Server) identify(c *conn, data json.RawMessage) {
	if c.session != nil {
		s.violate("gateway: IDENTIFY twice on a connection")
		c.close(CloseAlready)
		return
	}
	var b identifyBody
	if json.Unmarshal(data, &b) != nil || b.Intents == nil || b.Properties == nil {
		c.close(CloseDecodeError)
		return
	}
	early := s.now().Sub(s.identified) < s.opts.IdentifyEvery
	s.identified = c.greeted // the client cannot know how long its IDENTIFY was on its way
	s.starts++
	shard := [2]int{0, 1}
	if b.Shard != nil {
		shard = *b.Shard
	}
	switch {
	case strings.TrimPrefix(b.Token, "Bot ") != s.opts.Token:
		c.close(CloseAuthentication)
	case *b.Intents&^knownIntents != 0:
		c.close(CloseInvalidIntents)
	case *b.Intents&privilegedIntents&^s.granted != 0:
		c.close(CloseDisallowedIntents)
	case shard[1] < 1 || shard[0] < 0 || shard[0] >= shard[1]:
		c.close(CloseInvalidShard)
	case early:
		s.violate("gateway: IDENTIFY twice within %v", s.opts.IdentifyEvery)
		c.send(frame{Op: opInvalidSession, Data: false})
	case s.gates.refuse[opIdentify]:
		delete(s.gates.refuse, opIdentify)
		c.send(frame{Op: opInvalidSession, Data: false})
	case s.gates.reconnectFirst:
		s.gates.reconnectFirst = false
		c.send(frame{Op: opReconnect})
	default:
		s.begin(c, *b.Intents, shard)
	}
}

func (s *Server) begin(c *conn, intents int, shard [2]int) {
	n := &session{id: "session-" + s.id(), intents: intents, shard: shard, conn: c, ready: true}
	c.session = n
	s.sessions[n.id] = n
	unavailable, mine := []map[string]any{}, []*guild{}
	for _, g := range s.joined() {
		if n.concerns(g.id) {
			mine = append(mine, g)
			unavailable = append(unavailable, map[string]any{"id": g.id, "unavailable": true})
		}
	}
	n.push("READY", map[string]any{
		"v": 10, "user": s.self(), "guilds": unavailable, "session_id": n.id, "resume_gateway_url": s.gatewayURL("/resume"), "shard": shard,
		"session_type": "normal", "private_channels": []any{}, "relationships": []any{}, "presences": []any{}, "user_settings": map[string]any{},
		"guild_join_requests": []any{}, "geo_ordered_rtc_regions": []any{}, "_trace": []string{}, "auth": map[string]any{},
		"application": map[string]any{"id": s.application, "flags": s.app().(map[string]any)["flags"]},
	})
	if n.intents&intentGuilds == 0 {
		return
	}
	for _, g := range mine {
		n.push("GUILD_CREATE", s.guildCreate(g))
	}
}

func (s *Server) resume(c *conn, data json.RawMessage) {
	if c.session != nil {
		c.close(CloseAlready)
		return
	}
	var b struct {
		Token     string `json:"token"`
		SessionID string `json:"session_id"`
		Seq       int    `json:"seq"`
	}
	if json.Unmarshal(data, &b) != nil {
		c.close(CloseDecodeError)
		return
	}
	n := s.sessions[b.SessionID]
	switch {
	case s.gates.dropResumes:
		c.close(0)
	case strings.TrimPrefix(b.Token, "Bot ") != s.opts.Token:
		c.close(CloseAuthentication)
	case s.gates.reconnectFirst:
		s.gates.reconnectFirst = false
		c.send(frame{Op: opReconnect})
	case s.gates.refuse[opResume] || n == nil || n.invalid || n.conn == nil && s.now().Sub(n.gone) > resumable || len(n.log) > 0 && b.Seq < *n.log[0].Seq-1:
		delete(s.gates.refuse, opResume)
		delete(s.sessions, b.SessionID)
		c.send(frame{Op: opInvalidSession, Data: false})
	case b.Seq > n.seq || b.Seq < 0:
		c.close(CloseInvalidSeq)
	default:
		s.goOn(c, n, b.Seq)
	}
}

func (s *Server) goOn(c *conn, n *session, seq int) {
	if n.conn != nil {
		n.conn.close(CloseUnknownError)
	}
	c.session, n.conn = n, c
	for _, f := range n.log {
		if *f.Seq > seq {
			c.send(f)
		}
	}
	n.push("RESUMED", map[string]any{"_trace": []string{}})
}

func (s *Server) left(c *conn) {
	if n := c.session; n != nil && n.conn == c {
		n.conn, n.gone = nil, s.now()
	}
}
