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
	whole(text, refusal, reason string)         // an unstreamed answer
	begin()                                     // the first event of a stream
	say(text string)                            // a piece of text
	end(refusal, reason string)                 // the last events
	fail(e *refusal)                            // an error event
	empty()                                     // an answer without content
	refuse(status int, body string, e *refusal) // an HTTP error
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	if req, ok := s.accept(w, r, readChat); ok {
		s.serve(w, r, req, &openAIWire{w: w, req: req, count: s.o.Count})
	}
}

// serve answers an accepted request, by the script and its faults.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, req Request, out wire) {
	text, fault, ok := s.answer(req)
	if !ok {
		out.refuse(http.StatusInternalServerError, "", &refusal{typ: "server_error", message: "fakemodel: no rule matches the request"})
		return
	}
	text = fault.spoil(text)
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
	case ErrorBody:
		out.refuse(http.StatusOK, "", &refusal{typ: "server_error", message: "Provider returned error"})
	case HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!DOCTYPE html><html><body><h1>Sign in to continue</h1></body></html>")
	case Empty:
		out.empty()
	default:
		s.tell(r, req, out, text, fault)
	}
}

// tell sends the text, streamed when asked, as far as the fault allows.
func (s *Server) tell(r *http.Request, req Request, out wire, text string, fault Fault) {
	reason, declined := "stop", ""
	switch fault.Kind {
	case Refusal:
		declined, text = text, ""
	case Truncated, Cut, ErrorEvent:
		text = text[:min(fault.After, len(text))]
	}
	if fault.Kind == Truncated {
		reason = "length"
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
			out.whole(text, declined, reason)
		}
		return
	}
	out.begin()
	for _, word := range strings.SplitAfter(text, " ") {
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
		out.end(declined, reason)
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
	said  strings.Builder
}

func (o *openAIWire) object(kind string, choices ...map[string]any) map[string]any {
	if choices == nil {
		choices = []map[string]any{}
	}
	return map[string]any{"id": "chatcmpl-fake", "object": kind, "created": time.Now().Unix(), "model": o.req.Model, "choices": choices}
}

func (o *openAIWire) usage(text string) map[string]any {
	prompt := 0
	for _, m := range o.req.Messages {
		prompt += o.count(m.Text)
	}
	answer := o.count(text)
	return map[string]any{"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
}

func (o *openAIWire) whole(text, declined, reason string) {
	message := map[string]any{"role": "assistant", "content": text, "refusal": nil}
	if declined != "" {
		message["content"], message["refusal"] = nil, declined
	}
	out := o.object("chat.completion", map[string]any{"index": 0, "message": message, "finish_reason": reason, "logprobs": nil})
	out["usage"] = o.usage(text + declined)
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
	o.said.WriteString(text)
	o.delta(map[string]any{"content": text}, nil)
}

func (o *openAIWire) end(declined, reason string) {
	if declined != "" {
		o.delta(map[string]any{"refusal": declined}, nil)
	}
	o.delta(map[string]any{}, reason)
	if o.req.usage {
		last := o.object("chat.completion.chunk")
		last["usage"] = o.usage(o.said.String() + declined)
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
