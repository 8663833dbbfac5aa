package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"threadkeeper/memory"
)

type recall struct {
	Conversations string `required:"" type:"existingfile" help:"Conversations: {conv, speakers[], turns[{id, s, date, who, text, img?}]}."`
	Questions     string `required:"" type:"existingfile" help:"Questions: {id, conv, q, a, cat, ev[]}."`
	Budgets       []int  `default:"1200,2500,4000,10000" help:"Context sizes in cl100k_base tokens."`
	Pool          bool   `help:"All conversations in one store, visible to one another."`
	AsChain       bool   `help:"Measure what the first prompt of a turn holds, with a model that finds nothing, instead of a budget."`
	Window        int    `help:"With --as-chain: the model's window in tokens; 0 if it is not known."`
	Under         int    `placeholder:"N" help:"Measure again after N later messages in other channels, and print both and the difference."`
	JSON          bool   `name:"json" help:"Print JSON."`
}

type conversation struct {
	Conv  string
	Turns []turn
}

type turn struct{ ID, Date, Who, Text, Img string }

type recallQuestion struct {
	ID, Conv, Q string
	Cat         int
	Ev          []string
}

// adversarial questions have another person's turn as evidence; they stay out of the whole.
const adversarial = 5

var categories = map[int]string{1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", adversarial: "adversarial"}

const windowShare = 0.1

type remembered struct {
	place
	turn   map[int64]string  // message id → turn id
	newest []*memory.Message // all, the newest last
}

func (r *recall) Run(ctx context.Context) error {
	conversations, err := readRecords[conversation](r.Conversations)
	if err != nil {
		return err
	}
	questions, err := readRecords[recallQuestion](r.Questions)
	if err != nil {
		return err
	}
	stored := map[string]*remembered{}
	var store *memory.Store
	for _, c := range conversations {
		if store == nil || !r.Pool {
			var remove func()
			if store, remove, err = tempStore(ctx); err != nil {
				return err
			}
			defer remove()
		}
		if stored[c.Conv], err = remember(ctx, store, c); err != nil {
			return err
		}
		if r.AsChain {
			if err := stored[c.Conv].fold(ctx, nil); err != nil {
				return err
			}
		}
	}
	measure, columns := r.measure, []string{}
	for _, b := range r.Budgets {
		columns = append(columns, fmt.Sprint(b))
	}
	columns = append(columns, "p50 ms", "p95 ms")
	if r.AsChain {
		measure, columns = r.measureChain, []string{"evidence", "recalled p50", "recalled p95"}
	}
	rows, err := measure(ctx, stored, questions)
	if err != nil {
		return err
	}
	if r.Under > 0 {
		if err := r.crowd(ctx, conversations, stored); err != nil {
			return err
		}
		under, err := measure(ctx, stored, questions)
		if err != nil {
			return err
		}
		compare(rows, under)
		for _, c := range slices.Clone(columns) {
			columns = append(columns, c+" under", c+" lost")
		}
	}
	return show(os.Stdout, r.JSON, columns, rows)
}

// crowd adds later messages to every store, made of the other conversations' lines where these are not in it.
func (r *recall) crowd(ctx context.Context, conversations []conversation, stored map[string]*remembered) error {
	for i, c := range conversations {
		var lines []turn
		for j, other := range conversations {
			if j != i || r.Pool || len(conversations) == 1 {
				lines = append(lines, other.Turns...)
			}
		}
		if err := chatter(ctx, stored[c.Conv].store, lines, r.Under); err != nil {
			return err
		}
		if r.Pool {
			break
		}
	}
	return nil
}

// remember stores a conversation through the normal path: one thread of a public channel.
func remember(ctx context.Context, store *memory.Store, c conversation) (*remembered, error) {
	key := memory.Key{Platform: "evaluate", Workspace: "w", Channel: "c", Thread: c.Conv}
	at, err := open(ctx, store, key, memory.Public)
	if err != nil {
		return nil, err
	}
	r := &remembered{place: at, turn: map[int64]string{}}
	for i, t := range c.Turns {
		text := t.Text
		if t.Img != "" {
			text += " [shares " + t.Img + "]"
		}
		id := fmt.Sprintf("%s/%d", c.Conv, i)
		got, err := store.Queue.Receive(ctx, memory.Incoming{
			Platform: "evaluate", EventID: id, Kind: "message",
			Key:     key,
			Channel: memory.Channel{Kind: memory.Public},
			Person:  memory.Person{PlatformID: t.Who, Name: t.Who},
			Message: &memory.Message{PlatformID: id, Role: memory.User, Author: t.Who, Text: text, At: spokenAt(t.Date, i)},
		})
		if err != nil {
			return nil, err
		}
		r.turn[got.Message.ID] = t.ID
		r.newest = append(r.newest, got.Message)
	}
	return r, nil
}

// spokenAt reads the date of a turn; without one the turns follow one another by the minute.
func spokenAt(date string, i int) int64 {
	for _, layout := range []string{"3:04 pm on 2 January, 2006", time.RFC3339, time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, date); err == nil {
			return t.UnixMilli()
		}
	}
	return int64(i+1) * time.Minute.Milliseconds()
}

// average measures the questions that have evidence and returns the means: of all but the adversarial ones, and of each category.
func average(stored map[string]*remembered, questions []recallQuestion, measure func(c *remembered, q recallQuestion) (map[string]float64, error)) ([]row, error) {
	whole, byCategory := newMean(), map[int]*mean{}
	for _, q := range questions {
		if len(q.Ev) == 0 {
			continue
		}
		c := stored[q.Conv]
		if c == nil {
			return nil, fmt.Errorf("question %s: no conversation %q", q.ID, q.Conv)
		}
		measures, err := measure(c, q)
		if err != nil {
			return nil, err
		}
		if byCategory[q.Cat] == nil {
			byCategory[q.Cat] = newMean()
		}
		for name, v := range measures {
			byCategory[q.Cat].add(name, v)
			if q.Cat != adversarial {
				whole.add(name, v)
			}
		}
	}
	rows := []row{whole.row("categories 1-4")}
	for _, c := range slices.Sorted(maps.Keys(byCategory)) {
		rows = append(rows, byCategory[c].row(categories[c]))
	}
	return rows, nil
}

func (r *recall) measure(ctx context.Context, stored map[string]*remembered, questions []recallQuestion) ([]row, error) {
	var took times
	rows, err := average(stored, questions, func(c *remembered, q recallQuestion) (map[string]float64, error) {
		found := map[string]float64{}
		for _, budget := range r.Budgets {
			shown, spent, err := c.context(ctx, q.Q, budget)
			if err != nil {
				return nil, err
			}
			took, found[fmt.Sprint(budget)] = append(took, spent), share(q.Ev, shown)
		}
		return found, nil
	})
	if err == nil {
		took.measure(rows[0])
	}
	return rows, err
}

// context assembles what a prompt of so many tokens holds for a question, as the chain does:
// the newest messages, and before them what is recalled. It returns the ids of the turns
// and how long the recall took.
func (c *remembered) context(ctx context.Context, question string, budget int) (shown map[string]bool, spent time.Duration, err error) {
	shown = map[string]bool{}
	inWindow := map[int64]bool{}
	window := room{tokens: int(float64(budget) * windowShare)}
	for _, m := range slices.Backward(c.newest) {
		if !window.take(m) {
			break
		}
		inWindow[m.ID] = true
		shown[c.turn[m.ID]] = true
	}
	left := room{tokens: budget - window.used}
	start := time.Now()
	found, err := c.store.Recall(ctx, memory.RecallQuery{
		Audience: c.audience, Text: question,
		Exclude: func(id int64) bool { return inWindow[id] },
	})
	spent = time.Since(start)
	if err != nil {
		return nil, spent, err
	}
	for _, f := range found { // what is too long for what is left gives way to shorter ones
		if left.take(f.Message) {
			shown[c.turn[f.Message.ID]] = true // a message of another conversation has no turn here
		}
	}
	return shown, spent, nil
}

// room is a part of a prompt for messages, a line each with author and words, and the date once for each day of a session.
type room struct {
	tokens, used int
	dated        map[stretch]bool
}

type stretch struct{ session, day int64 }

const (
	frameTokens = 3 // of Message.Tokens, which a line does not have
	dateTokens  = 8 // [2006-01-02] and the end of a line
)

func (r *room) take(m *memory.Message) bool {
	at := stretch{m.SessionID, m.At / (24 * time.Hour).Milliseconds()}
	cost := m.Tokens - frameTokens + memory.Count(m.Author)
	if !r.dated[at] {
		cost += dateTokens
	}
	if r.used+cost > r.tokens {
		return false
	}
	if r.used += cost; r.dated == nil {
		r.dated = map[stretch]bool{}
	}
	r.dated[at] = true
	return true
}

// share returns the part of the evidence that is shown. An item may list several turns.
func share(evidence []string, shown map[string]bool) float64 {
	n := 0
	for _, e := range evidence {
		if shown[strings.TrimSpace(e)] {
			n++
		}
	}
	return float64(n) / float64(len(evidence))
}
