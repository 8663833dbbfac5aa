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
var conn *websocket.Conn
var n, seq int

var base = (time.Now().UnixMilli()-1420070400000)<<22
func id(n int64) string { return fmt.Sprint(((time.Now().UnixMilli()-1420070400000)<<22)&^255*0 + ids(n)) }
var idm = map[int64]int64{}
func ids(n int64) int64 { if idm[n]==0 { idm[n]=(time.Now().UnixMilli()-1420070400000)<<22+n }; return idm[n] }
type M = map[string]any

func send(v M) { mu.Lock(); defer mu.Unlock(); if conn != nil { conn.WriteJSON(v) } }
func event(t string, d any) { mu.Lock(); seq++; s := seq; mu.Unlock(); send(M{"op": 0, "t": t, "s": s, "d": d}) }

func main() {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	user := M{"id": "900", "username": "bot", "discriminator": "0", "bot": true}
	var srv *httptest.Server
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/ws") {
			c, err := up.Upgrade(w, r, nil)
			if err != nil { return }
			mu.Lock(); conn = c; mu.Unlock()
			send(M{"op": 10, "d": M{"heartbeat_interval": 41250}})
			for {
				_, b, err := c.ReadMessage(); if err != nil { fmt.Println("ws", err); return }
				fmt.Println("  <- ws", string(b))
				var p struct{ Op int }
				json.Unmarshal(b, &p)
				switch p.Op {
				case 2:
					event("READY", M{"v": 9, "user": user, "guilds": []M{{"id": "100", "unavailable": true}}, "session_id": "s1", "resume_gateway_url": strings.Replace(srv.URL, "http", "ws", 1) + "/ws", "application": M{"id": "900", "flags": 0}})
					event("GUILD_CREATE", M{"id": "100", "name": "G", "owner_id": "1", "joined_at": "2024-01-01T00:00:00Z", "roles": []M{{"id": "100", "name": "@everyone", "permissions": "1071698660929"}}, "channels": []M{{"id": "200", "type": 0, "name": "general", "position": 0, "permission_overwrites": []M{}}}, "threads": []M{}, "members": []M{}})
				case 1: send(M{"op": 11})
				}
			}
		}
		body, _ := io.ReadAll(r.Body)
		b := string(body); if len(b) > 500 { b = b[:500] }
		fmt.Println("  ->", r.Method, r.URL.Path+"?"+r.URL.RawQuery, b)
		mu.Lock(); n++; k := n; mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		p := r.URL.Path
		switch {
		case strings.HasSuffix(p, "/gateway/bot") || strings.HasSuffix(p, "/gateway"): json.NewEncoder(w).Encode(M{"url": strings.Replace(srv.URL, "http", "ws", 1) + "/ws", "shards": 1, "session_start_limit": M{"total": 1000, "remaining": 999, "reset_after": 1000, "max_concurrency": 1}})
		case r.Method == "POST" && strings.HasSuffix(p, "/messages"): json.NewEncoder(w).Encode(M{"id": fmt.Sprint(5000 + k), "channel_id": strings.Split(p, "/")[4], "content": "", "author": user})
		case r.Method == "PATCH" && strings.Contains(p, "/messages/"): json.NewEncoder(w).Encode(M{"id": "1", "author": user})
		case r.Method == "POST" && strings.HasSuffix(p, "/callback"): w.WriteHeader(204)
		case len(os.Args) > 1 && strings.HasSuffix(p, "/users/@me"): json.NewEncoder(w).Encode(user)
		case len(os.Args) > 1 && strings.HasSuffix(p, "/threads"): w.WriteHeader(201); json.NewEncoder(w).Encode(M{"id": strings.Split(p, "/")[6], "parent_id": "200", "type": 11, "guild_id": "100", "name": "x"})
		default: w.WriteHeader(404); json.NewEncoder(w).Encode(M{"message": "404: Not Found", "code": 0})
		}
	}))
	dir, _ := os.MkdirTemp("", "mini")
	cmd := exec.Command("bin/threadkeeper", "serve", "--db", dir+"/a.db")
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "DISCORD_TOKEN=abc", "DISCORD_API_URL=" + srv.URL, "LOG_LEVEL=info"}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Start()
	time.Sleep(4 * time.Second)
	al := M{"id": "1", "username": "alice", "discriminator": "0", "global_name": "Alice"}
	fmt.Println("== mention")
	event("MESSAGE_CREATE", M{"id": id(1), "channel_id": "200", "guild_id": "100", "type": 0, "content": "<@900> The ferry leaves at nine.", "author": al, "member": M{"roles": []string{}}, "mentions": []M{user}, "attachments": []M{}, "timestamp": "2026-11-21T00:00:00Z"})
	time.Sleep(6 * time.Second)
	fmt.Println("== follow")
	event("MESSAGE_CREATE", M{"id": id(2), "channel_id": id(1), "guild_id": "100", "type": 0, "content": "When does the ferry leave?", "author": al, "member": M{"roles": []string{}}, "mentions": []M{}, "attachments": []M{}, "timestamp": "2026-11-21T00:00:00Z"})
	time.Sleep(6 * time.Second)
	fmt.Println("== dm")
	event("MESSAGE_CREATE", M{"id": id(3), "channel_id": "300", "type": 0, "content": "help", "author": al, "mentions": []M{}, "attachments": []M{}, "timestamp": "2026-11-21T00:00:00Z"})
	time.Sleep(6 * time.Second)
	fmt.Println("== slash")
	event("INTERACTION_CREATE", M{"id": id(4), "application_id": "900", "type": 2, "token": "tok", "guild_id": "100", "channel_id": "200", "member": M{"user": al, "roles": []string{}, "permissions": "0"}, "data": M{"id": "7", "name": "memory", "type": 1, "options": []M{{"name": "status", "type": 1}}}, "version": 1, "locale": "en-US"})
	time.Sleep(6 * time.Second)
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
}
