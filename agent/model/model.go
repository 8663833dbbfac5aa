// Package model opens the language model the assistant talks to, as a langchaingo llms.Model.
//
// Two families speak on the wire: OpenAI and everything compatible with it (langchaingo's llms/openai behind the package's own HTTP
// client), and Anthropic (its official SDK). The package owns what is common to both: typed errors, retries, the circuit breaker,
// the fallback model, timeouts, JSON by schema and the reading of usage. It keeps no conversation and writes nothing to disk.
package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory/reading"
)

const (
	defaultTimeout = time.Minute
	defaultIdle    = 30 * time.Second
	defaultRetries = 2

	openAIURL    = "https://api.openai.com/v1"
	anthropicURL = "https://api.anthropic.com"
)

// Options say which model to open and how long to wait for it.
type Options struct {
	// Model names the model; "" means none. "claude…", and "anthropic/claude…" unless OpenAIBaseURL is set, goes to Anthropic,
	// everything else to the OpenAI-compatible endpoint.
	Model string
	// Fallback is tried once when Model is down (overloaded, unreachable, too slow, rate limited, out of credit), if the prompt fits it;
	// "" means none.
	Fallback string

	OpenAIKey        string // may be "" for an endpoint on the local network
	OpenAIBaseURL    string // with its path, as in http://localhost:11434/v1; "" means OpenAI's own
	AnthropicKey     string
	AnthropicBaseURL string // "" means Anthropic's own; a trailing /v1 is allowed

	Window int // tokens that fit into Model, prompt and answer together; 0: as LimitsOf finds out

	Timeout time.Duration // until the answer, or when it is streamed until its first text; 0 means 60 s
	Idle    time.Duration // longest pause within a streamed answer; 0 means 30 s
	Retries int           // after the first attempt, within half of Timeout and only before any text was streamed; 0 means 2, negative none
	Log     *slog.Logger  // may be nil
}

// Open returns the model, or nil and no error when o.Model is empty. It makes no request; its errors are about the settings.
//
// The model streams text, and only text, to llms.WithStreamingFunc. GenerateContent returns an *Error for every failure;
// with Truncated and Refused there may be a response as well, so that its usage can be counted. StopReason is "stop",
// "tool_calls", or the provider's own word. No temperature is sent: each model has its own.
//
// Tools come back as ToolCalls of the first choice, whether the endpoint takes them or they are written as text (see texttools.go);
// text before them was streamed. Their arguments are the model's own and may be broken JSON, and a model may ignore a tool choice
// of "none". WithMaxTokens limits the answer; reasoning before it is not included.
func Open(o Options) (llms.Model, error) {
	if o.Model == "" {
		return nil, nil
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Idle <= 0 {
		o.Idle = defaultIdle
	}
	switch {
	case o.Retries == 0:
		o.Retries = defaultRetries
	case o.Retries < 0:
		o.Retries = 0
	}
	main, err := o.endpoint(o.Model, o.Retries)
	if err != nil {
		return nil, err
	}
	main.window = o.Window
	m := &chat{main: main, log: o.Log}
	if o.Fallback != "" && o.Fallback != o.Model {
		if m.spare, err = o.endpoint(o.Fallback, 0); err != nil {
			return nil, fmt.Errorf("fallback %w", err)
		}
	}
	return m, nil
}

func (o Options) endpoint(name string, retries int) (*endpoint, error) {
	e := &endpoint{model: name, breaker: newBreaker(), ask: askTimeout, timeout: o.Timeout, idle: o.Idle, retries: retries, pause: firstPause, log: o.Log.With("model", name)}
	var err error
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "claude"):
		err = o.openAnthropic(e, name)
	case strings.HasPrefix(lower, "anthropic/claude") && o.OpenAIBaseURL == "":
		err = o.openAnthropic(e, name[len("anthropic/"):])
	default:
		err = o.openOpenAI(e, name)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	return e, nil
}

// elsewhere matches models OpenAI itself does not have.
var elsewhere = reading.Lazy(`(?i)/|^(gemini|gemma|llama|mistral|mixtral|codestral|magistral|qwen|deepseek|grok|command|phi|kimi)`)

func (o Options) openOpenAI(e *endpoint, name string) error {
	if o.OpenAIBaseURL == "" && elsewhere.MatchString(name) {
		return errors.New("unknown to OpenAI; set OPENAI_BASE_URL to the endpoint that has it")
	}
	base, wire, err := reach("OPENAI", o.OpenAIBaseURL, openAIURL, o.OpenAIKey)
	if err != nil {
		return err
	}
	f := &openAI{model: name, base: base, wire: wire}
	e.family, e.habits, e.base = f, &f.habits, base
	return nil
}

func (o Options) openAnthropic(e *endpoint, name string) error {
	base, wire, err := reach("ANTHROPIC", strings.TrimSuffix(strings.TrimRight(o.AnthropicBaseURL, "/"), "/v1"), anthropicURL, o.AnthropicKey)
	if err != nil {
		return err
	}
	e.model = name
	f := newAnthropic(name, base, wire)
	e.family, e.habits, e.base = f, &f.habits, base
	return nil
}

// reach checks the URL and the key of a provider, by whose name the settings begin.
func reach(provider, base, standard, key string) (string, *wire, error) {
	u, err := endpointURL(base, standard)
	if err != nil {
		return "", nil, fmt.Errorf("%s_BASE_URL: %w", provider, err)
	}
	if key, err = checkKey(key); err != nil {
		return "", nil, fmt.Errorf("%s_API_KEY %w", provider, err)
	}
	if key == "" && !local(u.Hostname()) {
		return "", nil, fmt.Errorf("%s_API_KEY is missing; %s needs one", provider, u.Host)
	}
	return u.String(), newWire(key), nil
}

// endpointURL checks a base URL; what may hold a secret (user, query) is refused, as URLs end up in errors and logs.
func endpointURL(base, standard string) (*url.URL, error) {
	if base == "" {
		base = standard
	}
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(base), "/"))
	switch {
	case err != nil:
		return nil, errors.New("not a URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("must look like https://host/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("must not hold a user name, a password, a query or a fragment")
	}
	return u, nil
}

func checkKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	if strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII }) {
		return "", errors.New("holds a space or another character no key has")
	}
	return key, nil
}

// local reports whether host is on this machine or a private network, where endpoints often need no key.
func local(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	return !strings.Contains(host, ".") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".localhost")
}

// chat is the llms.Model: an endpoint and, perhaps, the one to use while it is down.
type chat struct {
	main, spare *endpoint
	log         *slog.Logger
}

var _ llms.Model = (*chat)(nil)

// Call implements llms.Model for a single prompt.
func (m *chat) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

// GenerateContent implements llms.Model; see Open.
func (m *chat) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	c, err := newCall(ctx, messages, options)
	if err != nil {
		return nil, err
	}
	resp, failure := m.main.generate(ctx, c)
	if failure == nil {
		return resp, nil
	}
	if m.spare == nil || !down(failure) || c.partial.Len() > 0 || ctx.Err() != nil {
		return resp, failure
	}
	if l := m.spare.limits(ctx); l.WindowKnown && l.Window < PromptTokens(c.messages, c.opts.Tools) {
		m.log.Warn("model is down, and the prompt does not fit the fallback", "model", m.main.model, "fallback", m.spare.model, "window", l.Window)
		return resp, failure
	}
	m.log.Warn("model is down, trying the fallback", "model", m.main.model, "fallback", m.spare.model, "kind", string(failure.Kind), "status", failure.Status)
	second, again := m.spare.generate(ctx, c)
	if second != nil {
		note(second, answeredBy, m.spare.model)
	}
	switch {
	case again == nil:
		return second, nil
	case (again.passing() || again.Kind == ContextTooLong) && c.partial.Len() == 0 && ctx.Err() == nil:
		return resp, failure // both are down, or the prompt, laid out for the main model, does not fit: the first error is the cause
	}
	return second, again
}

// down reports whether another model might answer what this one could not.
func down(e *Error) bool { return e.passing() || e.Kind == Quota }
