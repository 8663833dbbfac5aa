package fakeslack

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// method is one of the Web API.
type method struct {
	tier   tier
	scopes string // any of these
	args   string // the arguments it knows
	app    bool   // takes the app-level token
	call   func(*Server, *call) (object, error)
}

type call struct {
	Args
	method string
	token  *token
}

// Request is one request as it came.
type Request struct {
	Method string
	Args   Args
	Error  string // how it was refused, "" if it was granted
	At     time.Time
}

type tokenKind int

const (
	botToken tokenKind = iota
	appToken
)

// token is what a client shows. refusal is the error it meets, "" while it is good.
type token struct {
	kind    tokenKind
	scopes  map[string]bool
	refusal string
}

func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("method")
	s.observe("before " + name)
	defer s.observe("after " + name)
	args, err := readArgs(r)
	if err != nil {
		s.violate("%s: %v", name, err)
		s.answer(w, nil, err)
		return
	}
	bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		bearer = args.str("token")
	}
	f := s.fault(name, args)
	if f != nil && !f.spoil(w, false) {
		s.record(name, args, string(f.Kind))
		return
	}
	v, err := s.run(w, name, bearer, args)
	if f != nil && !f.spoil(w, true) {
		return
	}
	s.answer(w, f.shorten(v), err)
}

func (s *Server) observe(step string) {
	if s.o.OnRequest != nil {
		s.o.OnRequest(step)
	}
}

// run carries a request out, unless a limit or a check refuses it.
func (s *Server) run(w http.ResponseWriter, name, bearer string, args Args) (object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := s.admit(w, name, bearer, args)
	code := ""
	if err != nil {
		var e *apiError
		if errors.As(err, &e) {
			code = e.Code
		} else {
			code = "ratelimited"
		}
		if e != nil && e.Wrong {
			s.wrong("%s: %v", name, err)
		}
	}
	s.requests = append(s.requests, Request{Method: name, Args: visible(args), Error: code, At: s.o.Now()})
	return v, err
}

// visible is a request's arguments without the token.
func visible(args Args) Args {
	c := Args{}
	for k, v := range args {
		if k != "token" {
			c[k] = v
		}
	}
	return c
}

func (s *Server) record(name string, args Args, refused string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Method: name, Args: visible(args), Error: refused, At: s.o.Now()})
}

// admit checks the token, scopes, limits and arguments, in Slack's order.
func (s *Server) admit(w http.ResponseWriter, name, bearer string, args Args) (object, error) {
	m, ok := methods[name]
	if !ok {
		return nil, &apiError{Code: "unknown_method", More: object{"req_method": name}, Wrong: true}
	}
	if bearer == "" {
		return nil, invalid("not_authed")
	}
	t, ok := s.tokens[bearer]
	switch {
	case !ok:
		return nil, errCode("invalid_auth")
	case t.refusal != "":
		return nil, errCode(t.refusal)
	case m.app != (t.kind == appToken):
		return nil, invalid("not_allowed_token_type")
	}
	w.Header().Set("X-OAuth-Scopes", t.list())
	w.Header().Set("X-Accepted-OAuth-Scopes", strings.Join(strings.Fields(m.scopes), ","))
	if !t.may(m.scopes) {
		return nil, &apiError{Code: "missing_scope", More: object{"needed": strings.Join(strings.Fields(m.scopes), ","), "provided": t.list()}, Wrong: true}
	}
	if after := s.limited(name, m, args); after > 0 {
		return nil, &rateLimit{after}
	}
	if more := args.unknown(m.args); len(more) > 0 {
		s.wrong("%s: unknown argument %s", name, strings.Join(more, ", "))
	}
	return m.call(s, &call{Args: args, method: name, token: t})
}

func (t *token) may(scopes string) bool {
	any := strings.Fields(scopes)
	for _, v := range any {
		if t.scopes[v] {
			return true
		}
	}
	return len(any) == 0
}

func (t *token) list() string { return strings.Join(slices.Sorted(maps.Keys(t.scopes)), ",") }

// rateLimit is a 429.
type rateLimit struct{ after time.Duration }

func (*rateLimit) Error() string { return "ratelimited" }

func (s *Server) answer(w http.ResponseWriter, v object, err error) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	var limit *rateLimit
	var refused *apiError
	switch {
	case errors.As(err, &limit):
		w.Header().Set("Retry-After", strconv.Itoa(seconds(limit.after)))
		w.WriteHeader(http.StatusTooManyRequests)
		v = object{"ok": false, "error": "ratelimited"}
	case errors.As(err, &refused):
		v = object{"ok": false, "error": refused.Code}
		if len(refused.Messages) > 0 {
			v["response_metadata"] = object{"messages": refused.Messages}
		}
		maps.Copy(v, refused.More)
	case err != nil:
		w.WriteHeader(http.StatusInternalServerError)
		v = object{"ok": false, "error": "internal_error"}
	default:
		if v == nil {
			v = object{}
		}
		v["ok"] = true
	}
	json.NewEncoder(w).Encode(v)
}

// Requests are those so far of the methods named, of every method if none is. A
// request that was answered in an interaction's response URL has the method
// "response_url".
func (s *Server) Requests(names ...string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var some []Request
	for _, r := range s.requests {
		if len(names) == 0 || slices.Contains(names, r.Method) {
			some = append(some, r)
		}
	}
	return some
}

// RequestsSince returns the requests after the first n.
func (s *Server) RequestsSince(n int) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests[n:])
}

// Revoke makes the bot's token meet an error from now on: "token_revoked",
// "account_inactive", "invalid_auth"; "" makes it good again.
func (s *Server) Revoke(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[s.o.BotToken].refusal = code
}
