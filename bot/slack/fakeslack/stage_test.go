package fakeslack

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// stage is a server with Ada in a channel, and a client without any comfort.
type stage struct {
	*Server
	t         *testing.T
	clock     *clock
	client    *http.Client
	ada, room string
}

func newStage(t *testing.T, o Options) *stage {
	t.Helper()
	c := &clock{now: time.Unix(1_750_000_000, 0)}
	o.Now = c.Now
	client := &http.Client{Transport: &http.Transport{}}
	s := &stage{Server: New(o), t: t, clock: c, client: client}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		s.Close()
	})
	s.ada = s.AddUser(User{Name: "Ada"}).ID
	s.room = s.AddChannel(Channel{Name: "general", Members: []string{s.ada, BotUser}}).ID
	return s
}

func (s *stage) say(text, thread string) string {
	return s.Say(Said{User: s.ada, Channel: s.room, Thread: thread, Text: text})
}

// do sends a request with a JSON body and a bearer token.
func (s *stage) do(method string, args map[string]any) (map[string]any, *http.Response) {
	s.t.Helper()
	body, err := json.Marshal(args)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.APIURL()+method, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	token := "xoxb-fake"
	if method == "apps.connections.open" {
		token = "xapp-fake"
	}
	req.Header.Set("Authorization", "Bearer "+token)
	return s.read(s.client.Do(req))
}

// form sends a request as a form with the token in it.
func (s *stage) form(method, token string, args url.Values) (map[string]any, *http.Response) {
	s.t.Helper()
	args.Set("token", token)
	return s.read(s.client.PostForm(s.APIURL()+method, args))
}

func (s *stage) read(resp *http.Response, err error) (map[string]any, *http.Response) {
	s.t.Helper()
	if err != nil {
		return nil, nil
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	var v map[string]any
	json.Unmarshal(b, &v) // a 500 is no JSON
	return v, resp
}

// must sends a request that is granted.
func (s *stage) must(method string, args map[string]any) map[string]any {
	s.t.Helper()
	v, _ := s.do(method, args)
	if v["ok"] != true {
		s.t.Fatalf("%s %v: %v", method, args, v)
	}
	return v
}

// refused sends a request that is refused with an error.
func (s *stage) refused(method, code string, args map[string]any) map[string]any {
	s.t.Helper()
	v, _ := s.do(method, args)
	if v["error"] != code {
		s.t.Errorf("%s %v: %v, want the error %s", method, args, v, code)
	}
	return v
}

func (s *stage) post(text, thread string) string {
	s.t.Helper()
	args := map[string]any{"channel": s.room, "text": text}
	if thread != "" {
		args["thread_ts"] = thread
	}
	return s.must("chat.postMessage", args)["ts"].(string)
}

// socket is a Socket Mode client.
type socket struct {
	t  *testing.T
	ws *websocket.Conn
}

func (s *stage) connect() *socket {
	s.t.Helper()
	ws, _, err := websocket.DefaultDialer.DialContext(s.t.Context(), s.must("apps.connections.open", nil)["url"].(string), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { ws.Close() })
	return &socket{s.t, ws}
}

// next is the next frame; nil when the connection ended.
func (c *socket) next() map[string]any {
	c.ws.SetReadDeadline(time.Now().Add(10 * time.Minute))
	var v map[string]any
	if err := c.ws.ReadJSON(&v); err != nil {
		return nil
	}
	return v
}

func (c *socket) ack(frame map[string]any) {
	c.t.Helper()
	if err := c.ws.WriteJSON(map[string]any{"envelope_id": frame["envelope_id"]}); err != nil {
		c.t.Error(err)
	}
}

// event is the next event, acknowledged.
func (c *socket) event() map[string]any {
	c.t.Helper()
	f := c.next()
	if f["type"] != "events_api" {
		c.t.Fatalf("frame %v, want an event", f)
	}
	c.ack(f)
	return f["payload"].(map[string]any)["event"].(map[string]any)
}

func (c *socket) hello() *socket {
	c.t.Helper()
	if f := c.next(); f["type"] != "hello" {
		c.t.Fatalf("frame %v, want hello", f)
	}
	return c
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s never came", what)
		}
	}
}

func (s *stage) clean() {
	s.t.Helper()
	if v := s.Violations(); len(v) > 0 {
		s.t.Errorf("violations: %s", strings.Join(v, "\n"))
	}
}
