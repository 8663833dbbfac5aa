package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/claims"
	"threadkeeper/agent/model"
	"threadkeeper/memory"
)

const (
	judgeTime   = 20 * time.Second // people have read the answer; they do not wait longer for its marks
	judgeTokens = 2_000            // of a reply
)

// judge has another model settle what the rules left unchecked, and look at what they verified, in one call when the answer is complete. A call that fails, is
// late or says nothing that stands changes nothing. What is on the platform by then is changed with the answer's final form.
func (r *run) judge(ctx context.Context, g *gate) error {
	if r.Judge == nil || !g.strict || g.checks.Unchecked+g.checks.Verified == 0 {
		return nil
	}
	var blocks []*claims.Block
	for _, p := range g.said {
		if p.block != nil {
			blocks = append(blocks, p.block)
		}
	}
	k, err := NewContest(g.check, blocks, r.materials())
	if err != nil || k == nil {
		return err
	}
	reply, err := r.askJudge(ctx, k, r.library, judgeTime)
	if err != nil || reply == "" {
		return err
	}
	n, err := k.Settle(reply)
	if err != nil || n == 0 {
		return err
	}
	g.checks.Judged = n
	return g.sayAgain()
}

// askJudge returns the judge's reply to a contest about some documents, within the budgets of the turn; "" if there is none.
func (r *run) askJudge(ctx context.Context, k *Contest, of library, limit time.Duration) (string, error) {
	p := prompt{messages: k.Prompt(r.marker)}
	p.tail = model.PromptTokens(p.messages, nil)
	if limit <= 0 || r.spent.ModelCalls-r.portionCalls >= maxCalls || r.beyond+p.tail+judgeTokens > r.cap() || !fitsJudge(ctx, r.Judge, p.tail) {
		return "", nil
	}
	for _, m := range k.pages() { // the answer rests on them too
		r.tooled = append(r.tooled, shown{document: of[m.Document-1].ID, page: m.Page, passage: -1, text: m.Text})
	}
	if err := r.tell(ctx); err != nil {
		return "", err
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	response, err := r.generate(asJudge(limited), r.onBehalf(r.Judge, "judge"), p.messages, llms.WithMaxTokens(judgeTokens))
	r.count(p, response, err, "")
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		r.Log.InfoContext(ctx, "the judge failed", "error", err)
		return "", nil
	}
	return model.Text(response), nil
}

// AskJudge returns a model's reply to a contest.
func AskJudge(ctx context.Context, m llms.Model, k *Contest) (string, error) {
	messages := k.Prompt(sessionMarker(&memory.Session{}))
	if !fitsJudge(ctx, m, model.PromptTokens(messages, nil)) {
		return "", errSmallerWindow
	}
	response, err := m.GenerateContent(asJudge(ctx), messages, llms.WithMaxTokens(judgeTokens))
	if err != nil {
		return "", fmt.Errorf("ask the judge: %w", err)
	}
	return model.Text(response), nil
}

func fitsJudge(ctx context.Context, m llms.Model, tokens int) bool {
	return tokens+judgeTokens <= or(model.LimitsOf(ctx, m).Window, unknownSize)
}

func asJudge(ctx context.Context) context.Context {
	return model.WithSchema(ctx, "verdicts", json.RawMessage(verdictSchema))
}

// materials are the pages and passages that the answer was written from; of notes the words of the page.
func (r *run) materials() (all []Material) {
	for _, s := range append(r.evidence[:len(r.evidence):len(r.evidence)], r.tooled...) {
		for i, d := range r.library {
			if d.ID == s.document {
				text := cmp.Or(s.quote, s.text)
				if above := headOnly(s.head); above != "" {
					text = above + "\n[…]\n" + text
				}
				all = append(all, Material{i + 1, s.page, text})
			}
		}
	}
	return all
}

// sayAgain makes the answer anew from what was shown, now that some of its claims have another outcome.
func (g *gate) sayAgain() error {
	said, emit, again := g.said, g.run.emit, g.again
	g.run.emit, g.again = func(Progress) {}, false
	defer func() { g.run.emit, g.again = emit, again }()
	g.released.Reset()
	g.all.Reset()
	g.checks.Verified, g.checks.Unchecked = 0, 0
	g.checks.LeftOut = slices.DeleteFunc(g.checks.LeftOut, func(l memory.LeftOut) bool { // what still is contradicted comes again
		return slices.ContainsFunc(said, func(p piece) bool {
			return slices.ContainsFunc(p.claims(), func(c *claims.Claim) bool { return g.told(c) == l.Text })
		})
	})
	g.said, g.shown, g.passed, g.cited, g.replaced, g.unproven, g.unended, g.long, g.muted = nil, nil, nil, nil, nil, nil, "", false, false
	if table := g.run.opened; table != nil { // it is not judged, and stays
		g.released.WriteString(table.released.String())
		g.all.WriteString(table.all.String())
		g.checks.Verified, g.checks.Unchecked = table.checks.Verified, table.checks.Unchecked
		g.cited, g.passed = slices.Clone(table.cited), slices.Clone(table.passed)
	}
	for _, p := range said {
		if err := g.say(p); err != nil {
			return err
		}
	}
	g.stands = slices.DeleteFunc(g.stands, func(text string) bool { // what is left out makes nothing good
		return slices.ContainsFunc(said, func(p piece) bool {
			return slices.ContainsFunc(p.claims(), func(c *claims.Claim) bool { return c.Outcome == claims.Contradicted && c.Text == text })
		})
	})
	return nil
}
