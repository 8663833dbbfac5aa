package fakediscord

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

type failure struct {
	status  int
	code    int
	message string
	errors  map[string]any
}

func (e *failure) Error() string { return fmt.Sprintf("%d %d: %s", e.status, e.code, e.message) }

// Failures, by https://docs.discord.com/developers/topics/opcodes-and-status-codes#json.
var (
	unknownChannel     = &failure{404, 10003, "Unknown Channel", nil}
	unknownGuild       = &failure{404, 10004, "Unknown Guild", nil}
	unknownMember      = &failure{404, 10007, "Unknown Member", nil}
	unknownMessage     = &failure{404, 10008, "Unknown Message", nil}
	unknownWebhook     = &failure{404, 10015, "Unknown Webhook", nil}
	unknownInteraction = &failure{404, 10062, "Unknown interaction", nil}
	tooLarge           = &failure{413, 40005, "Request entity too large", nil}
	acknowledged       = &failure{400, 40060, "Interaction has already been acknowledged.", nil}
	missingAccess      = &failure{403, 50001, "Missing Access", nil}
	systemMessage      = &failure{403, 50021, "Cannot execute action on a system message", nil}
	notOurs            = &failure{403, 50005, "Cannot edit a message authored by another user", nil}
	emptyMessage       = &failure{400, 50006, "Cannot send an empty message", nil}
	cannotSendTo       = &failure{403, 50007, "Cannot send messages to this user", nil}
	noForum            = &failure{400, 40058, "Cannot send messages in a forum channel", nil}
	noText             = &failure{400, 50008, "Cannot send messages in a non-text channel", nil}
	missingPermissions = &failure{403, 50013, "Missing Permissions", nil}
	badWebhookToken    = &failure{401, 50027, "Invalid Webhook Token", nil}
	threadArchived     = &failure{400, 50083, "Thread is archived", nil}
	noReference        = &failure{403, 160009, "Cannot reference a message without permission to read message history", nil}
	threadExists       = &failure{400, 160004, "A thread has already been created for this message", nil}
	threadLocked       = &failure{403, 160005, "Thread is locked", nil}
	unauthorized       = &failure{401, 0, "401: Unauthorized", nil}
	wrongType          = &failure{400, 50024, "Cannot execute action on this channel type", nil}
	notFound           = &failure{404, 0, "404: Not Found", nil}
)

type reply struct {
	status int
	body   any
}

type call struct {
	*http.Request
	body  []byte // JSON
	files map[int]upload
}

type upload struct {
	name, media string
	data        []byte
}

// handler carries out a request. The lock is held. A nil answer is 204.
type handler func(c *call) (any, error)

// kind says what a route asks of a request.
type kind int

const (
	ordinary    kind = iota
	posting          // has the limit of messages in one channel
	interacting      // no bot token, and not counted globally
)

// Request is one that was made.
type Request struct {
	Method string
	Path   string // with the version, without the query
	Route  string // "POST /channels/{channel}/messages"
	Query  string
	Body   string // JSON, without files
	Files  []string
	Data   string // of its files
	Status int    // 0: the answer was lost
}

// Requests are all that were made to the API so far.
func (s *Server) Requests() []Request { return s.RequestsSince(0) }

// RequestsSince returns the requests after the first n.
func (s *Server) RequestsSince(n int) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests[n:])
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	add := func(route string, k kind, h handler) {
		method, path, _ := strings.Cut(route, " ")
		mux.HandleFunc(method+" /api/{version}"+path, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, route, k, h) })
	}
	s.accountRoutes(add)
	s.channelRoutes(add)
	s.threadRoutes(add)
	s.commandRoutes(add)
	s.interactionRoutes(add)
	mux.HandleFunc("/api/{version}/", func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, "unknown", ordinary, func(c *call) (any, error) {
			s.violate("no such route: %s %s", c.Method, c.URL.Path)
			return nil, notFound
		})
	})
	mux.HandleFunc("GET /attachments/{of}/{attachment}/{name}", s.serveFile)
	mux.HandleFunc("GET /ephemeral-attachments/{of}/{attachment}/{name}", s.serveFile)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			s.serveGateway(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// answer is what is written once the lock is released. Status 0 cuts the connection.
type answer struct {
	header http.Header
	status int
	body   []byte
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, route string, k kind, h handler) {
	c := &call{Request: r}
	readErr := c.read(int64(s.opts.UploadLimit)*10 + 1<<20)
	a := s.handle(c, route, k, h, readErr)
	if a.status == 0 {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			conn.Close()
		}
		return
	}
	maps.Copy(w.Header(), a.header)
	w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a client that has gone needs no answer
}

func (s *Server) handle(c *call, route string, k kind, h handler, readErr error) *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := Request{Method: c.Method, Path: c.URL.Path, Route: route, Query: c.URL.RawQuery, Body: string(c.body)}
	for i := range 10 {
		if f, ok := c.files[i]; ok {
			q.Files, q.Data = append(q.Files, f.name), q.Data+string(f.data)
		}
	}
	a := &answer{header: make(http.Header)}
	s.decide(a, c, &q, k, h, readErr)
	q.Status = a.status
	s.requests = append(s.requests, q)
	if a.status == 401 || a.status == 403 || a.status == 429 && a.header.Get("X-RateLimit-Scope") != "shared" {
		s.countInvalid()
	}
	s.ring()
	return a
}

// decide fills in what a request gets.
func (s *Server) decide(a *answer, c *call, q *Request, k kind, h handler, readErr error) {
	if v := c.PathValue("version"); v != "v9" && v != "v10" {
		a.write(&failure{400, 50041, "Invalid API version provided.", nil})
		return
	}
	if !strings.HasPrefix(c.UserAgent(), "DiscordBot ") {
		s.violate("%s: User-Agent %q; Discord asks for \"DiscordBot (url, version)\"", q.Route, c.UserAgent())
	}
	if k != interacting && c.Header.Get("Authorization") != "Bot "+s.opts.Token {
		a.write(unauthorized)
		return
	}
	f := s.matching(q)
	if f != nil && !f.After {
		f.answer(a)
		return
	}
	if !s.count(a, c, q.Route, k) {
		return
	}
	var result any
	err := readErr
	if err == nil {
		result, err = h(c)
	}
	switch {
	case f != nil:
		f.answer(a)
	case err != nil:
		a.write(err)
	default:
		a.write(result)
	}
}

func (a *answer) write(result any) {
	body := result
	a.status = http.StatusOK
	switch v := result.(type) {
	case nil:
		a.status = http.StatusNoContent
		return
	case reply:
		a.status, body = v.status, v.body
	case *tooOften:
		v.answer(a)
		return
	case *failure:
		m := map[string]any{"code": v.code, "message": v.message}
		if v.errors != nil {
			m["errors"] = v.errors
		}
		a.status, body = v.status, m
	case error:
		a.status, body = http.StatusInternalServerError, map[string]any{"code": 0, "message": v.Error()}
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // our own structs
	}
	a.header.Set("Content-Type", "application/json")
	a.body = b
}

// read takes JSON, or payload_json and files[n], from the request.
func (c *call) read(limit int64) error {
	media, params, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		b, err := io.ReadAll(io.LimitReader(c.Body, limit+1))
		if err != nil || int64(len(b)) > limit {
			return tooLarge
		}
		c.body = b
		return nil
	}
	c.files = make(map[int]upload)
	r := multipart.NewReader(io.LimitReader(c.Body, limit), params["boundary"])
	for {
		p, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return tooLarge
		}
		b, err := io.ReadAll(p)
		if err != nil {
			return tooLarge
		}
		if p.FormName() == "payload_json" {
			c.body = b
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(p.FormName(), "files["), "]"))
		if err != nil || !strings.HasPrefix(p.FormName(), "files[") {
			return invalid(p.FormName(), "UNKNOWN_PART", "Unknown form part.")
		}
		c.files[n] = upload{name: p.FileName(), media: p.Header.Get("Content-Type"), data: b}
	}
}

// decode reads the body of a request into v. Fields nobody knows are a violation: Discord
// ignores them, and with them what was meant.
func (s *Server) decode(c *call, v any) error {
	body := c.body
	if len(body) == 0 {
		body = []byte("{}")
	}
	if err := json.Unmarshal(body, v); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return invalid(wrong.Field, "MODEL_TYPE_CONVERT", "Could not interpret \""+wrong.Value+"\" as "+wrong.Type.String()+".")
		}
		return &failure{400, 50109, "The request body contains invalid JSON.", nil}
	}
	strict := json.NewDecoder(bytes.NewReader(body))
	strict.DisallowUnknownFields()
	if err := strict.Decode(v); err != nil {
		s.violate("%s %s: %v", c.Method, c.URL.Path, err)
	}
	return nil
}

// invalid is a failure of one field: "embeds.0.title".
func invalid(field, code, message string) *failure {
	e := map[string]any{"_errors": []any{map[string]any{"code": code, "message": message}}}
	parts := strings.Split(field, ".")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] != "" {
			e = map[string]any{parts[i]: e}
		}
	}
	return &failure{400, 50035, "Invalid Form Body", e}
}
