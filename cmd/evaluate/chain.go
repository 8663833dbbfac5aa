package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// speechless is a model that finds nothing: it replies NOTFOUND, after one search in documents if it has queries for it. It
// keeps what it is sent.
type speechless struct {
	queries []string // of the search it begins with; none for no search
	calls   []sent
}

type sent struct {
	messages []string // without the system text
	tools    bool     // it may call some
}

// Call implements llms.Model.
func (m *speechless) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

// GenerateContent implements llms.Model.
func (m *speechless) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var o llms.CallOptions
	for _, set := range options {
		set(&o)
	}
	call := sent{tools: len(o.Tools) > 0 && o.ToolChoice != "none"}
	for _, message := range messages {
		if message.Role == llms.ChatMessageTypeSystem {
			continue
		}
		var text strings.Builder
		for _, p := range message.Parts {
			if t, ok := p.(llms.TextContent); ok {
				text.WriteString(t.Text)
			}
		}
		call.messages = append(call.messages, text.String())
	}
	m.calls = append(m.calls, call)
	if len(m.calls) == 1 && len(m.queries) > 0 && call.tools {
		arguments, err := json.Marshal(map[string][]string{"queries": m.queries})
		if err != nil {
			return nil, err
		}
		search := llms.ToolCall{ID: "1", Type: "function", FunctionCall: &llms.FunctionCall{Name: "search_documents", Arguments: string(arguments)}}
		return &llms.ContentResponse{Choices: []*llms.ContentChoice{{ToolCalls: []llms.ToolCall{search}}}}, nil
	}
	if o.StreamingFunc != nil {
		if err := o.StreamingFunc(ctx, []byte("NOTFOUND")); err != nil {
			return nil, err
		}
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "NOTFOUND"}}}, nil
}

// tempStore is an empty database in a folder of its own; both are gone once it is closed.
func tempStore(ctx context.Context) (*memory.Store, func(), error) {
	dir, err := os.MkdirTemp("", "evaluate")
	if err != nil {
		return nil, nil, err
	}
	store, err := memory.Open(ctx, filepath.Join(dir, "evaluate.db"))
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return store, func() {
		store.Close()
		os.RemoveAll(dir)
	}, nil
}

type place struct {
	store    *memory.Store
	session  *memory.Session
	person   *memory.Person
	audience memory.Audience
}

func open(ctx context.Context, store *memory.Store, key memory.Key, kind memory.ChannelKind) (place, error) {
	p := place{store: store}
	var err error
	p.session, p.person, err = store.Locate(ctx, key, memory.Channel{Kind: kind}, memory.Person{PlatformID: "p", Name: "p"})
	if err != nil {
		return p, err
	}
	p.audience, err = store.Audience(ctx, p.session.ID, p.person.ID)
	return p, err
}

// fold does the compaction that is due, with a model unless that is nil.
func (p place) fold(ctx context.Context, m llms.Model) error {
	if _, err := p.store.ScheduleCompaction(ctx, p.session.ID, ""); err != nil {
		return err
	}
	compactor := &agent.Compactor{Store: p.store, Model: m, Log: slog.New(slog.DiscardHandler)}
	for {
		if worked, err := compactor.Next(ctx, "evaluate"); err != nil || !worked {
			return err
		}
	}
}

// later is the id of a message that is asked and not stored, so that no question sees the one before.
const later = 1 << 40

// ask takes a turn for a question, with a model of so many tokens that searches for these queries, if any, and finds nothing. It
// returns the calls of the model.
func (p place) ask(ctx context.Context, question string, window int, queries ...string) ([]sent, *agent.Reply, error) {
	m := &speechless{queries: queries}
	reply, err := p.take(ctx, question, m, window)
	return m.calls, reply, err
}

// take takes a turn for a question with a model, nil for none.
func (p place) take(ctx context.Context, question string, m llms.Model, window int) (*agent.Reply, error) {
	chain := &agent.Chain{Store: p.store, Index: &docs.Index{Store: p.store}, Model: m, Clarify: agent.ClarifyWhenHelps}
	chain.Budget.Window = window
	now := time.Now().UTC()
	return chain.Respond(ctx, agent.Turn{Session: p.session, Audience: p.audience, Person: p.person, Choice: agent.ChoiceNone, Now: now,
		Messages: []*memory.Message{{ID: later, SessionID: p.session.ID, ChannelID: p.session.ChannelID, PersonID: p.person.ID,
			Role: memory.User, Author: p.person.Name, Text: question, Tokens: memory.Count(question), At: now.UnixMilli()}}}, nil)
}

// text is all that the model is shown of the matter.
func (s sent) text() string { return strings.Join(s.messages, "\n") }

// request is the last part of the prompt, where the person's words stand.
func (s sent) request() string {
	text := s.text()
	return text[max(strings.LastIndex(text, "<request"), 0):]
}

var left = regexp.MustCompile(`(?m)^(?:searches|calls) left: [1-9]`)

func (s sent) mayLook() bool { return s.tools || left.MatchString(s.request()) }

var recalledBlock = regexp.MustCompile(`(?s)kind="recalled">\n(.*?)\n</data`)

// recalled is what the prompt shows of older messages that a search found.
func (s sent) recalled() string {
	if m := recalledBlock.FindStringSubmatch(s.text()); m != nil {
		return m[1]
	}
	return ""
}

// pageHead opens a passage or a page: [d1 p12], [d1 p12, the whole page].
var pageHead = regexp.MustCompile(`(?m)^\[d\d+ p(\d+)(?:,[^\]\n]*)?\]`)
