package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// exchange is the HTTP client of one call to the OpenAI family: it shapes langchaingo's request and reads the answer itself, so
// that langchaingo only ever sees one complete, unstreamed completion. What went wrong is kept in err.
type exchange struct {
	wire  *wire
	model string
	call  *call
	habit habit
	err   *Error

	unopened bool     // the text may begin within a thought
	thinking thinking // of the answer being read
}

// Do implements langchaingo's openaiclient.Doer.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if body, err = x.shape(body); err != nil {
		return nil, err
	}
	out := req.Clone(req.Context())
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	out.ContentLength = int64(len(body))
	if x.wire.key == "" {
		out.Header.Del("Authorization")
	}
	x.thinking = thinking{unopened: x.unopened}
	resp, err := x.wire.send(out)
	if err != nil {
		return nil, x.fail(err)
	}
	defer resp.Body.Close()
	done, err := x.read(resp)
	if err != nil {
		return nil, x.fail(err)
	}
	return complete(done)
}

func (x *exchange) fail(err error) error {
	if !errors.As(err, &x.err) {
		x.err = &Error{Kind: Garbage, Err: err}
	}
	return x.err
}

// read takes the whole answer, whatever form it has; not every server streams when it is asked to.
func (x *exchange) read(resp *http.Response) (*packet, error) {
	r := bufio.NewReaderSize(resp.Body, 64<<10)
	first, err := firstByte(r)
	if err != nil {
		return nil, x.wire.broken(err, "")
	}
	switch first {
	case 0:
		return nil, cut("")
	case '{', '[', '<':
		return x.readWhole(r, resp)
	}
	return x.readStream(r, resp)
}

func (x *exchange) readWhole(r io.Reader, resp *http.Response) (*packet, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, x.wire.broken(err, "")
	}
	var p packet
	if json.Unmarshal(body, &p) != nil || len(p.Choices) == 0 || present(p.Error) {
		e := x.wire.failure(resp.StatusCode, resp.Header, body)
		if json.Valid(body) && e.Kind == Garbage {
			e.Message = "the answer has no choices"
		}
		return nil, e
	}
	for i := range p.Choices {
		c := &p.Choices[i]
		c.Message.ReasoningContent += c.Message.Reasoning
		if c.FinishReason == "" {
			c.FinishReason = "stop" // a whole JSON body cannot have been cut
		}
	}
	first := &p.Choices[0]
	if first.Message.ReasoningContent != "" {
		x.thinking.apart()
	}
	first.Message.Content = words(x.thinking.next(string(first.Message.Content)))
	if err := x.call.emit(string(first.Message.Content)); err != nil {
		return nil, err
	}
	if err := x.finish(first); err != nil {
		return nil, err
	}
	return &p, nil
}

// readStream assembles the first choice; further ones are not asked for.
func (x *exchange) readStream(r *bufio.Reader, resp *http.Response) (*packet, error) {
	var choice packetChoice
	p := &packet{}
	stream := events{r: r}
	for done := false; !done; {
		event, err := stream.next()
		switch {
		case event == nil && choice.FinishReason != "":
			done = true // complete, though the end of the stream is missing
		case err != nil:
			return nil, x.wire.broken(err, string(choice.Message.Content))
		case event == nil:
			return nil, cut(string(choice.Message.Content))
		case string(event) == "[DONE]":
			done = true
		default:
			if err := x.take(event, p, &choice, resp); err != nil {
				return nil, err
			}
		}
	}
	if choice.FinishReason == "" {
		choice.FinishReason = "stop"
	}
	if err := x.finish(&choice); err != nil {
		return nil, err
	}
	p.Choices = []packetChoice{choice}
	return p, nil
}

// finish ends a complete choice: what was thought is taken out, a call written as text becomes a tool call, and what is wrong with it
// is kept.
func (x *exchange) finish(c *packetChoice) error {
	rest := x.thinking.end(c.FinishReason == "length" || c.FinishReason == "error" || c.FinishReason == "content_filter")
	c.Message.Content += words(rest)
	if c.Message.ReasoningContent == "" {
		c.Message.ReasoningContent = words(x.thinking.thought)
	}
	x.call.unopened = x.thinking.lone || endsLone(string(c.Message.Content))
	if err := x.call.emit(rest); err != nil {
		return err
	}
	calls, err := x.call.finish()
	if err != nil {
		return err
	}
	if calls != nil {
		c.Message.Content = ""
		if c.FinishReason == "stop" {
			c.FinishReason = "tool_calls"
		}
		if len(c.Message.ToolCalls) == 0 {
			for _, t := range calls {
				call := toolCall{ID: t.ID}
				call.Function.Name, call.Function.Arguments = t.FunctionCall.Name, arguments(t.FunctionCall.Arguments)
				c.Message.ToolCalls = append(c.Message.ToolCalls, call)
			}
		}
	}
	x.err = c.verdict()
	return nil
}

// take handles one event; data that is not JSON is passed over, as a cut stream shows at its end anyway.
func (x *exchange) take(event []byte, p *packet, choice *packetChoice, resp *http.Response) error {
	var chunk packet
	if json.Unmarshal(event, &chunk) != nil {
		return nil
	}
	if present(chunk.Error) || chunk.Choices == nil && !present(chunk.Usage) && isComplaint(event) {
		e := x.wire.failure(resp.StatusCode, resp.Header, event)
		if text := string(choice.Message.Content); text != "" {
			return &Error{Kind: Truncated, Status: e.Status, Code: e.Code, Message: e.Message, RetryAfter: e.RetryAfter, Partial: text, Err: e}
		}
		return e
	}
	if present(chunk.Usage) {
		p.Usage = chunk.Usage
	}
	for _, c := range chunk.Choices {
		if c.Index != 0 {
			continue
		}
		if c.Delta.ReasoningContent+c.Delta.Reasoning != "" {
			x.thinking.apart()
		}
		text := x.thinking.next(string(c.Delta.Content + c.Message.Content))
		hidden := text == "" && c.Delta.Content+c.Message.Content != ""
		c.Delta.Content, c.Message.Content = words(text), ""
		choice.Message.add(c.Delta)
		choice.Message.add(c.Message)
		if c.FinishReason != "" {
			choice.FinishReason = c.FinishReason
		}
		if hidden || c.Delta.ReasoningContent+c.Delta.Reasoning != "" || len(c.Delta.ToolCalls) > 0 {
			x.call.alive()
		}
		if err := x.call.emit(text); err != nil {
			return err
		}
	}
	return nil
}

func isComplaint(event []byte) bool {
	_, ok := readComplaint(event)
	return ok
}

// cut is the Error of an answer that ended after text, without a sign that it is complete.
func cut(text string) *Error {
	if text == "" {
		return &Error{Kind: Unreachable, Message: "the connection ended before an answer"}
	}
	return &Error{Kind: Truncated, Message: "the stream ended in the middle of the answer", Partial: text}
}

// complete renders p as the unstreamed completion langchaingo reads.
func complete(p *packet) (*http.Response, error) {
	for i := range p.Choices {
		for j := range p.Choices[i].Message.ToolCalls {
			p.Choices[i].Message.ToolCalls[j].Type = "function"
		}
	}
	usage := p.Usage
	if !readableUsage(usage) {
		usage = nil
	}
	body, err := json.Marshal(map[string]any{"choices": p.Choices, "usage": usage})
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body))}, nil
}

// readableUsage reports whether langchaingo can read the usage: every count it knows must be a whole number.
func readableUsage(raw json.RawMessage) bool {
	type details struct {
		Cached    int `json:"cached_tokens"`
		Audio     int `json:"audio_tokens"`
		Reasoning int `json:"reasoning_tokens"`
		Accepted  int `json:"accepted_prediction_tokens"`
		Rejected  int `json:"rejected_prediction_tokens"`
	}
	var u struct {
		Prompt            int     `json:"prompt_tokens"`
		Completion        int     `json:"completion_tokens"`
		Total             int     `json:"total_tokens"`
		PromptDetails     details `json:"prompt_tokens_details"`
		CompletionDetails details `json:"completion_tokens_details"`
	}
	return present(raw) && json.Unmarshal(raw, &u) == nil
}
