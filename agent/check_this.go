package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	// checking are the words that have a post checked.
	checking = `check|fact check|fact-check|factcheck|verify|prufe|pruf|uberprufe|uberpruf|verifie|verifiez|comprueba|compruebe|verifica|verifique|revisa|revise`
	// pointsAt are words that say which post, or against what, and leave no question.
	pointsAt = `this that it these those the a my our his her their last above previous please pls for me us against with in by of from and is are true right correct ` +
		`answer answers reply response post message claim claims statement statements text document documents doc file files pdf attachment thread ` +
		`das dies diese diesen dieses die der den dem bitte mal hier antwort nachricht beitrag text aussage aussagen oben gegen am an mit dokument datei ` +
		`ca cela ce cette ceci le la les reponse message texte ci dessus avec contre dans s il te vous plait fichier ` +
		`esto eso esta este respuesta mensaje texto el los por favor con contra documento archivo`
)

var pointers = reading.WordSet(pointsAt)

const (
	lookedBack   = 20 // messages of the conversation that may be meant
	shortPost    = 10 // words from which a message is a post to check rather than a remark
	mostInPost   = 80 // statements
	checkedLines = 12 // that are shown

	checkTime = 2 * time.Minute // of the judge for all statements: what is left of the turn is for what the rules found
)

// checkRequest reports whether a request is the whole-message command to check a post, and the text that it brings
// itself, "" for none.
func (r *run) checkRequest() (text string, ok bool) {
	head, body := strings.TrimSpace(r.request), ""
	if i := strings.IndexAny(head, ":\n："); i >= 0 {
		head, body = head[:i], strings.TrimSpace(strings.TrimLeft(head[i:], ":： \n"))
	}
	rest, ok := opens(bare(head), checking)
	if !ok || len(r.library) == 0 {
		return "", false
	}
	names := map[string]bool{}
	for _, d := range r.library {
		for _, w := range rank.Words(d.Name) {
			names[w] = true
		}
	}
	for _, w := range rank.Words(rest) {
		if !pointers[w] && !names[w] {
			return "", false
		}
	}
	return body, true
}

// checkThis checks the post that a request means. It is nil for another request.
func (r *run) checkThis(ctx context.Context) (*Reply, error) {
	body, ok := r.checkRequest()
	if !ok || r.turn.Overheard || r.turn.Question != nil {
		return nil, nil
	}
	r.route, r.understanding = routeStandard, plain(r.request, r.say.because.alone)
	if body == "" {
		body = r.postMeant()
	}
	if body == "" {
		return r.whole(&Reply{Text: r.say.noPost}), nil
	}
	of := r.library
	if named := of.named(strings.SplitN(r.request, "\n", 2)[0]); named != nil {
		of = named
	}
	checker := Checker{Index: r.Index, Audience: r.turn.Audience, Documents: of, Most: mostInPost}
	if r.Judge != nil {
		begun, end := 0, time.Now().Add(checkTime)
		checker.JudgeName, checker.Judge = r.JudgeName, func(ctx context.Context, k *Contest) (string, error) {
			r.emit(Progress{Status: fmt.Sprintf(r.say.checkingNow, begun+1)})
			begun += len(k.claims)
			return r.askJudge(ctx, k, of, time.Until(end))
		}
	}
	checked, err := checker.Check(ctx, withoutMarks(body))
	if err != nil {
		return nil, fmt.Errorf("check a post: %w", err)
	}
	return r.whole(r.tellChecked(ctx, checked, of)), nil
}

// postMeant is the post that a request without words of its own means: what it quotes or replies to, else the last one
// that is not a remark. "" means none.
func (r *run) postMeant() string {
	quoted := reading.CollapseSpace(r.quoted)
	best := ""
	for n, m := range slices.Backward(r.history.Messages) {
		if len(r.history.Messages)-n > lookedBack {
			break
		}
		text := strings.TrimSpace(m.Text)
		if quoted != "" {
			if whole := reading.CollapseSpace(text); whole != "" && strings.Contains(quoted, whole[:reading.RuneBoundary(whole, 200)]) {
				return text
			}
			continue
		}
		words := len(strings.Fields(text))
		if m.Role == memory.Assistant && (isCheck(text) || r.isCard(text)) || words < 3 || reading.IsQuestion(text) && words < shortPost {
			continue
		}
		if rest, ok := opens(bare(text), checking); ok && len(strings.Fields(rest)) < shortPost {
			continue
		}
		if words >= shortPost {
			return text
		}
		if best == "" {
			best = text
		}
	}
	if quoted != "" {
		return r.quoted
	}
	return best
}

func (r *run) isCard(text string) bool {
	return slices.ContainsFunc(r.library, func(d *memory.Document) bool { return strings.HasPrefix(text, "**"+plainName(d.Name)+"**") })
}

func isCheck(text string) bool {
	for _, p := range phrasesIn {
		if head, _, _ := strings.Cut(p.checked, "%"); strings.HasPrefix(text, head) {
			return true
		}
	}
	return false
}

// tellChecked reports a check: how many statements are supported, and each that is not.
func (r *run) tellChecked(ctx context.Context, checked *Checked, of library) *Reply {
	g := r.newGate(ctx)
	g.untrusted = true
	shown := func(text string) string {
		text = g.clean(text, nil)
		if !showable(text, r.request) {
			return "…"
		}
		return text
	}
	reply := &Reply{}
	var b strings.Builder
	fmt.Fprintf(&b, r.say.checked, plainName(of.names()), checked.Count(Stands), checked.Count(Differs), checked.Count(NotFound), checked.by(r.say))
	lines := 0
	for _, f := range []Finding{Differs, NotFound} {
		for _, s := range checked.Statements {
			if s.Finding != f {
				continue
			}
			if lines++; lines > checkedLines {
				continue
			}
			b.WriteString("\n\n" + map[Finding]string{Differs: "✗", NotFound: "?"}[f] + " " + shown(reading.Shorten(reading.CollapseSpace(strings.Trim(s.Text, "| ")), 300)))
			if s.At.Page == 0 {
				continue
			}
			form := r.say.pageSays
			if f == NotFound {
				form = r.say.nearestIs
			}
			fmt.Fprintf(&b, "\n"+form+" [%d]", plainName(r.say.places.Of(s.At)), shown(reading.Excerpt(s.At.Quote, s.Text, 200)), citedAs(reply, s.At))
		}
	}
	if lines > checkedLines {
		fmt.Fprintf(&b, "\n\n"+r.say.andMore, lines-checkedLines)
	}
	if checked.Cut {
		b.WriteString("\n\n" + r.say.checkedPart)
	}
	reply.Text = b.String()
	return reply
}

// cite cites a quote from a page: its mark and its place, "" if it does not stand there.
func (r *run) cite(ctx context.Context, reply *Reply, d *memory.Document, page int, quote string) (mark, place string, err error) {
	c, err := r.Index.Verify(ctx, docs.Citation{DocumentID: d.ID, Document: d.Name, Page: page, Quote: quote})
	if errors.Is(err, docs.ErrNotFound) {
		return "", "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("check a quote: %w", err)
	}
	return fmt.Sprintf(" [%d]", citedAs(reply, c)), plainName(r.say.places.Of(c)), nil
}

// citedAs is the number of a citation of a reply, which gets it if it has not.
func citedAs(reply *Reply, at docs.Citation) int {
	for _, c := range reply.Citations {
		if c.DocumentID == at.DocumentID && c.Page == at.Page && c.Quote == at.Quote {
			return c.N
		}
	}
	at.N = len(reply.Citations) + 1
	reply.Citations = append(reply.Citations, at)
	return at.N
}
