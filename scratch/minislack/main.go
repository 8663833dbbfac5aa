package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

var mu sync.Mutex
var conns []*websocket.Conn
var n int

func send(v any) {
	mu.Lock()
	defer mu.Unlock()
	if len(conns) == 0 { fmt.Println("NO CONN"); return }
	c := conns[len(conns)-1]
	c.WriteJSON(v)
}

func event(id string, ev map[string]any) {
	send(map[string]any{"envelope_id": "env" + id, "type": "events_api", "accepts_response_payload": false, "payload": map[string]any{
		"team_id": "T1", "api_app_id": "A1", "type": "event_callback", "event_id": "Ev" + id, "event_time": time.Now().Unix(), "event": ev}})
}

func main() {
	allowed := map[string]bool{}
	for _, a := range os.Args[1:] { allowed[a] = true }
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	var srv *httptest.Server
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ws" {
			c, err := up.Upgrade(w, r, nil)
			if err != nil { return }
			c.WriteJSON(map[string]any{"type": "hello", "num_connections": 1, "connection_info": map[string]any{"app_id": "A1"}})
			mu.Lock(); conns = append(conns, c); mu.Unlock()
			go func() { for { time.Sleep(5*time.Second); mu.Lock(); c.WriteControl(websocket.PingMessage, []byte("x"), time.Now().Add(time.Second)); mu.Unlock() } }()
			for { _, b, err := c.ReadMessage(); if err != nil { return }; fmt.Println("  <- ws", string(b)) }
		}
		body, _ := io.ReadAll(r.Body)
		m := strings.TrimPrefix(r.URL.Path, "/api/")
		b := string(body); if len(b) > 600 { b = b[:600] }
		fmt.Println("  ->", m, b)
		out := map[string]any{"ok": true}
		mu.Lock(); n++; k := n; mu.Unlock()
		switch {
		case m == "auth.test": out["user_id"], out["bot_id"], out["team_id"], out["url"], out["team"], out["user"] = "UBOT", "B1", "T1", "https://x.slack.com/", "X", "bot"
		case m == "apps.connections.open": out["url"] = strings.Replace(srv.URL, "http", "ws", 1) + "/ws"
		case m == "chat.postMessage" || m == "chat.update" || m == "chat.postEphemeral": out["channel"], out["ts"] = "C1", fmt.Sprintf("1700000100.%06d", k)
		case allowed[m]:
		default: out["ok"], out["error"] = false, "unknown_method"
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	}))
	dir, _ := os.MkdirTemp("", "mini")
	cmd := exec.Command("bin/threadkeeper", "serve", "--db", dir+"/a.db")
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "SLACK_BOT_TOKEN=xoxb-1", "SLACK_APP_TOKEN=xapp-1", "SLACK_API_URL=" + srv.URL + "/api/", "LOG_LEVEL=info"}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Start()
	time.Sleep(4 * time.Second)
	fmt.Println("== mention")
	event("1", map[string]any{"type": "app_mention", "user": "U1", "text": "<@UBOT> The ferry to Hove leaves at nine. When does the ferry leave?", "ts": "1700000000.000100", "channel": "C1", "event_ts": "1700000000.000100"})
	time.Sleep(6 * time.Second)
	fmt.Println("== follow up")
	event("2", map[string]any{"type": "message", "user": "U1", "text": "and where does it go?", "ts": "1700000001.000100", "thread_ts": "1700000000.000100", "channel": "C1", "channel_type": "channel", "event_ts": "1700000001.000100"})
	time.Sleep(6 * time.Second)
	fmt.Println("== dm")
	event("3", map[string]any{"type": "message", "user": "U1", "text": "help", "ts": "1700000002.000100", "channel": "D1", "channel_type": "im", "event_ts": "1700000002.000100"})
	time.Sleep(5 * time.Second)
	fmt.Println("== slash")
	send(map[string]any{"envelope_id": "envs", "type": "slash_commands", "accepts_response_payload": true, "payload": map[string]any{"command": "/memory", "text": "status", "user_id": "U1", "team_id": "T1", "channel_id": "C1", "channel_name": "general", "response_url": srv.URL + "/api/response", "trigger_id": "1.2.3"}})
	time.Sleep(5 * time.Second)
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
}
