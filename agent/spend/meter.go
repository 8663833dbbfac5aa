package spend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/memory"
)

// Account says for whom and for what a call is made.
type Account struct {
	Person  int64  // 0: nobody asked for it
	Channel int64  // 0: in no place
	Purpose string // "answer", "summary", …
}

// Meter is a model whose calls stay within the budgets and are recorded in the store. Its fields are set before the first call.
type Meter struct {
	Model   llms.Model
	Name    string // of Model
	Store   *memory.Store
	Budgets Budgets
	Prices  map[string]Price // by name of a model

	tenths atomic.Int64 // tokens the model counts for ten of ours, where that is more

	mu      sync.Mutex
	pending map[*memory.Spent]Account // what the calls under way may take at most
	books   *Meter                    // the one whose mu and pending count, nil for its own
}

// With returns another model within the same budgets.
func (m *Meter) With(other llms.Model, name string) *Meter {
	return &Meter{Model: other, Name: name, Store: m.Store, Budgets: m.Budgets, Prices: m.Prices, books: cmp.Or(m.books, m)}
}

// As returns the model for calls on behalf of an account.
func (m *Meter) As(a Account) llms.Model { return &metered{m, a} }

// For returns a model for calls on behalf of an account if it is a Meter, else the model itself.
func For(m llms.Model, a Account) llms.Model {
	if meter, ok := m.(*Meter); ok {
		return meter.As(a)
	}
	return m
}

// Call implements llms.Model.
func (m *Meter) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

// GenerateContent implements llms.Model on nobody's behalf.
func (m *Meter) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	return m.As(Account{Purpose: "other"}).GenerateContent(ctx, messages, options...)
}

// Limits is what model.LimitsOf asks for. The window is smaller where the model has counted more tokens than we do.
func (m *Meter) Limits(ctx context.Context) model.Limits {
	l := model.LimitsOf(ctx, m.Model)
	if tenths := int(m.tenths.Load()); tenths > 10 {
		l.Window = l.Window * 10 / tenths
		l.Source += fmt.Sprintf("; it counts %d.%d tokens for one of ours", tenths/10, tenths%10)
	}
	return l
}

const (
	tellingPrompt = 2000 // tokens of a prompt from which on its count tells how a model counts: providers add hundreds of their own
	mostTenths    = 25   // a provider that says more counts something else
)

// calibrate learns how many tokens the model counts for ten of ours. It only grows, so that prompts begin alike from turn to
// turn.
func (m *Meter) calibrate(ours, theirs int) {
	if ours < tellingPrompt {
		return
	}
	tenths := int64(min((theirs*10+ours/2)/ours, mostTenths))
	for was := m.tenths.Load(); tenths > was && !m.tenths.CompareAndSwap(was, tenths); was = m.tenths.Load() {
	}
}

// metered is a Meter on behalf of an account.
type metered struct {
	*Meter
	account Account
}

// GenerateContent makes a call if the budgets allow the most it may cost, or returns an *OverError. The usage is recorded
// even if ctx ends meanwhile; a call without an answer costs nothing.
func (m *metered) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var o llms.CallOptions
	for _, option := range options {
		option(&o)
	}
	prompt := model.PromptTokens(messages, o.Tools)
	release, err := m.reserve(ctx, prompt, o.MaxTokens)
	if err != nil {
		return nil, err
	}
	defer release()
	response, failure := m.Model.GenerateContent(ctx, messages, options...)
	u := model.UsageOf(response)
	name := cmp.Or(model.AnsweredBy(response), m.Name)
	if !u.Reported {
		u = estimate(prompt, response, failure)
	} else if name == m.Name && !u.Summed && !pictured(messages) {
		m.calibrate(prompt, u.Prompt)
	}
	if u.Prompt+u.Completion > 0 {
		err = m.Store.Spend(context.WithoutCancel(ctx), memory.Spending{Day: memory.Day(m.Store.Now()), PersonID: m.account.Person, ChannelID: m.account.Channel,
			Model: name, Purpose: m.account.Purpose, Calls: 1, PromptTokens: int64(u.Prompt), CompletionTokens: int64(u.Completion),
			CachedTokens: int64(u.Cached), Micros: m.Prices[name].micros(u.Prompt, u.Completion, u.Cached)})
	}
	if failure != nil {
		return response, failure
	}
	return response, err
}

// reserve sets aside what a call may take at most until release is called.
func (m *metered) reserve(ctx context.Context, prompt, completion int) (release func(), err error) {
	if m.Budgets == (Budgets{}) {
		return func() {}, nil
	}
	most := &memory.Spent{Tokens: int64(prompt + completion), Micros: m.Prices[m.Name].micros(prompt, completion, 0)}
	books := cmp.Or(m.books, m.Meter)
	books.mu.Lock()
	defer books.mu.Unlock()
	now := m.Store.Now()
	spent, err := m.spent(ctx, memory.Day(now), m.account)
	if err != nil {
		return nil, err
	}
	for other, a := range books.pending {
		if a.Person == m.account.Person {
			spent[0] = plus(spent[0], *other)
		}
		if a.Channel == m.account.Channel {
			spent[1] = plus(spent[1], *other)
		}
		spent[2] = plus(spent[2], *other)
	}
	for i, l := range m.budgets(m.account) {
		if !l.limit.takes(spent[i], *most) {
			at := opens(now)
			return nil, &OverError{l.budget, at, at.Sub(time.UnixMilli(now))}
		}
	}
	if books.pending == nil {
		books.pending = map[*memory.Spent]Account{}
	}
	books.pending[most] = m.account
	return func() {
		books.mu.Lock()
		defer books.mu.Unlock()
		delete(books.pending, most)
	}, nil
}

// bounded is one of the budgets that an account has to keep.
type bounded struct {
	budget Budget
	limit  Limit
}

func (m *Meter) budgets(a Account) [3]bounded {
	all := [3]bounded{{OfPerson, m.Budgets.Person}, {OfChannel, m.Budgets.Channel}, {OfAll, m.Budgets.All}}
	if a.Person == 0 {
		all[0].limit = Limit{}
	}
	if a.Channel == 0 {
		all[1].limit = Limit{}
	}
	return all
}

// spent is what was spent of each of the budgets on a day.
func (m *Meter) spent(ctx context.Context, day int64, a Account) (s [3]memory.Spent, err error) {
	s[0], s[1], s[2], err = m.Store.SpentOn(ctx, day, a.Person, a.Channel)
	return s, err
}

// Warnings returns the budgets of an account that are four fifths used today.
func (m *Meter) Warnings(ctx context.Context, a Account) ([]Warning, error) {
	if m.Budgets == (Budgets{}) {
		return nil, nil
	}
	now := m.Store.Now()
	spent, err := m.spent(ctx, memory.Day(now), a)
	if err != nil {
		return nil, err
	}
	var all []Warning
	for i, b := range m.budgets(a) {
		if p := b.limit.percent(spent[i]); p >= warnAt {
			all = append(all, Warning{b.budget, int(min(p, 100)), memory.Day(now), opens(now)})
		}
	}
	return all, nil
}

// opens is when the budgets of the day after now begin.
func opens(now int64) time.Time {
	return time.UnixMilli(memory.Day(now)).UTC().AddDate(0, 0, 1)
}

// pictured reports whether a prompt shows a picture: its price in tokens is unknown.
func pictured(messages []llms.MessageContent) bool {
	return slices.ContainsFunc(messages, func(m llms.MessageContent) bool {
		return slices.ContainsFunc(m.Parts, func(p llms.ContentPart) bool { _, text := p.(llms.TextContent); return !text })
	})
}

// estimate is what a call took whose provider did not say it. One that was not begun took nothing.
func estimate(prompt int, response *llms.ContentResponse, failure error) model.Usage {
	text := model.Text(response)
	var failed *model.Error
	if errors.As(failure, &failed) {
		if text == "" {
			text = failed.Partial
		}
		switch failed.Kind {
		case model.Timeout, model.Canceled, model.Refused, model.Truncated, model.Garbage:
		default:
			return model.Usage{}
		}
	}
	return model.Usage{Prompt: prompt, Completion: memory.Count(text)}
}
