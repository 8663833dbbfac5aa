package memory

import (
	"context"
	"time"

	"github.com/uptrace/bun"
)

// Spending is the cost of model calls on one day, for one person in one channel and for one purpose.
type Spending struct {
	bun.BaseModel    `bun:"table:spending,alias:sp"`
	Day              int64 // its beginning, see Day
	PersonID         int64 // 0: nobody asked for it, as for a summary
	ChannelID        int64
	Model            string
	Purpose          string // "answer", "summary", …
	Calls            int64
	PromptTokens     int64
	CompletionTokens int64
	CachedTokens     int64 // of PromptTokens
	Micros           int64 // millionths of the currency that prices are in; 0 without a price
}

// Spent is the used part of a budget.
type Spent struct {
	Tokens int64 // of prompts and completions
	Micros int64
}

// Day returns the beginning of a time's day in UTC, both in milliseconds.
func Day(at int64) int64 { return at - at%(24*time.Hour).Milliseconds() }

// Spend adds to the recorded spending.
func (s *Store) Spend(ctx context.Context, sp Spending) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&sp).On("CONFLICT (day, person_id, channel_id, model, purpose) DO UPDATE").
			Set("calls = sp.calls + EXCLUDED.calls, prompt_tokens = sp.prompt_tokens + EXCLUDED.prompt_tokens").
			Set("completion_tokens = sp.completion_tokens + EXCLUDED.completion_tokens, cached_tokens = sp.cached_tokens + EXCLUDED.cached_tokens").
			Set("micros = sp.micros + EXCLUDED.micros").Exec(ctx)
		return err
	})
	return wrap("enter what was spent", err)
}

// SpentOn returns the spending of a person, a channel and everybody on a day.
func (s *Store) SpentOn(ctx context.Context, day, person, channel int64) (byPerson, inChannel, all Spent, err error) {
	const tokens = "prompt_tokens + completion_tokens"
	err = s.reader.NewSelect().Model((*Spending)(nil)).
		ColumnExpr("COALESCE(SUM(CASE WHEN person_id = ? THEN "+tokens+" END), 0), COALESCE(SUM(CASE WHEN person_id = ? THEN micros END), 0)", person, person).
		ColumnExpr("COALESCE(SUM(CASE WHEN channel_id = ? THEN "+tokens+" END), 0), COALESCE(SUM(CASE WHEN channel_id = ? THEN micros END), 0)", channel, channel).
		ColumnExpr("COALESCE(SUM("+tokens+"), 0), COALESCE(SUM(micros), 0)").
		Where("day = ?", day).
		Scan(ctx, &byPerson.Tokens, &byPerson.Micros, &inChannel.Tokens, &inChannel.Micros, &all.Tokens, &all.Micros)
	return byPerson, inChannel, all, wrap("read what was spent", err)
}

// Usage is the spending of one day, with names for people.
type Usage struct {
	Spending `bun:",extend"`
	Platform string // "" if the channel is no longer known
	Channel  string // the name of a public channel, else its id; "DM" for a direct message
	Person   string // likewise; "" for nobody
}

// UsageOf says whose spending to list.
type UsageOf struct {
	Since     int64  // the first day, as Day has it
	PersonID  int64  // 0: everybody's
	Platform  string // with Workspace, "" for all
	Workspace string
}

// Usage lists spending, the newest day first, and within a day the most expensive first.
func (v *Views) Usage(ctx context.Context, of UsageOf) ([]Usage, error) {
	var all []Usage
	q := v.reader.NewSelect().Model(&all).Column("sp.*").
		ColumnExpr("COALESCE(c.platform, '') AS platform, CASE WHEN c.kind = 'dm' THEN 'DM' WHEN c.kind = 'public' AND c.name <> '' THEN c.name ELSE COALESCE(c.channel, '') END AS channel").
		ColumnExpr("COALESCE(NULLIF(p.name, ''), p.platform_id, '') AS person").
		Join("LEFT JOIN channels AS c ON c.id = sp.channel_id").Join("LEFT JOIN people AS p ON p.id = sp.person_id").
		Where("sp.day >= ?", of.Since).
		OrderExpr("sp.day DESC, sp.micros DESC, sp.prompt_tokens + sp.completion_tokens DESC, sp.person_id, sp.channel_id, sp.model, sp.purpose")
	if of.PersonID != 0 {
		q = q.Where("sp.person_id = ?", of.PersonID)
	}
	if of.Workspace != "" {
		q = q.Where("c.platform = ? AND c.workspace = ?", of.Platform, of.Workspace)
	}
	err := q.Scan(ctx)
	return all, wrap("list what was spent", err)
}
