package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// line is a connection of a gateway to a server that plays a script.
func line(t *testing.T, script func(*websocket.Conn)) (*gateway, *connection) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := new(websocket.Upgrader).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer ws.Close()
		script(ws)
	}))
	t.Cleanup(server.Close)
	a := New(Options{Token: "secret"})
	g := &gateway{a: a, session: &session{token: "secret"}, intents: discordgo.IntentsGuilds}
	ws, err := a.dial(t.Context(), strings.Replace(server.URL, "http", "ws", 1))
	if err != nil {
		t.Fatal(err)
	}
	return g, &connection{g: g, ws: ws, open: time.Now().Add(patiently)}
}

func play(ws *websocket.Conn, packets ...string) {
	for _, p := range packets {
		_ = ws.WriteMessage(websocket.TextMessage, []byte(p)) // the client may have ended
	}
}

func takeAll(packet) bool { return true }

const hello = `{"op":10,"d":{"heartbeat_interval":600000}}`

func TestStrangePacketsAreSurvived(t *testing.T) {
	_, c := line(t, func(ws *websocket.Conn) {
		play(ws, hello, "null", "[]", "7", `"x"`, "{", "", " null ", `{"op":99}`, `{"op":-1,"d":{}}`,
			`{"op":0,"s":1,"t":"GUILD_CREATE","d":null}`, `{"op":0,"s":2,"t":"READY","d":{"guilds":[null]}}`, `{"op":11}`, `{"op":7}`)
		_, _, _ = ws.ReadMessage()
	})
	var types []string
	err := c.run(t.Context(), func(p packet) bool {
		if p.Type != "" {
			types = append(types, p.Type)
		}
		return true
	})
	if want := []string{"GUILD_CREATE", "READY"}; !slices.Equal(types, want) || !errors.Is(err, errReconnect) {
		t.Errorf("took %q, want %q, and ended with %v", types, want, err)
	}
}

func TestAHeartbeatThatIsAskedForIsAnswered(t *testing.T) {
	said := make(chan string, 9)
	g, c := line(t, func(ws *websocket.Conn) {
		play(ws, hello, `{"op":1,"d":null}`)
		for range 2 {
			_, b, _ := ws.ReadMessage()
			said <- strings.TrimSpace(string(b))
		}
	})
	g.session.begin(packet{Seq: 42})
	if err := c.run(t.Context(), takeAll); err == nil {
		t.Error("the connection did not end")
	}
	<-said // IDENTIFY
	if got := <-said; got != `{"op":1,"d":42}` {
		t.Errorf("answered %q", got)
	}
}

func TestLineEndings(t *testing.T) {
	for name, x := range map[string]struct {
		said string
		want error
	}{
		"op 7":               {`{"op":7,"d":null}`, errReconnect},
		"op 9":               {`{"op":9,"d":false}`, errInvalid},
		"op 9, resumable":    {`{"op":9,"d":true}`, errReconnect},
		"no heartbeat":       {`{"op":10,"d":{"heartbeat_interval":0}}`, errProtocol},
		"negative heartbeat": {`{"op":10,"d":{"heartbeat_interval":-1}}`, errProtocol},
		"endless heartbeat":  {`{"op":10,"d":{"heartbeat_interval":9223372036854775807}}`, errProtocol},
		"heartbeat of null":  {`{"op":10,"d":null}`, errProtocol},
		"no room":            {`{"op":0,"s":1,"t":"MESSAGE_CREATE","d":{}}`, errBehind},
	} {
		t.Run(name, func(t *testing.T) {
			g, c := line(t, func(ws *websocket.Conn) {
				play(ws, x.said)
				_, _, _ = ws.ReadMessage()
			})
			g.session.id, g.session.url = "s", "u"
			if err := c.run(t.Context(), func(packet) bool { return false }); !errors.Is(err, x.want) {
				t.Errorf("ended with %v, want %v", err, x.want)
			}
			if kept := g.session.id != ""; kept == (name == "op 9" || name == "no room") {
				t.Errorf("session kept: %v", kept)
			}
		})
	}
}

func TestAnEndlessFrameEndsTheConnection(t *testing.T) {
	_, c := line(t, func(ws *websocket.Conn) {
		_, _ = ws.NetConn().Write([]byte{0x81, 127, 0x7f, 255, 255, 255, 255, 255, 255, 255})
		_, _, _ = ws.ReadMessage()
	})
	if err := c.run(t.Context(), takeAll); !errors.Is(err, websocket.ErrReadLimit) {
		t.Errorf("ended with %v", err)
	}
}

func TestCloseCodesAreReported(t *testing.T) {
	_, c := line(t, func(ws *websocket.Conn) {
		_ = ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(4014, "Disallowed intent(s)."))
	})
	var closed *websocket.CloseError
	if err := c.run(t.Context(), takeAll); !errors.As(err, &closed) || closed.Code != 4014 || closed.Text != "Disallowed intent(s)." {
		t.Errorf("ended with %v", err)
	}
}

// opening is what a connection says first.
func opening(t *testing.T, prepare func(*gateway, *connection)) string {
	t.Helper()
	first := make(chan string, 1)
	g, c := line(t, func(ws *websocket.Conn) {
		play(ws, hello)
		_, b, _ := ws.ReadMessage()
		first <- strings.TrimSpace(string(b))
	})
	prepare(g, c)
	_ = c.run(t.Context(), takeAll) // the server hangs up
	return <-first
}

func TestASessionIsBegunAsTheDocumentationSays(t *testing.T) {
	got := opening(t, func(g *gateway, _ *connection) { g.a.Shard, g.a.Shards = 1, 3 })
	want := `{"op":2,"d":{"token":"secret","properties":{"browser":"threadkeeper","device":"threadkeeper","os":"` + runtime.GOOS + `"},"shard":[1,3],"intents":1}}`
	if got != want {
		t.Errorf("said %s, want %s", got, want)
	}
}

func TestASessionIsResumedAfterWhatWasHandled(t *testing.T) {
	got := opening(t, func(g *gateway, c *connection) {
		ready, _ := g.session.begin(packet{Seq: 1, Type: "READY", Data: json.RawMessage(`{"session_id":"S","resume_gateway_url":"wss://elsewhere"}`)})
		done, _ := g.session.begin(packet{Seq: 9})
		g.session.begin(packet{Seq: 10}) // is still being handled
		ready()
		done()
		var url string
		if c.resume, url = g.session.resume(); url != "wss://elsewhere" {
			t.Errorf("resume at %s", url)
		}
	})
	if want := `{"op":6,"d":{"token":"secret","session_id":"S","seq":9}}`; got != want {
		t.Errorf("said %s, want %s", got, want)
	}
}

// TestStoppingEndsTheSession, and nothing else does: the gateway sees a close code of 1000 only then.
func TestStoppingEndsTheSession(t *testing.T) {
	for name, stopped := range map[string]bool{"stopped": true, "given up": false} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			_, c := line(t, func(ws *websocket.Conn) {
				play(ws, hello)
				_, _, _ = ws.ReadMessage()
				if stopped {
					stop()
				} else {
					play(ws, `{"op":7}`)
				}
				_, _, err := ws.ReadMessage()
				ended <- err
			})
			_ = c.run(ctx, takeAll)
			if err := <-ended; websocket.IsCloseError(err, websocket.CloseNormalClosure) != stopped {
				t.Errorf("the gateway saw %v", err)
			}
			stop()
		})
	}
}

func TestALineThatSaysNothingEnds(t *testing.T) {
	_, c := line(t, func(ws *websocket.Conn) { _, _, _ = ws.ReadMessage() })
	c.open = time.Now().Add(10 * time.Millisecond)
	if err := c.run(t.Context(), takeAll); err == nil {
		t.Error("read from a silent gateway")
	}
}
