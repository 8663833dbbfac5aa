// Package fakemodel is a language model for tests and demonstrations: an HTTP server that speaks the OpenAI chat completions API (and
// enough of Anthropic's Messages API), answers from a script, records what it was asked, and fails on a schedule. It refuses malformed
// requests as the real services do. It owns one listener on 127.0.0.1 and needs no testing.TB, so that a main can start it as well.
package fakemodel

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options say how the server behaves.
type Options struct {
	Script  []Rule               // tried in order
	Default func(Request) string // answers what no rule matches; nil: such a request is answered 500 and listed by Unexpected
	Count   func(string) int     // tokens of a text; nil: a quarter of its bytes, rounded up
	Models  []string             // every other name is answered 404; empty: every name is known
	Key     string               // the key that is asked for; "": none is
	Refuse  []string             // request fields (also "json_schema", "json_object") answered 400, as an older server does

	NoTools    World          // refuses requests with tools, in the words of this world; "" takes them
	NoPictures World          // likewise pictures
	About      map[string]any // further fields of each model in GET /v1/models, such as "max_model_len"
	Native     map[string]any // answers beside /v1 by method and path, such as "POST /api/show"; else 404
}

// Server is a running fake. Its methods may be called concurrently.
type Server struct {
	o        Options
	url      string
	http     *http.Server
	closing  chan struct{}
	serving  sync.WaitGroup
	handlers sync.WaitGroup

	mu         sync.Mutex
	closed     bool
	requests   []Request
	unexpected []Request
	matched    []int // per rule: requests its pattern matched
	used       []int // per rule: requests it answered
}

// Start listens on a free port of 127.0.0.1.
func Start(o Options) (*Server, error) {
	for i, r := range o.Script {
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("fakemodel: rule %d: %w", i+1, err)
		}
	}
	if o.Count == nil {
		o.Count = func(s string) int { return (len(s) + 3) / 4 }
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("fakemodel: %w", err)
	}
	s := &Server{o: o, url: "http://" + l.Addr().String() + "/v1", closing: make(chan struct{}), matched: make([]int, len(o.Script)), used: make([]int, len(o.Script))}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.tracked(s.chat))
	mux.HandleFunc("POST /v1/messages", s.tracked(s.messages))
	mux.HandleFunc("GET /v1/models", s.tracked(s.models))
	mux.HandleFunc("GET /v1/models/{name...}", s.tracked(s.model))
	mux.HandleFunc("/", s.tracked(s.native))
	s.http = &http.Server{Handler: mux}
	s.serving.Go(func() { _ = s.http.Serve(l) }) // ends with ErrServerClosed
	return s, nil
}

// URL returns the base URL for OpenAI clients; it ends in /v1. Anthropic clients add /v1 themselves.
func (s *Server) URL() string { return s.url }

// Close ends every connection, hanging ones too, and waits for the handlers. Closing twice is harmless.
func (s *Server) Close() {
	s.mu.Lock()
	again := s.closed
	s.closed = true
	s.mu.Unlock()
	if again {
		return
	}
	close(s.closing)
	_ = s.http.Close() // closes what it can; there is nothing to do about the rest
	s.serving.Wait()
	s.handlers.Wait()
}

// Requests returns every well-formed request in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Unexpected returns the requests no rule matched, when there is no Default.
func (s *Server) Unexpected() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.unexpected)
}

func (s *Server) tracked(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		closed := s.closed
		if !closed {
			s.handlers.Add(1)
		}
		s.mu.Unlock()
		if closed {
			return
		}
		defer s.handlers.Done()
		h(w, r)
	}
}

// Request is one request as it arrived.
type Request struct {
	Path           string // below /v1: "/chat/completions" or "/messages"
	Model          string
	Messages       []Message // Anthropic's system text comes first, with role system
	Stream         bool
	ResponseFormat json.RawMessage // nil when absent; Anthropic: output_config.format
	MaxTokens      int             // max_completion_tokens or max_tokens; 0 when absent
	Temperature    *float64        // nil when absent
	Tools          []string        // the names of the tools offered
	ToolChoice     string          // "" when absent; of an object its type
	Effort         string          // reasoning_effort; "" when absent
	Pictures       int             // in all messages
	Body           []byte
	At             time.Time
	Cached         int // tokens of the prompt, tools included, that an earlier request to the same model began with
	Uncached       int // those behind them

	usage bool   // stream_options.include_usage
	key   string // see cached
}

// Message is one message with the text of its parts, joined by newlines.
type Message struct{ Role, Text string }

// User returns the text of the last user message.
func (r Request) User() string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "user" {
			return m.Text
		}
	}
	return ""
}

// System returns the text of all system messages.
func (r Request) System() string { return r.text("system", "developer") }

// Prompt returns the text of all messages.
func (r Request) Prompt() string { return r.text() }

// text is that of the messages of some roles, of all without any.
func (r Request) text(roles ...string) string {
	var texts []string
	for _, m := range r.Messages {
		if len(roles) == 0 || slices.Contains(roles, m.Role) {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// accept reads, checks and records a request; false means it was refused.
func (s *Server) accept(w http.ResponseWriter, r *http.Request, read func([]byte) (Request, *refusal)) (Request, bool) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return Request{}, false // the client left
	}
	if s.o.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.o.Key && r.Header.Get("X-Api-Key") != s.o.Key {
		(&refusal{status: 401, typ: "authentication_error", code: "invalid_api_key", message: "Incorrect API key provided."}).write(w)
		return Request{}, false
	}
	req, bad := read(body)
	if bad == nil {
		bad = s.refused(body)
	}
	if bad == nil {
		bad = s.lacks(req)
	}
	if bad == nil && len(s.o.Models) > 0 && !slices.Contains(s.o.Models, req.Model) {
		bad = &refusal{status: 404, code: "model_not_found", message: "The model `" + req.Model + "` does not exist or you do not have access to it."}
	}
	if bad != nil {
		bad.write(w)
		return req, false
	}
	req.Path = strings.TrimPrefix(r.URL.Path, "/v1")
	req.Body, req.At = body, time.Now()
	req.key = req.cacheKey()
	s.mu.Lock()
	req.Cached, req.Uncached = s.cached(req)
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	return req, true
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // fails only when the client has left
}
