package agent

import (
	"cmp"
	"fmt"
	"slices"

	"threadkeeper/agent/claims"
	"threadkeeper/memory/reading"
)

const (
	judgedAtOnce = 16 // statements
	mostJudging  = 20 // calls of the judge for a text
	mostNear     = 4  // places that the judge is shown of those a statement, or a part of it, was compared with
	shownBefore  = 8  // statements, for what the first one refers to
)

// looked is a statement that the rules have looked at, and that may be otherwise.
type looked struct {
	contested
	at   int // of Checked.Statements
	near []Material
}

// judge has the judge look at what the rules have found, as many statements at once as fit. It disputes a ✓, and a ? or a ✗ becomes
// what it proves by words of a page that it was shown. Where it fails, all stays as the rules have it.
func (c *check) judge() error {
	for calls := 0; c.Judge != nil && len(c.looked) > 0 && calls < mostJudging; calls++ {
		now := c.looked[:min(len(c.looked), judgedAtOnce)]
		c.looked = c.looked[len(now):]
		k, err := c.contest(now)
		if err != nil {
			return err
		}
		if k == nil || len(k.claims) == 0 {
			continue
		}
		shown := func(l looked) bool { return slices.Contains(k.claims, l.contested) }
		late := slices.DeleteFunc(slices.Clone(now), shown) // their quotes had no room
		now = slices.DeleteFunc(slices.Clone(now), func(l looked) bool { return !shown(l) })
		c.looked = append(late, c.looked...)
		reply, err := c.Judge(c.ctx, k)
		if err != nil || reply == "" {
			return err
		}
		if _, err := k.Settle(reply); err != nil {
			return err
		}
		c.all.Judged += k.proven
		for _, l := range now {
			c.conclude(l)
		}
	}
	return nil
}

// contest shows the judge some statements beside the places found for them.
func (c *check) contest(now []looked) (*Contest, error) {
	var chosen []contested
	var near []Material
	for _, l := range now {
		s := c.all.Statements[l.at]
		l.claim.Outcome, l.claim.Reason, l.claim.Places = claims.Unchecked, claims.Reason{}, nil
		if s.Finding == Stands {
			l.claim.Outcome = claims.Verified
		}
		if s.At.Page > 0 {
			l.claim.Places = []claims.Place{{Document: slices.Index(c.source.ids(), s.At.DocumentID) + 1, Page: s.At.Page, Quote: s.At.Quote}}
		}
		chosen, near = append(chosen, l.contested), append(near, l.near...)
	}
	answer := ""
	for _, s := range c.all.Statements[max(0, now[0].at-shownBefore) : now[len(now)-1].at+1] {
		answer += s.Text + "\n"
	}
	return contestOf(cmp.Or(c.titled, c.reply), chosen, answer, near)
}

// conclude is the finding on a statement that the judge has looked at.
func (c *check) conclude(l looked) {
	s, cl := &c.all.Statements[l.at], l.claim
	why := c.source.found[claims.Place{Document: cl.Reason.Document, Page: cl.Reason.Page, Quote: cl.Reason.Words}]
	const cover = 0.4 // of the words of a statement, in what is said against it
	switch cl.Outcome {
	case claims.Verified:
		if s.Finding != Stands {
			s.Finding, s.At, s.Says = Stands, c.source.found[cl.Places[min(s.At.Page, 1)]], ""
		}
	case claims.Contradicted:
		s.Finding, s.At, s.Says = Differs, why, cl.Reason.Words
	case claims.Unchecked:
		if s.Finding != Stands {
			return
		}
		if s.Finding = NotFound; cl.Reason.Cause == claims.Disputed {
			if s.At = why; reading.Coverage(reading.ContentTerms(s.Text), why.Quote) >= cover {
				s.Finding, s.Says = Differs, why.Quote
			}
		}
	}
}

// By says in English by whom a text was checked.
func (c *Checked) By() string { return c.by(english) }

func (c *Checked) by(say *phrases) string {
	if c.Judge == "" {
		return say.byRules
	}
	return fmt.Sprintf(say.byJudge, c.Judge, c.Judged, len(c.Statements)-c.Count(NoClaim))
}
