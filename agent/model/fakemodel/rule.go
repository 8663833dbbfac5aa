package fakemodel

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// Rule answers the requests it matches.
type Rule struct {
	On    string               // what Match looks at: "user" (the last user message; also ""), "system" or "prompt" (all messages)
	Match *regexp.Regexp       // nil matches everything
	Nth   int                  // only the n-th request that matches, from 1; 0: each
	Times int                  // how many requests the rule answers; 0: any number
	Say   string               // the answer
	Reply func(Request) string // used instead of Say when set
	Calls []Call               // tool calls after the text; lines of text instead of it where the request offers no tools
	Think int                  // tokens of reasoning before the answer; an answer that has no room beside them ends with length
	Fault Fault                // what goes wrong with the answer
}

// Fault is a failure and its schedule. The zero Fault is none.
type Fault struct {
	Kind       FaultKind
	Times      int             // the first n answers of the rule fail, later ones are good; 0: all fail
	Status     int             // HTTPError: 4xx or 5xx
	Body       string          // HTTPError: the body; "" means one shaped like OpenAI's
	RetryAfter time.Duration   // HTTPError: the Retry-After header, in whole seconds, below that in milliseconds; 0: none
	After      int             // Cut, ErrorEvent, Truncated, Held: bytes of answer sent first
	Delay      time.Duration   // Slow: before each word, or before an unstreamed answer
	Release    <-chan struct{} // Held: closed to let the rest of a stream go on
}

// FaultKind names a failure; scripts use the same words.
type FaultKind string

const (
	HTTPError  FaultKind = "http"        // Status with Body; scripts write the number
	Hang       FaultKind = "timeout"     // no answer until the client leaves
	Cut        FaultKind = "cut"         // the connection breaks after After bytes of text
	ErrorEvent FaultKind = "error-event" // an error event in the stream after After bytes of text
	Refusal    FaultKind = "refusal"     // the model declines, in the words of Say
	Truncated  FaultKind = "truncated"   // finish_reason length after After bytes of text
	Slow       FaultKind = "slow"        // Delay before each word
	Held       FaultKind = "held"        // the stream stops after After bytes of text, until Release is closed
	Empty      FaultKind = "empty"       // no choices
)

var faultKinds = []FaultKind{HTTPError, Hang, Cut, ErrorEvent, Refusal, Truncated, Slow, Held, Empty}

func (r *Rule) check() error {
	if r.On != "" && r.On != "user" && r.On != "system" && r.On != "prompt" {
		return fmt.Errorf("matches on %q, not on user, system or prompt", r.On)
	}
	f := r.Fault
	if f.Kind != "" && !slices.Contains(faultKinds, f.Kind) {
		return fmt.Errorf("no fault is called %q", f.Kind)
	}
	if f.Kind == HTTPError && (f.Status < 400 || f.Status > 599) {
		return fmt.Errorf("status %d is no failure", f.Status)
	}
	if f.Kind == Slow && f.Delay <= 0 {
		return errors.New("slow needs a delay")
	}
	return nil
}

func (r *Rule) matches(req Request) bool {
	if r.Match == nil {
		return true
	}
	switch r.On {
	case "system":
		return r.Match.MatchString(req.System())
	case "prompt":
		return r.Match.MatchString(req.Prompt())
	}
	return r.Match.MatchString(req.User())
}

// answer picks the rule for a request. ok is false when there is none and no Default.
func (s *Server) answer(req Request) (a answer, fault Fault, ok bool) {
	rule, nth := s.pick(req)
	switch {
	case rule != nil:
		a = answer{text: rule.Say, calls: rule.Calls, thought: rule.Think, reason: "stop"}
		if rule.Reply != nil {
			a.text = rule.Reply(req)
		}
		if len(a.calls) > 0 && len(req.Tools) == 0 {
			a.text, a.calls = textCalls(a.calls), nil
		}
		if f := rule.Fault; f.Kind != "" && (f.Times == 0 || nth <= f.Times) {
			return a, f, true
		}
		return a, Fault{}, true
	case s.o.Default != nil:
		return answer{text: s.o.Default(req), reason: "stop"}, Fault{}, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unexpected = append(s.unexpected, req)
	return answer{}, Fault{}, false
}

// pick returns the first rule that applies, and how many requests it has answered with this one.
func (s *Server) pick(req Request) (*Rule, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.o.Script {
		r := &s.o.Script[i]
		if !r.matches(req) {
			continue
		}
		s.matched[i]++
		if r.Nth != 0 && r.Nth != s.matched[i] || r.Times != 0 && s.used[i] >= r.Times {
			continue
		}
		s.used[i]++
		return r, s.used[i]
	}
	return nil, 0
}
