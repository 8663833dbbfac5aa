package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// wire is how one of the two APIs writes an answer.
type wire interface {
	whole(a answer)                             // an unstreamed answer
	begin()                                     // the first event of a stream
	say(text string)                            // a piece of text
	end(a answer)                               // the last events, all but the text
	fail(e *refusal)                            // an error event
	empty()                                     // an answer without content
	refuse(status int, body string, e *refusal) // an HTTP error
}

// answer is what a rule has the model say.
type answer struct {
	text, declined string
	calls          []Call
	thought        int    // tokens
	reason         string // "stop" or "length"
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	if req, ok := s.accept(w, r, readChat); ok {
		s.serve(w, r, req, &openAIWire{w: w, req: req, count: s.o.Count})
	}
}

// serve answers an accepted request, by the script and its faults.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, req Request, out wire) {
	a, fault, ok := s.answer(req)
	if !ok {
		out.refuse(http.StatusInternalServerError, "", &refusal{typ: "server_error", message: "fakemodel: no rule matches the request"})
		return
	}
	switch fault.Kind {
	case HTTPError:
		if fault.RetryAfter >= time.Second {
			w.Header().Set("Retry-After", strconv.Itoa(int(fault.RetryAfter/time.Second)))
		} else if fault.RetryAfter > 0 {
			w.Header().Set("Retry-After-Ms", strconv.Itoa(int(fault.RetryAfter/time.Millisecond)))
		}
		out.refuse(fault.Status, fault.Body, httpError(fault.Status))
	case Hang:
		s.wait(r, 24*time.Hour)
	case Empty:
		out.empty()
	default:
		s.tell(r, req, out, a, fault)
	}
}

// tell sends the answer, streamed when asked, as far as the fault and the room for it allow.
func (s *Server) tell(r *http.Request, req Request, out wire, a answer, fault Fault) {
	switch fault.Kind {
	case Refusal:
		a.declined, a.text = a.text, ""
	case Truncated, Cut, ErrorEvent:
		a.text = a.text[:min(fault.After, len(a.text))]
	}
	if fault.Kind == Truncated {
		a.reason = "length"
	}
	if a.thought > 0 && req.MaxTokens > 0 && a.thought+s.o.Count(a.text) > req.MaxTokens {
		a.text, a.calls, a.reason, a.thought = "", nil, "length", req.MaxTokens
	}
	if !req.Stream {
		if fault.Kind == Slow {
			s.wait(r, fault.Delay)
		}
		switch fault.Kind {
		case Cut:
			panic(http.ErrAbortHandler)
		case ErrorEvent:
			out.refuse(http.StatusOK, "", &refusal{typ: "server_error", message: "upstream failed"})
		default:
			out.whole(a)
		}
		return
	}
	out.begin()
	if fault.Kind == Held {
		out.say(a.text[:fault.After])
		a.text = a.text[fault.After:]
		select {
		case <-fault.Release:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		case <-s.closing:
			panic(http.ErrAbortHandler)
		}
	}
	for _, word := range strings.SplitAfter(a.text, " ") {
		if fault.Kind == Slow {
			s.wait(r, fault.Delay)
		}
		if word != "" {
			out.say(word)
		}
	}
	switch fault.Kind {
	case Cut:
		panic(http.ErrAbortHandler)
	case ErrorEvent:
		out.fail(&refusal{typ: "server_error", message: "upstream failed"})
	default:
		out.end(a)
	}
}

// wait aborts the answer when the client leaves or the server closes first.
func (s *Server) wait(r *http.Request, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	case <-s.closing:
		panic(http.ErrAbortHandler)
	}
}

func httpError(status int) *refusal {
	switch {
	case status == http.StatusUnauthorized:
		return &refusal{code: "invalid_api_key", message: "Incorrect API key provided."}
	case status == http.StatusTooManyRequests:
		return &refusal{typ: "requests", code: "rate_limit_exceeded", message: "Rate limit reached for requests."}
	case status >= 500:
		return &refusal{typ: "server_error", message: "The server had an error while processing your request."}
	}
	return &refusal{message: "Invalid request."}
}

// openAIWire writes chat completions.
type openAIWire struct {
	w     http.ResponseWriter
	req   Request
	count func(string) int
}

func (o *openAIWire) object(kind string, choices ...map[string]any) map[string]any {
	if choices == nil {
		choices = []map[string]any{}
	}
	return map[string]any{"id": "chatcmpl-fake", "object": kind, "created": time.Now().Unix(), "model": o.req.Model, "choices": choices}
}

func (o *openAIWire) usage(a answer) map[string]any {
	prompt := 0
	for _, m := range o.req.Messages {
		prompt += o.count(m.Text)
	}
	said := o.count(a.text+a.declined) + a.thought
	u := map[string]any{"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}
	if n := min(o.req.reportedCache(), prompt); n > 0 {
		u["prompt_tokens_details"] = map[string]any{"cached_tokens": n}
	}
	if a.thought > 0 {
		u["completion_tokens_details"] = map[string]any{"reasoning_tokens": a.thought}
	}
	return u
}

func (o *openAIWire) calls(a answer) []map[string]any {
	var calls []map[string]any
	for i, c := range a.calls {
		calls = append(calls, map[string]any{"index": i, "id": fmt.Sprintf("call_%d", i), "type": "function",
			"function": map[string]any{"name": c.Name, "arguments": c.Arguments}})
	}
	return calls
}

func (a answer) finish() string {
	if len(a.calls) > 0 && a.reason == "stop" {
		return "tool_calls"
	}
	return a.reason
}

func (o *openAIWire) whole(a answer) {
	message := map[string]any{"role": "assistant", "content": a.text, "refusal": nil}
	if a.declined != "" {
		message["content"], message["refusal"] = nil, a.declined
	}
	if calls := o.calls(a); calls != nil {
		message["tool_calls"] = calls
	}
	out := o.object("chat.completion", map[string]any{"index": 0, "message": message, "finish_reason": a.finish(), "logprobs": nil})
	out["usage"] = o.usage(a)
	writeJSON(o.w, http.StatusOK, out)
}

func (o *openAIWire) event(v any) {
	data, _ := json.Marshal(v) // maps of strings and numbers
	fmt.Fprintf(o.w, "data: %s\n\n", data)
	_ = http.NewResponseController(o.w).Flush() // fails only when the client has left
}

func (o *openAIWire) delta(delta map[string]any, reason any) {
	o.event(o.object("chat.completion.chunk", map[string]any{"index": 0, "delta": delta, "finish_reason": reason}))
}

func (o *openAIWire) begin() {
	o.w.Header().Set("Content-Type", "text/event-stream")
	o.delta(map[string]any{"role": "assistant", "content": ""}, nil)
}

func (o *openAIWire) say(text string) {
	o.delta(map[string]any{"content": text}, nil)
}

// end streams each call as the services do: its head first, then its arguments in two pieces.
func (o *openAIWire) end(a answer) {
	if a.declined != "" {
		o.delta(map[string]any{"refusal": a.declined}, nil)
	}
	for i, call := range o.calls(a) {
		arguments := a.calls[i].Arguments
		call["function"] = map[string]any{"name": a.calls[i].Name, "arguments": ""}
		o.delta(map[string]any{"tool_calls": []any{call}}, nil)
		for _, piece := range []string{arguments[:len(arguments)/2], arguments[len(arguments)/2:]} {
			o.delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": piece}}}}, nil)
		}
	}
	o.delta(map[string]any{}, a.finish())
	if o.req.usage {
		last := o.object("chat.completion.chunk")
		last["usage"] = o.usage(a)
		o.event(last)
	}
	fmt.Fprint(o.w, "data: [DONE]\n\n")
}

func (o *openAIWire) fail(e *refusal) { o.event(e.body()) }

func (o *openAIWire) empty() { writeJSON(o.w, http.StatusOK, o.object("chat.completion")) }

func (o *openAIWire) refuse(status int, body string, e *refusal) {
	if body != "" {
		o.w.WriteHeader(status)
		fmt.Fprint(o.w, body)
		return
	}
	writeJSON(o.w, status, e.body())
}
