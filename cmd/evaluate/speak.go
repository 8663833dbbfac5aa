package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
	"threadkeeper/bot"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

type speak struct {
	File     string `required:"" type:"existingfile" help:"Threads: {id, lines[{who, text, label}]}; the label of a person's line is meant, not or either, a line without one is ours or a program's."`
	Model    string `help:"A model that decides where the rules do not; without one those lines stay undecided."`
	Endpoint string `help:"With --model: the OpenAI-compatible endpoint that has it, such as http://localhost:11434/v1." env:"OPENAI_BASE_URL"`
	Key      string `help:"With --model: the endpoint's key." env:"OPENAI_API_KEY"`
	Text     bool   `help:"Print every line with its label, the decision and the rule."`
	JSON     bool   `name:"json" help:"Print JSON."`
}

type group struct {
	ID    string
	Lines []groupLine
}

type groupLine struct{ Who, Text, Label string }

// us is who says our lines; people mention us as "@Threadkeeper".
const us = "Threadkeeper"

func (s *speak) Run(ctx context.Context) error {
	groups, err := readRecords[group](s.File)
	if err != nil {
		return err
	}
	llm, err := model.Open(model.Options{Model: s.Model, OpenAIBaseURL: s.Endpoint, OpenAIKey: s.Key})
	if err != nil {
		return err
	}
	all, rows := newMean(), []row{}
	for _, g := range groups {
		one := newMean()
		if err := s.listen(ctx, g, llm, one, all); err != nil {
			return fmt.Errorf("thread %s: %w", g.ID, err)
		}
		rows = append(rows, one.row(g.ID))
	}
	rows = append([]row{all.row("all")}, rows...)
	return show(os.Stdout, s.JSON, []string{"wrong", "undecided", "out of turn", "missed"}, rows)
}

// listen takes the lines of a thread in turn and decides on each of a person's from what stands before it.
func (s *speak) listen(ctx context.Context, g group, llm llms.Model, means ...*mean) error {
	store, remove, err := tempStore(ctx)
	if err != nil {
		return err
	}
	defer remove()
	b := &bot.Bot{Store: store, Follow: hearing.FollowThread}
	chain := &agent.Chain{Store: store, Index: &docs.Index{Store: store}, Model: llm, Clarify: agent.ClarifyWhenHelps}
	for i, l := range g.Lines {
		if l.Who == us {
			if err := answer(ctx, store, l.Text); err != nil {
				return fmt.Errorf("line %d: %w", i+1, err)
			}
			continue
		}
		ev := l.event(g.ID, i)
		said, rule, err := b.Judge(ctx, ev)
		if err != nil {
			return err
		}
		answered := i+1 < len(g.Lines) && g.Lines[i+1].Who == us
		at, err := store.Queue.Receive(ctx, memory.Incoming{Platform: ev.Key.Platform, EventID: ev.Message, Kind: string(ev.Kind), Key: ev.Key, Channel: ev.Channel,
			Person:  memory.Person{PlatformID: l.Who, Name: l.Who, Kind: ev.Author.Kind},
			Message: &memory.Message{PlatformID: ev.Message, Role: memory.User, Author: l.Who, Text: strings.ReplaceAll(ev.Text, "@"+us+" ", ""), At: ev.At}, Answer: answered})
		if err != nil {
			return err
		}
		if l.Label == "" {
			continue
		}
		decided := said
		if said == hearing.Maybe && llm != nil {
			if decided, err = spoken(ctx, chain, at); err != nil {
				return fmt.Errorf("line %d: %w", i+1, err)
			}
		}
		if s.Text {
			fmt.Printf("%s %d\t%s\t%s\t%s\t%s: %s\t(%s)\n", g.ID, i+1, l.Label, said, decided, l.Who, strings.ReplaceAll(l.Text, "\n", " / "), rule)
		}
		for _, m := range means {
			m.add("wrong", one(said == hearing.Yes && l.Label == "not" || said == hearing.No && l.Label == "meant"))
			m.add("undecided", one(said == hearing.Maybe))
			m.add("out of turn", one(decided == hearing.Yes && l.Label == "not"))
			if l.Label == "meant" {
				m.add("missed", one(decided != hearing.Yes))
			}
		}
	}
	return nil
}

func (l groupLine) event(thread string, i int) platform.Event {
	kind := memory.Human
	if l.Label == "" {
		kind = memory.Bot
	}
	return platform.Event{ID: fmt.Sprint(thread, "/", i), Kind: platform.EventMessage, Message: fmt.Sprint(thread, "/", i),
		Key:     memory.Key{Platform: "evaluate", Workspace: "w", Channel: "c", Thread: thread},
		Channel: memory.Channel{Kind: memory.Public}, Author: platform.Author{ID: l.Who, Name: l.Who, Kind: kind},
		Text: l.Text, At: time.Now().UnixMilli(), Mention: strings.Contains(l.Text, "@"+us), ToOther: strings.HasPrefix(l.Text, "@") && !strings.HasPrefix(l.Text, "@"+us)}
}

func answer(ctx context.Context, store *memory.Store, text string) error {
	turn, err := store.Queue.ClaimTurn(ctx, memory.TurnClaim{Owner: "evaluate", TTL: time.Minute, Burst: memory.Burst{Rows: 1},
		Nonce: func(last *memory.Inbox) string { return fmt.Sprint(last.ID) }})
	if err != nil || turn == nil {
		return fmt.Errorf("no line of a person stands before ours: %w", err)
	}
	row := turn.Rows[0]
	session, err := store.Session(ctx, turn.SessionID)
	if err != nil {
		return err
	}
	_, err = store.Queue.FinishTurn(ctx, &turn.Lease, memory.Answer{Outbox: turn.Post.ID, Ref: "r", Inbox: []int64{row.ID}, State: memory.InteractionClosed,
		Message: memory.Message{SessionID: turn.SessionID, ChannelID: session.ChannelID, Text: text, ReplyTo: row.MessageID}})
	return err
}

// spoken is whether a model answers a line that may be for us.
func spoken(ctx context.Context, chain *agent.Chain, at *memory.Received) (string, error) {
	audience, err := chain.Store.Audience(ctx, at.Session.ID, at.Person.ID)
	if err != nil {
		return "", err
	}
	reply, err := chain.Respond(ctx, agent.Turn{Session: at.Session, Audience: audience, Person: at.Person, Choice: agent.ChoiceNone, Now: time.Now().UTC(),
		Messages: []*memory.Message{at.Message}, Overheard: true}, nil)
	switch {
	case err != nil:
		return "", err
	case reply.Err != nil:
		return "", reply.Err
	case reply.Silent:
		return hearing.No, nil
	}
	return hearing.Yes, nil
}
