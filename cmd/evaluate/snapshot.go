package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"time"

	"threadkeeper/agent"
	"threadkeeper/memory"
)

type snapshot struct {
	Conversations string `required:"" type:"existingfile" help:"Messages: {conversation, role, author, at, text, id}, in order."`
	Questions     string `required:"" type:"existingfile" help:"Questions: {conversation, question, kind, must_hold[]}."`
	Thresholds    []int  `default:"1200,10000" help:"Thresholds in cl100k_base tokens."`
	Text          bool   `help:"Print every snapshot, and the strings it lacks."`
	JSON          bool   `name:"json" help:"Print JSON."`
}

// said is one message of a conversation.
type said struct {
	Conversation, Author, Text, ID string
	Role                           memory.Role
	At                             time.Time
}

type snapshotQuestion struct {
	Conversation, Question, Kind string
	MustHold                     []string `json:"must_hold"`
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
	conversations := map[string][]said{}
	for _, l := range lines {
		conversations[l.Conversation] = append(conversations[l.Conversation], l)
	}
	var rows []row
	columns := []string{"held"}
	for _, threshold := range s.Thresholds {
		whole, byKind := newMean(), map[string]*mean{}
		for _, name := range slices.Sorted(maps.Keys(conversations)) {
			sn, err := snapshotOf(ctx, conversations[name], threshold)
			if err != nil {
				return fmt.Errorf("conversation %s: %w", name, err)
			}
			whole.add("tokens", float64(sn.Tokens))
			if s.Text {
				fmt.Printf("== %s at %d: %d tokens\n%s\n", name, threshold, sn.Tokens, sn.Rendered)
			}
			for _, q := range questions {
				if q.Conversation != name || len(q.MustHold) == 0 {
					continue
				}
				held := 1.0
				for _, must := range q.MustHold {
					if !stands(must, sn.Rendered) {
						held = 0
						if s.Text {
							fmt.Printf("-- %s: %s: lacks %q\n", q.Kind, q.Question, must)
						}
					}
				}
				if byKind[q.Kind] == nil {
					byKind[q.Kind] = newMean()
				}
				byKind[q.Kind].add("held", held)
				whole.add("held", held)
			}
		}
		rows = append(rows, whole.row(fmt.Sprintf("at %d", threshold)))
		for _, kind := range slices.Sorted(maps.Keys(byKind)) {
			rows = append(rows, byKind[kind].row(kind))
		}
	}
	return show(os.Stdout, s.JSON, append(columns, "tokens"), rows)
}

// snapshotOf takes a conversation in, folding as it grows, and in the end by hand what is older than the window.
func snapshotOf(ctx context.Context, lines []said, threshold int) (*memory.Snapshot, error) {
	store, remove, err := tempStore(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	store.Policy = memory.DefaultPolicy(threshold)
	compactor := &agent.Compactor{Store: store, Log: slog.New(slog.DiscardHandler)}
	key := memory.Key{Platform: "evaluate", Workspace: "w", Channel: "c", Thread: "t"}
	var session int64
	for _, l := range lines {
		in := memory.Incoming{Platform: key.Platform, EventID: l.ID, Kind: "import", Key: key, Channel: memory.Channel{Kind: memory.Public},
			Message: &memory.Message{PlatformID: l.ID, Role: l.Role, Author: l.Author, Text: l.Text, At: l.At.UnixMilli()}}
		if l.Role == memory.User {
			in.Person = memory.Person{PlatformID: l.Author, Name: l.Author, Kind: memory.Human}
		}
		r, err := store.Queue.Receive(ctx, in)
		if err != nil {
			return nil, err
		}
		session = r.Session.ID
		for worked := true; worked; {
			if worked, err = compactor.Next(ctx, "evaluate"); err != nil {
				return nil, err
			}
		}
	}
	p := place{store: store, session: &memory.Session{ID: session}}
	if err := p.fold(ctx); err != nil {
		return nil, err
	}
	return store.Snapshot(ctx, session)
}
