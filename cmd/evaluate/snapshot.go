package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
	"threadkeeper/memory"
)

type snapshot struct {
	Conversations string `required:"" type:"existingfile" help:"Messages: {conversation, role, author, at, text, id}, in order."`
	Questions     string `required:"" type:"existingfile" help:"Questions: {conversation, question, asker, kind, evidence[], must_hold[]}."`
	Thresholds    []int  `default:"1200,10000" help:"Thresholds in cl100k_base tokens."`
	Window        int    `help:"The model's window in tokens; 0 if it is not known."`
	Model         string `help:"A model that folds and answers; without one the messages' own sentences are kept, and quoted."`
	Endpoint      string `help:"With --model: the OpenAI-compatible endpoint that has it, such as http://localhost:11434/v1." env:"OPENAI_BASE_URL"`
	Key           string `help:"With --model: the endpoint's key." env:"OPENAI_API_KEY"`
	Text          bool   `help:"Print every snapshot, and what is lacking where."`
	JSON          bool   `name:"json" help:"Print JSON."`
}

type said struct {
	Conversation, Author, Text, ID string
	Role                           memory.Role
	At                             time.Time
}

type snapshotQuestion struct {
	Conversation, Question, Kind, Asker string
	MustHold                            []string `json:"must_hold"`
	Evidence                            []string // ids of messages
}

func (s *snapshot) Run(ctx context.Context) error {
	lines, err := readRecords[said](s.Conversations)
	if err != nil {
		return err
	}
	questions, err := readRecords[snapshotQuestion](s.Questions)
	if err != nil {
		return err
	}
	llm, err := model.Open(model.Options{Model: s.Model, OpenAIBaseURL: s.Endpoint, OpenAIKey: s.Key})
	if err != nil {
		return err
	}
	conversations := map[string][]said{}
	for _, l := range lines {
		conversations[l.Conversation] = append(conversations[l.Conversation], l)
	}
	var rows []row
	for _, threshold := range s.Thresholds {
		whole, byKind := newMean(), map[string]*mean{}
		for _, name := range slices.Sorted(maps.Keys(conversations)) {
			store, remove, err := tempStore(ctx)
			if err != nil {
				return err
			}
			defer remove()
			f, err := foldAsItGrows(ctx, store, conversations[name], threshold, llm)
			if err != nil {
				return fmt.Errorf("conversation %s: %w", name, err)
			}
			whole.add("tokens", float64(f.snapshot.Tokens))
			for _, sg := range f.segments {
				whole.add("by model", one(sg.Method == memory.ByModel))
			}
			if s.Text {
				fmt.Printf("== %s at %d: %d tokens\n%s\n", name, threshold, f.snapshot.Tokens, f.snapshot.Rendered)
			}
			for _, q := range questions {
				if q.Conversation != name {
					continue
				}
				measures, err := s.measure(ctx, f, q, llm)
				if err != nil {
					return err
				}
				if byKind[q.Kind] == nil {
					byKind[q.Kind] = newMean()
				}
				for measure, v := range measures {
					byKind[q.Kind].add(measure, v)
					whole.add(measure, v)
				}
			}
		}
		rows = append(rows, whole.row(fmt.Sprintf("at %d", threshold)))
		for _, kind := range slices.Sorted(maps.Keys(byKind)) {
			rows = append(rows, byKind[kind].row(kind))
		}
	}
	return show(os.Stdout, s.JSON, []string{"held", "shown", "evidence", "quoted", "sure", "told", "answered", "tokens", "by model"}, rows)
}

// measure asks a question. Held is whether the snapshot holds what the answer must, shown whether the model's first
// prompt does, evidence the share of the messages that say it which are in that prompt, quoted whether the reply of a
// program without a model holds it, sure whether that stands without a doubt, told whether the reply of the model holds it. A question
// about what was never said has only sure and, of the model, answered: whether it claims to have found something.
func (s *snapshot) measure(ctx context.Context, f *folded, q snapshotQuestion, llm llms.Model) (map[string]float64, error) {
	at := f.place
	if at.person = f.people[q.Asker]; at.person == nil {
		return nil, fmt.Errorf("question %q: %q said nothing", q.Question, q.Asker)
	}
	reply, err := at.take(ctx, q.Question, nil, s.Window)
	if err != nil {
		return nil, err
	}
	told, sure := "", one(!reply.Ledger.NotFound && !doubts.MatchString(reply.Text))
	if llm != nil {
		by, err := at.take(ctx, q.Question, llm, s.Window)
		if err == nil {
			err = by.Err
		}
		if err != nil {
			return nil, fmt.Errorf("question %q: %w", q.Question, err)
		}
		if told = by.Text; s.Text {
			fmt.Printf("-- %s: %s: the model: %s\n", q.Kind, q.Question, told)
		}
		if len(q.MustHold) == 0 {
			return map[string]float64{"sure": sure, "answered": one(!by.Ledger.NotFound)}, nil
		}
	}
	if len(q.MustHold) == 0 {
		if s.Text {
			fmt.Printf("-- %s: %s: %s\n", q.Kind, q.Question, reply.Text)
		}
		return map[string]float64{"sure": sure}, nil
	}
	calls, _, err := at.ask(ctx, q.Question, s.Window)
	if err != nil {
		return nil, err
	}
	prompt := ""
	if len(calls) > 0 {
		prompt, _, _ = strings.Cut(calls[0].text(), "<request")
	}
	said := map[string]bool{}
	for _, id := range q.Evidence {
		said[id] = strings.Contains(prompt, f.text[id])
	}
	lacks := func(where, text string) float64 {
		for _, must := range q.MustHold {
			if !stands(must, text) {
				if s.Text {
					fmt.Printf("-- %s: %s: the %s lacks %q\n", q.Kind, q.Question, where, must)
				}
				return 0
			}
		}
		return 1
	}
	measures := map[string]float64{"held": lacks("snapshot", f.snapshot.Rendered), "shown": lacks("prompt", prompt),
		"evidence": share(q.Evidence, said), "quoted": lacks("reply", reply.Text), "sure": sure}
	if llm != nil {
		measures["told"] = lacks("model's reply", told)
	}
	return measures, nil
}

// doubts matches a reply whose lines stand below the doubt that they answer the question.
var doubts = regexp.MustCompile(`^(?:I am not sure|Ich bin nicht sicher|Je ne suis pas sûr|No estoy seguro)`)

type folded struct {
	place
	snapshot *memory.Snapshot
	segments []*memory.Segment
	people   map[string]*memory.Person
	text     map[string]string // of each message, by its id in the file
}

// foldAsItGrows takes a conversation in, folding as it grows, with a model unless that is nil, and in the end by hand what is
// older than the window.
func foldAsItGrows(ctx context.Context, store *memory.Store, lines []said, threshold int, llm llms.Model) (*folded, error) {
	store.Policy = memory.DefaultPolicy(threshold)
	compactor := &agent.Compactor{Store: store, Model: llm, Log: slog.New(slog.DiscardHandler)}
	key, channel := memory.Key{Platform: "evaluate", Workspace: "w", Channel: "c", Thread: "t"}, memory.Channel{Kind: memory.Public}
	f := &folded{people: map[string]*memory.Person{}, text: map[string]string{}}
	for _, l := range lines {
		in := memory.Incoming{Platform: key.Platform, EventID: l.ID, Kind: "import", Key: key, Channel: channel,
			Message: &memory.Message{PlatformID: l.ID, Role: l.Role, Author: l.Author, Text: l.Text, At: l.At.UnixMilli()}}
		if l.Role == memory.User {
			in.Person = memory.Person{PlatformID: l.Author, Name: l.Author, Kind: memory.Human}
		}
		_, err := store.Queue.Receive(ctx, in)
		if err != nil {
			return nil, err
		}
		f.text[l.ID] = l.Text
		if l.Role == memory.User && f.people[l.Author] == nil {
			if f.session, f.people[l.Author], err = store.Locate(ctx, key, channel, in.Person); err != nil {
				return nil, err
			}
			if f.audience, err = store.Audience(ctx, f.session.ID, f.people[l.Author].ID); err != nil {
				return nil, err
			}
		}
		for worked := true; worked; {
			if worked, err = compactor.Next(ctx, "evaluate"); err != nil {
				return nil, err
			}
		}
	}
	f.store = store
	err := f.fold(ctx, llm)
	if err != nil {
		return nil, err
	}
	if f.session, err = store.Session(ctx, f.session.ID); err != nil {
		return nil, err
	}
	if f.segments, err = store.Segments(ctx, f.session.ID); err != nil {
		return nil, err
	}
	f.snapshot, err = store.Snapshot(ctx, f.session.ID)
	return f, err
}
