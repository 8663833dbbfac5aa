package fakediscord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// bench is a server with one guild, one channel, Ada in it, and a client of the API.
type bench struct {
	*Server
	t          *testing.T
	guild, ada string
	general    string
	version    string
	header     http.Header // of the last answer
}

func open(t *testing.T, o Options) *bench {
	t.Helper()
	if o.Now == nil && o.RespondWithin == 0 {
		o.RespondWithin = time.Minute // a busy machine may hold a client up
	}
	s := New(o)
	t.Cleanup(s.Close)
	b := &bench{Server: s, t: t, version: "v10"}
	b.guild = s.AddGuild("Workshop")
	b.ada = s.AddUser("Ada").ID
	s.AddMember(b.guild, b.ada)
	b.general = s.AddChannel(b.guild, Channel{Name: "general"})
	return b
}

// client sends every request for Discord or its files to the server.
func (b *bench) client() *http.Client {
	return &http.Client{Transport: rehost{b.base, &http.Transport{DisableKeepAlives: true}}, Timeout: 10 * time.Minute}
}

// rehost sends requests for Discord's hosts elsewhere.
type rehost struct {
	to   *url.URL
	next http.RoundTripper
}

func (r rehost) RoundTrip(q *http.Request) (*http.Response, error) {
	if h := q.URL.Hostname(); h != r.to.Hostname() && !strings.HasSuffix(h, "discord.com") && !strings.HasSuffix(h, "discordapp.com") {
		return nil, fmt.Errorf("request to %s", h)
	}
	q = q.Clone(q.Context())
	q.URL.Scheme, q.URL.Host, q.Host = r.to.Scheme, r.to.Host, ""
	return r.next.RoundTrip(q)
}

// counted is how many requests of the last ten minutes count toward a ban.
func (b *bench) counted() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.invalid)
}

// object is a JSON object.
type object = map[string]any

// do makes a request and decodes its answer.
func (b *bench) do(method, path string, body any, files ...File) (int, object) {
	b.t.Helper()
	status, raw := b.raw(method, path, body, files...)
	var o object
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &o); err != nil {
			b.t.Fatalf("%s %s: %s", method, path, raw)
		}
	}
	return status, o
}

func (b *bench) raw(method, path string, body any, files ...File) (int, []byte) {
	b.t.Helper()
	var buf bytes.Buffer
	kind := "application/json"
	if len(files) > 0 {
		w := multipart.NewWriter(&buf)
		p, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		if err := w.WriteField("payload_json", string(p)); err != nil {
			b.t.Fatal(err)
		}
		for i, f := range files {
			part, err := w.CreateFormFile("files["+string(rune('0'+i))+"]", f.Name)
			if err == nil {
				_, err = part.Write(f.Data)
			}
			if err != nil {
				b.t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.t.Fatal(err)
		}
		kind = w.FormDataContentType()
	} else if body != nil {
		if err := json.NewEncoder(&buf).Encode(body); err != nil {
			b.t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, "https://discord.com/api/"+b.version+path, &buf)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot "+b.Token())
	r.Header.Set("User-Agent", "DiscordBot (https://example.com, 1)")
	r.Header.Set("Content-Type", kind)
	resp, err := b.client().Do(r)
	if err != nil {
		return 0, nil
	}
	defer resp.Body.Close()
	b.header = resp.Header
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp.StatusCode, raw
}

// say is a body with a text and no mentions.
func say(text string) object {
	return object{"content": text, "allowed_mentions": object{"parse": []string{}}}
}

// post posts a text and returns the message.
func (b *bench) post(channel, text string) object {
	b.t.Helper()
	status, m := b.do("POST", "/channels/"+channel+"/messages", say(text))
	if status != 200 {
		b.t.Fatalf("%d %v", status, m)
	}
	return m
}

// refused expects a status and a code.
func (b *bench) refused(status, code int, method, path string, body any, files ...File) {
	b.t.Helper()
	got, o := b.do(method, path, body, files...)
	if got != status || o["code"] != float64(code) {
		b.t.Errorf("%s %s: %d %v, want %d %d", method, path, got, o, status, code)
	}
}

// client is a connection to the gateway.
type client struct {
	*websocket.Conn
	t *testing.T
}

// packet is what comes from the gateway.
type packet struct {
	Op  int             `json:"op"`
	Seq int             `json:"s"`
	T   string          `json:"t"`
	D   json.RawMessage `json:"d"`
}

func (b *bench) dial(path string) *client {
	b.t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(b.gatewayURL(path)+"/?v=10&encoding=json", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { ws.Close() })
	return &client{ws, b.t}
}

// next is the next packet, or the close code.
func (c *client) next() (packet, int) {
	c.t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(10 * time.Minute)); err != nil {
		c.t.Fatal(err)
	}
	_, raw, err := c.ReadMessage()
	if err != nil {
		if e, ok := err.(*websocket.CloseError); ok {
			return packet{}, e.Code
		}
		return packet{}, -1
	}
	var p packet
	if err := json.Unmarshal(raw, &p); err != nil {
		c.t.Fatalf("%s", raw)
	}
	return p, 0
}

// want is the next packet, which must have this op and type.
func (c *client) want(op int, event string) packet {
	c.t.Helper()
	p, code := c.next()
	if code != 0 || p.Op != op || p.T != event {
		c.t.Fatalf("op %d %s %s (close %d), want %d %s", p.Op, p.T, p.D, code, op, event)
	}
	return p
}

func (c *client) wantClose(code int) {
	c.t.Helper()
	if p, got := c.next(); got != code {
		c.t.Fatalf("op %d %s, close %d; want close %d", p.Op, p.T, got, code)
	}
}

func (c *client) send(op int, d any) {
	c.t.Helper()
	if err := c.WriteJSON(object{"op": op, "d": d}); err != nil {
		c.t.Fatal(err)
	}
}

const usualIntents = intentGuilds | intentGuildMessages | intentDirectMessages | intentMessageContent

func identify(token string, intents int) object {
	return object{"token": token, "intents": intents, "properties": object{"os": "linux"}}
}

// connect identifies and reads READY and the guild; it returns the session's id.
func (b *bench) connect(intents int) (*client, string) {
	b.t.Helper()
	c := b.dial("")
	c.want(opHello, "")
	c.send(opIdentify, identify(b.Token(), intents))
	var ready struct {
		SessionID string `json:"session_id"`
	}
	into(b.t, c.want(opDispatch, "READY").D, &ready)
	c.want(opDispatch, "GUILD_CREATE")
	return c, ready.SessionID
}

func into(t *testing.T, raw json.RawMessage, v any) {
	t.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
}
