package agent

import (
	"fmt"
	"slices"
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// show releases a block: with its citations numbered, what is contradicted left out, and a mark behind what is not
// checked.
func (g *gate) show(p piece) error {
	if g.leaving {
		p.block.Doubt()
	}
	leave := func(c *claims.Claim) bool { return c.Outcome == claims.Contradicted }
	mark := g.run.say.markOf
	if g.isDraft() {
		mark = nil // people copy it; a line below names them
	}
	text := unsure(p.block, p.block.Text(g.numbered, leave, mark))
	plain := plainText(withoutMarks(text))
	if g.again && len(strings.Fields(text)) > 3 && slices.Contains(g.shown, plain) {
		return nil // shown before the reply stopped
	}
	g.said = append(g.said, p)
	for _, c := range p.block.Claims {
		if leave(c) {
			g.leaveOut(c)
		}
	}
	if g.muted = g.muted && listItem.MatchString(text); g.muted {
		return nil // of a list whose opening was replaced
	}
	said := ""
	for rest := text; rest != ""; {
		n := claims.Next(rest, true)
		n += len(uncheckedBehind().FindString(rest[n:]))
		said += g.checked(rest[:n])
		rest = rest[n:]
	}
	if strings.TrimSpace(said) == "" {
		if strings.HasSuffix(p.text, "\n") && g.released.Len() > 0 && !strings.HasSuffix(g.released.String(), "\n") {
			return g.release("\n")
		}
		return nil
	}
	if said == text || len(g.replaced) == 0 || !slices.Contains(g.replaced, strings.TrimSpace(said)) {
		g.count(p.block)
	}
	g.shown, g.passed = append(g.shown, plain), append(g.passed, p.text)
	return g.release(g.behind(said))
}

// say releases a piece: a block as it is judged, or a line of code.
func (g *gate) say(p piece) error {
	if p.block != nil {
		return g.show(p)
	}
	g.said = append(g.said, p)
	return g.release(p.code)
}

// isDraft reports whether the reply is a text to be copied: one that was ordered, or a letter to somebody else than who asks.
func (g *gate) isDraft() bool {
	if drafts(g.run.request) {
		return true
	}
	to := rank.Words(claims.Salutation(g.raw.String()))
	asker := rank.Words(g.run.turn.Messages[len(g.run.turn.Messages)-1].Author)
	return len(to) > 1 && !slices.ContainsFunc(to, func(w string) bool { return w == "there" || slices.Contains(asker, w) })
}

var listItem = reading.Lazy(`^\s*(?:[-*+•] |\d{1,3}[.)] )`)

// plainText is what two versions of a block have in common.
func plainText(text string) string {
	return strings.Join(rank.Words(citationMark.ReplaceAllString(text, "")), " ")
}

var citationMark = reading.Lazy(`\[[A-Z]?\d+\]`)

func (g *gate) count(b *claims.Block) {
	for _, c := range b.Claims {
		if g.again && (c.Outcome == claims.Verified || c.Outcome == claims.Unchecked) {
			g.stands = append(g.stands, c.Text)
		}
		switch c.Outcome {
		case claims.Verified:
			if g.strict || len(c.Places) > 0 {
				g.checks.Verified++
			}
		case claims.Unchecked:
			g.checks.Unchecked++
			g.unproven = append(g.unproven, c.Text)
		}
	}
}

func (g *gate) leaveOut(c *claims.Claim) {
	text := g.told(c)
	if !slices.ContainsFunc(g.checks.LeftOut, func(l memory.LeftOut) bool { return l.Text == text }) {
		g.checks.LeftOut = append(g.checks.LeftOut, memory.LeftOut{Text: text, Reason: g.inWords(c.Reason)})
	}
}

// told is the text of a claim as people are told that it is left out.
func (g *gate) told(c *claims.Claim) string {
	return spaceBefore.ReplaceAllString(g.clean(reading.CollapseSpace(c.Text), nil), "$1")
}

var spaceBefore = reading.Lazy(` +([.,;:!?])`)

// inWords is a reason in the language of the reply. Words of a page that ask their reader for something are not repeated.
func (g *gate) inWords(r claims.Reason) string {
	words := g.clean(reading.Shorten(reading.CollapseSpace(r.Words), 160), nil)
	if !showable(words, g.run.request) {
		words = "…"
	}
	say := g.run.say
	switch r.Cause {
	case claims.Says:
		return fmt.Sprintf(say.pageSays, g.placeOf(r, say.places), words)
	case claims.Result:
		return fmt.Sprintf(say.computes, words)
	case claims.Invented:
		return say.invented
	}
	return fmt.Sprintf(say.nowhere, g.clean(r.Number, nil))
}

// placeOf is where the words of a reason stand, in the words of one language.
func (g *gate) placeOf(r claims.Reason, in docs.PlaceWords) string {
	c := docs.Citation{Page: r.Page}
	if r.Document >= 1 && r.Document <= len(g.run.library) {
		place, err := g.run.Index.Place(g.ctx, g.run.library[r.Document-1].ID, r.Page, r.Words)
		if err != nil {
			g.run.Log.WarnContext(g.ctx, "could not look up the place for a reason", "error", err)
		}
		c.Place = place
	}
	return plainName(in.Of(c))
}

// checked is a sentence as it may be said: without what must not leave, and with a phrase of ours in place of a deed or an
// order.
func (g *gate) checked(sentence string) string {
	text := g.clean(sentence, g.pagesOf(sentence))
	said := g.unended + text
	if g.unended = ""; !ended.MatchString(text) {
		g.unended = said[reading.RuneBoundary(said, max(0, len(said)-longestAct)):]
	}
	draft := drafts(g.run.request)
	switch {
	case !draft && deed(said):
		return g.instead(g.run.say.noDeed, text)
	case !draft && g.untrusted && imposes(said, g.run.request):
		return g.instead(g.run.say.noOrder, text)
	}
	return text
}

// pagesOf are the quotes and pages that a sentence with numbered citations cites.
func (g *gate) pagesOf(sentence string) (texts []string) {
	if len(reading.Addresses(sentence)) == 0 {
		return nil // a page is long
	}
	for _, c := range g.cited {
		if strings.Contains(sentence, "["+c.Label()+"]") {
			page, err := g.run.Index.Page(g.ctx, c.DocumentID, c.Page)
			if err != nil {
				page = ""
			}
			texts = append(texts, c.Quote+"\n"+page)
		}
	}
	return texts
}

const longestAct = 200 // bytes of a deed that is described over several lines

// ended matches a text after which another sentence begins.
var ended = reading.Lazy(`[.!?…:|。！？]["'”’»)\]*_]*\s*(?:\[[A-Z]?\d+\]\s*)*$|\n\s*\n$`)

// instead returns the replacement for a forbidden sentence: a phrase, once in an answer.
func (g *gate) instead(phrase, sentence string) string {
	g.unended = ""
	g.muted = strings.HasSuffix(strings.TrimRight(sentence, " *_\n"), ":")
	if slices.Contains(g.replaced, phrase) {
		return ""
	}
	g.replaced = append(g.replaced, phrase)
	return phrase + sentence[len(strings.TrimRight(sentence, " \n")):]
}

// clean is a text as it may leave; pages are the texts that it cites.
func (g *gate) clean(text string, pages []string) string {
	allowed := g.addresses(pages)
	return settled(text, func(text string) string {
		text = g.run.withoutMarker(neutral(text))
		if g.untrusted {
			text = allowed.filter(text)
		}
		return hideKeys(text)
	})
}

// addresses are those this answer may repeat, with those of the pages that a sentence cites.
func (g *gate) addresses(pages []string) allowed {
	a := allowed{said: g.run.trusted()}
	for _, p := range pages {
		a.cited = append(a.cited, reading.Addresses(p)...)
	}
	return a
}

// numbered is the label of a place as an answer shows it: that of the same citation if it was made before, else the
// next one.
func (g *gate) numbered(p claims.Place) string {
	c, ok := g.found[p]
	if !ok {
		return ""
	}
	for _, have := range g.cited {
		if have.DocumentID == c.DocumentID && have.Page == c.Page && have.Quote == c.Quote {
			return "[" + have.Label() + "]"
		}
	}
	c.N, c.Letter = len(g.cited)+1, g.run.letters[c.DocumentID]
	g.cited = append(g.cited, c)
	return "[" + c.Label() + "]"
}
