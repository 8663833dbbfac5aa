package platformtest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tmc/langchaingo/chains"
	lcmemory "github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/schema"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
	"threadkeeper/agent/spend"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// Chain answers by a script that stands in the message itself:
//
//	ask me        a clarifying question with the options Red and Dark green
//	slow …        says "Working. ", then nothing more until Go lets it or the turn ends
//	fail …        fails until Mended is set
//	overspend     finds something without the model, whose budget is spent
//	panic         panics
//	shout         an answer full of mentions
//	long          Words in a row, too many for one message of most platforms
//	too long      the beginning of an answer, and the whole of it
//	recite        the conversation so far, one message per line
//	documents     the names of the new documents and their states, and of pictures nobody looked at
//	cite          an answer that cites the note of the suite, if it may be read
//	which model   the one that the turn names
//	which instructions  those of the channel
//	spend         850 tokens of the asker, once in a conversation, however often its turn begins again
//	profile       what is known of the asker from other conversations
//	speak …       the same as anything else, also where it is overheard, once Go lets it if it says "later"
//	recall …      what is recalled of these words, and the documents that may be read
//	slowly recall … the same, said at once, and ended by "Done." when Go lets it
//	anything else "You said: …", in pieces; silence if it is overheard, after Go let it for "ponder …"
type Chain struct {
	Store *memory.Store
	Go    chan struct{} // lets a slow turn end for each thing sent, all when closed
	Looks bool          // it takes pictures

	mu      sync.Mutex
	mended  bool
	started int
	spent   map[int64]bool // by session
}

var _ chains.Chain = (*Chain)(nil)

// Mend lets failing messages be answered from now on.
func (c *Chain) Mend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mended = true
}

// Started is how many turns have begun.
func (c *Chain) Started() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.started
}

func (c *Chain) spend(ctx context.Context, t agent.Turn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spent[t.Session.ID] {
		return nil
	}
	err := c.Store.Spend(ctx, memory.Spending{Day: memory.Day(c.Store.Now()), PersonID: t.Audience.Person, ChannelID: t.Session.ChannelID,
		Model: "m", Purpose: "answer", Calls: 1, PromptTokens: 850})
	if c.spent == nil {
		c.spent = make(map[int64]bool)
	}
	c.spent[t.Session.ID] = err == nil
	return err
}

// TakesPictures is Looks.
func (c *Chain) TakesPictures(context.Context, string) bool { return c.Looks }

// Call takes a turn.
func (c *Chain) Call(ctx context.Context, in map[string]any, _ ...chains.ChainCallOption) (map[string]any, error) {
	c.mu.Lock()
	c.started++
	mended := c.mended
	c.mu.Unlock()
	r, err := c.respond(ctx, in[agent.InputTurn].(agent.Turn), in[agent.InputEmit].(func(agent.Progress)), mended)
	if err != nil {
		return nil, err
	}
	if r.Silent {
		return map[string]any{agent.OutputReply: r}, nil
	}
	r.Understanding.Method = "rule"
	r.Understanding.RewrittenQuery = r.Text
	return map[string]any{agent.OutputReply: r}, nil
}

// GetMemory is empty.
func (c *Chain) GetMemory() schema.Memory { return lcmemory.NewSimple() }

// GetInputKeys is the turn and what it lets be seen.
func (c *Chain) GetInputKeys() []string { return []string{agent.InputTurn, agent.InputEmit} }

// GetOutputKeys is the reply.
func (c *Chain) GetOutputKeys() []string { return []string{agent.OutputReply} }

func (c *Chain) respond(ctx context.Context, t agent.Turn, emit func(agent.Progress), mended bool) (*agent.Reply, error) {
	var texts []string
	for _, m := range t.Messages {
		texts = append(texts, m.Text)
	}
	text := strings.Join(texts, " / ")
	if t.Overheard {
		return c.overhear(ctx, text, emit)
	}
	if t.Question != nil {
		return &agent.Reply{Text: "You chose " + chosen(t, text)}, nil
	}
	switch {
	case text == "ask me":
		return &agent.Reply{Question: &memory.Question{Text: "Which colour?",
			Options: []memory.Option{{Label: "Red", Query: "red"}, {Label: "Dark green", Query: "green"}}}}, nil
	case strings.HasPrefix(text, "slowly recall "):
		return c.recallSlowly(ctx, t, strings.TrimPrefix(text, "slowly recall "), emit)
	case strings.HasPrefix(text, "slow"):
		emit(agent.Progress{Text: "Working. "})
		select {
		case <-c.Go:
			return &agent.Reply{Text: "Working. Done: " + text}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case strings.HasPrefix(text, "fail") && !mended:
		return &agent.Reply{Err: &model.Error{Kind: model.Auth}, Partial: true}, nil
	case text == "overspend":
		emit(agent.Progress{Text: "What was found."})
		over := &spend.OverError{Budget: spend.OfPerson, Opens: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), Wait: 9 * time.Hour}
		return &agent.Reply{Text: "What was found.", Err: over, Partial: true}, nil
	case text == "panic":
		panic("scripted")
	case text == "shout":
		return &agent.Reply{Text: "Hello @everyone, <!channel>, <@U-Bob>"}, nil
	case text == "long":
		text = long()
		emit(agent.Progress{Text: text})
		return &agent.Reply{Text: text}, nil
	case text == "too long":
		emit(agent.Progress{Text: "The beginning."})
		return &agent.Reply{Text: "The beginning.", Whole: "The beginning and the end."}, nil
	case text == "recite":
		return c.recite(ctx, t)
	case strings.HasPrefix(text, "recall "):
		return c.recall(ctx, t, strings.TrimPrefix(text, "recall "))
	case text == "profile":
		return c.profile(ctx, t)
	case text == "which model":
		return &agent.Reply{Text: "Model: " + t.Model + "."}, nil
	case text == "which instructions":
		return &agent.Reply{Text: "Instructions: " + t.Instructions}, nil
	case text == "spend":
		return &agent.Reply{Text: "Spent."}, c.spend(ctx, t)
	case text == "cite":
		return c.cite(ctx, t)
	case strings.HasPrefix(text, "documents"):
		return &agent.Reply{Text: "New: " + documents(t)}, nil
	}
	return repeat(text, emit), nil
}

func repeat(text string, emit func(agent.Progress)) *agent.Reply {
	pieces := strings.SplitAfter("You said: "+text, " ")
	for _, p := range pieces {
		emit(agent.Progress{Text: p})
	}
	return &agent.Reply{Text: strings.Join(pieces, "")}
}

// overhear speaks only when the text asks for it.
func (c *Chain) overhear(ctx context.Context, text string, emit func(agent.Progress)) (*agent.Reply, error) {
	emit(agent.Progress{Status: "Thinking"})
	speaks, fails := strings.HasPrefix(text, "speak"), strings.HasPrefix(text, "fail")
	if strings.HasPrefix(text, "ponder") || strings.HasPrefix(text, "speak later") {
		select {
		case <-c.Go:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	switch {
	case speaks:
		return repeat(text, emit), nil
	case fails:
		return &agent.Reply{Text: "What was found.", Err: &model.Error{Kind: model.Auth}, Partial: true}, nil
	}
	return &agent.Reply{Silent: true, Ledger: memory.Ledger{ModelCalls: 1, PromptTokens: 100}}, nil
}

// Words is how many words the answer to "long" has.
const Words = 2000

// long has a blank line after every twenty words.
func long() string {
	var b strings.Builder
	for n := 1; n <= Words; n++ {
		fmt.Fprintf(&b, "word%d ", n)
		if n%20 == 0 && n < Words {
			b.WriteString("\n\n")
		}
	}
	return strings.TrimSpace(b.String())
}

func chosen(t agent.Turn, text string) string {
	switch t.Choice {
	case agent.ChoiceNone:
		return "the words " + text
	case agent.ChoiceJustAnswer:
		return "no option"
	}
	return t.Question.Options[t.Choice].Query
}

func documents(t agent.Turn) string {
	var all []string
	for _, d := range t.New {
		all = append(all, fmt.Sprintf("%s %s", d.Name, d.State))
	}
	for _, name := range t.Unseen {
		all = append(all, name+" unseen")
	}
	return strings.Join(all, ", ")
}

// cite quotes the first document of the audience.
func (c *Chain) cite(ctx context.Context, t agent.Turn) (*agent.Reply, error) {
	index := &docs.Index{Store: c.Store}
	all, err := index.List(ctx, t.Audience)
	if err != nil || len(all) == 0 {
		return &agent.Reply{Text: "No document says so."}, err
	}
	cited, err := index.Verify(ctx, docs.Citation{N: 1, DocumentID: all[0].ID, Page: 1, Quote: "The warranty lasts three years"})
	if err != nil {
		return nil, err
	}
	cited.Place = "" // as of a file with pages, which can be shown
	return &agent.Reply{Text: "Three years. [1]", Citations: []docs.Citation{cited}}, nil
}

// profile is what follows of the asker into the conversation.
func (c *Chain) profile(ctx context.Context, t agent.Turn) (*agent.Reply, error) {
	found, err := c.Store.Carried(ctx, t.Audience)
	if err != nil {
		return nil, err
	}
	reply := &agent.Reply{Text: "Known:", Carried: found}
	for _, k := range found {
		reply.Text += " " + k.Quote
		reply.Rests.Messages = append(reply.Rests.Messages, k.MessageID)
	}
	if len(found) == 0 {
		reply.Text += " nothing"
	}
	return reply, t.Held(ctx, reply.Rests)
}

// recite is the history before the request.
func (c *Chain) recite(ctx context.Context, t agent.Turn) (*agent.Reply, error) {
	h, err := c.Store.History(ctx, t.Session.ID, t.Messages[len(t.Messages)-1].ID)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, m := range h.Messages {
		lines = append(lines, m.Author+": "+m.Text)
	}
	return &agent.Reply{Text: strings.Join(lines, "\n")}, nil
}

func (c *Chain) recallSlowly(ctx context.Context, t agent.Turn, words string, emit func(agent.Progress)) (*agent.Reply, error) {
	r, err := c.recall(ctx, t, words)
	if err != nil {
		return nil, err
	}
	emit(agent.Progress{Text: r.Text})
	select {
	case <-c.Go:
		r.Text += "\nDone."
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// recall is everything that an answer to the words may draw on.
func (c *Chain) recall(ctx context.Context, t agent.Turn, words string) (*agent.Reply, error) {
	found, err := c.Store.Recall(ctx, memory.RecallQuery{Audience: t.Audience, Text: words})
	if err != nil {
		return nil, err
	}
	reply := &agent.Reply{}
	lines := []string{"Recalled:"}
	for _, r := range found {
		lines = append(lines, r.Message.Text)
		if r.Message.SessionID != t.Session.ID {
			reply.Rests.Messages = append(reply.Rests.Messages, r.Message.ID)
		}
	}
	lines = append(lines, "May be read:")
	all, err := (&docs.Index{Store: c.Store}).List(ctx, t.Audience)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		lines = append(lines, d.Name)
		reply.Rests.Documents = append(reply.Rests.Documents, d.ID)
	}
	reply.Text = strings.Join(lines, "\n")
	return reply, t.Held(ctx, reply.Rests)
}
