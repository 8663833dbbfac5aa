package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/memory"
)

// withModelLeading takes the turn with the model: it sees every message, the evidence and hints, and decides by its
// reply whether to answer, ask, look further or be silent. Rules check what it says.
func (r *run) withModelLeading(ctx context.Context) (*Reply, error) {
	r.route = routeChat
	r.given = min(memory.Count(r.words), r.requestRoom()) + min(memory.Count(r.quoted), r.quotedRoom())
	r.spare = max(min(r.promptLimit()-fixedTokens(), r.tailRoom(true))-r.given-300, leastDocuments)
	r.understanding = plain(r.request, r.say.because.alone)
	if reply := r.withoutAsking(ctx); reply != nil {
		return reply, nil
	}
	r.understanding.Method = "model"
	if err := r.readBehind(ctx); err != nil {
		return nil, err
	}
	if err := r.carry(ctx); err != nil {
		return nil, err
	}
	if reply, err := r.answeredBefore(ctx); reply != nil || err != nil {
		return reply, err
	}
	if err := r.layOut(ctx); err != nil {
		return nil, err
	}
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	if r.Clarify == ClarifyAlways && r.digest == nil && r.askedAlready() == "" && !r.turn.Overheard {
		q, err := r.analyse(ctx)
		if err != nil {
			return nil, err
		}
		if q != nil {
			return r.whole(&Reply{Text: q.Text, Question: q}), nil
		}
	}
	q, read, err := r.readAsAsked(ctx)
	if err != nil {
		return nil, err
	}
	if q != nil {
		return r.whole(&Reply{Text: q.Text, Question: q}), nil
	}
	if read {
		r.route = routeWhole
	} else if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	r.Log.DebugContext(ctx, "prompt prepared", "recalled", len(r.recalled), "evidence", len(r.evidence), "complete", r.complete, "window", r.window())
	return r.converse(ctx)
}

// withoutAsking answers what needs no model: an empty message, and a file alone. It returns nil for anything else.
func (r *run) withoutAsking(ctx context.Context) *Reply {
	if strings.TrimSpace(r.request) != "" || r.quoted != "" || r.turn.Question != nil {
		return nil
	}
	if card := r.uploadCard(ctx); card != "" {
		r.route, r.understanding.Reason = routeCard, r.say.because.file
		return r.whole(&Reply{Text: card})
	}
	if r.turn.Overheard {
		return &Reply{Silent: true}
	}
	r.route = routeSocial
	return r.whole(&Reply{Text: r.say.hello})
}

func (r *run) prepare(ctx context.Context) error {
	if r.digest != nil {
		r.route, r.carried = routeMemory, nil
		r.recallDigest()
		return nil
	}
	if err := r.gatherEvidence(ctx); err != nil {
		return err
	}
	if err := r.showPictures(ctx); err != nil {
		return err
	}
	if err := r.recallLines(ctx); err != nil {
		return err
	}
	switch {
	case len(r.evidence) > 0:
		r.route = routeStandard
	case len(r.recalled) > 0:
		r.route = routeMemory
	}
	return nil
}

// converse asks the model until it replies: it may look further at most searchRounds times, and its reply may be
// repaired once.
func (r *run) converse(ctx context.Context) (*Reply, error) {
	w := &toolUse{run: r, rounds: searchRounds}
	var rejected []string
	var before *gate // whose reply stopped, and is being corrected
	var begun *gate  // whose reply was read in part when it called tools
	repaired := false
	for {
		var err error
		if r.untrusted, err = r.readsOthers(ctx); err != nil {
			return nil, err
		}
		if r.opened != nil { // people have read a part of the reply
			w.rounds = 0
		}
		d := r.requestData(w, rejected)
		g := r.newGate(ctx)
		if r.opened != nil {
			if g, err = r.opened.goOn(); err != nil {
				return nil, err
			}
			g.leaving, g.decided = false, false
		}
		if before != nil {
			d.Reply, d.Released, d.Wrong = before.raw.String(), before.released.String(), before.wrong()
			if g, err = before.goOn(); err != nil {
				return nil, err
			}
			if len(r.evidence) > 0 {
				d.Recalled = nil
			}
		} else if begun != nil {
			d.Begun = begun.released.String()
			if g, err = begun.goOn(); err != nil {
				return nil, err
			}
		}
		messages := r.prompt(&d)
		g.material = slices.Concat(d.Recalled, d.Documents, d.Evidence, d.Findings, d.Results)
		if err := r.tell(ctx); err != nil {
			return nil, err
		}
		calls, failure := r.call(ctx, r.purpose(before != nil || len(rejected) > 0), messages, d.Calls > 0, g)
		switch {
		case g.err != nil:
			return nil, g.err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case before != nil && (failure != nil || len(calls) == 0 || d.Calls == 0 || g.released.Len() > before.released.Len()):
			return r.repaired(ctx, before, g)
		case r.asked && before == nil && g.released.Len() == 0 && kindOf(failure) == model.ContextTooLong && model.LimitsOf(ctx, r.Model).Window < r.window():
			return nil, errSmallerWindow
		case kindOf(failure) == model.Garbage && !repaired && g.released.Len() == 0:
			rejected, repaired, w.rounds = []string{noText}, true, 0
			continue
		case failure != nil:
			if err := g.leaveRest(); err != nil {
				return nil, err
			}
			return r.close(ctx, g, failure)
		case len(calls) > 0 && d.Calls > 0 && (before != nil || !g.stopped):
			if said := g.released.String(); before == nil && said != "" {
				begun = g
				if err := g.release("\n\n"[min(2, len(said)-len(strings.TrimRight(said, "\n"))):]); err != nil {
					return nil, err
				}
			}
			if err := w.carryOut(ctx, calls); err != nil {
				return nil, err
			}
			if q := w.question; q != nil {
				return r.whole(&Reply{Text: q.Text, Question: q}), nil
			}
			if err := r.showPictures(ctx); err != nil { // what the calls brought may be poor scans
				return nil, err
			}
			continue
		case r.turn.Overheard && g.verb != verbSpeak:
			return &Reply{Silent: true}, nil
		}
		if q := r.modelQuestion(g); q != nil {
			return r.asking(g, q), nil
		}
		if g.stopped && !repaired {
			before, repaired, w.rounds, w.results = g, true, 1, nil
			if err := r.narrow(ctx, g.queue); err != nil {
				return nil, err
			}
			continue
		}
		if err := g.leaveRest(); err != nil {
			return nil, err
		}
		if g.released.Len() > 0 || repaired || g.verb == verbNotFound {
			return r.close(ctx, g, nil)
		}
		repaired, w.rounds = true, 0
		switch {
		case len(g.defects) > 0:
			rejected = g.defects
		case len(calls) > 0:
			rejected = []string{"it called a tool, and no calls were left; answer with what is shown"}
		default:
			rejected = []string{noText}
		}
	}
}

// noText is what is wrong with a reply without words.
const noText = "it held no text to show"

// kindOf is how a call of the model failed, "" if it did not or it was not made.
func kindOf(err error) model.Kind {
	var failed *model.Error
	if errors.As(err, &failed) {
		return failed.Kind
	}
	return ""
}

// repaired returns the reply with the rest from a second call. If that gave none, the rest of the first is shown without the
// contradicted parts.
func (r *run) repaired(ctx context.Context, first, second *gate) (*Reply, error) {
	g := second
	if second.released.Len() == first.released.Len() {
		g = first
	}
	if err := g.leaveRest(); err != nil {
		return nil, err
	}
	if g == second {
		g.missing(first.queue[0].block)
	}
	return r.close(ctx, g, nil)
}

// close makes the reply from what the gate released, or from a search if that is nothing. After a failure
// it may be empty: then the error is the whole answer.
func (r *run) close(ctx context.Context, g *gate, failure error) (*Reply, error) {
	if failure == nil {
		if err := r.judge(ctx, g); err != nil {
			return nil, err
		}
	}
	reply := &Reply{Text: g.released.String(), Citations: g.cited, Checks: g.checks}
	r.nothing = reply.Text != "" && g.verb == verbNotFound
	if g.long {
		reply.Whole = g.all.String()
	}
	switch stopped := cmp.Or(failure, r.unread); {
	case errors.Is(stopped, errBudget): // the reply says so
		reply.Partial = reply.Text != ""
	case stopped != nil:
		reply.Partial, reply.Err = true, stopped
	}
	add := func(text string) {
		if said := reply.Text; said != "" {
			text = "\n\n"[min(2, len(said)-len(strings.TrimRight(said, "\n"))):] + text
		}
		r.add(reply, text)
	}
	switch {
	case reply.Text != "":
		for _, line := range append(g.footnotes(failure), r.notRead...) {
			add(line)
		}
		return reply, nil
	case r.turn.Overheard:
		return &Reply{Silent: true, Partial: reply.Partial, Err: reply.Err}, nil
	case overBudget(failure):
		return r.withoutBudget(ctx, failure)
	case g.verb == verbAsk && r.inWords(g) != "": // although it may not, and has been told so
		add(r.inWords(g))
		return reply, nil
	case errors.Is(failure, errBudget):
		add(r.say.tooLong)
	case failure == nil && len(g.checks.LeftOut) > 0: // the document's own words are the better answer
		add(r.say.unproven)
		add(g.leftOut())
		return reply, nil
	case failure == nil && len(g.defects) > 0:
		add(r.say.unproven)
	case failure == nil && g.verb != verbNotFound:
		reply.Partial, reply.Err = true, &model.Error{Kind: model.Garbage, Message: "the answer is empty"}
	}
	read := r.understanding
	text, cited, err := r.found(ctx)
	r.understanding = read
	if err != nil {
		return nil, err
	}
	if text != "" && reply.Err != nil {
		text = r.say.instead + "\n\n" + text
	}
	if text == "" && reply.Text == "" && reply.Err == nil {
		if text = r.nothingFound(); len(r.queries) > 0 {
			text = r.newGate(ctx).clean(fmt.Sprintf(r.say.notFound, quotedWords(r.queries), r.where(r.library)), nil)
		}
	}
	if text != "" {
		add(text)
	}
	if line := g.leftOut(); line != "" {
		add(line)
	}
	reply.Citations = cited
	return reply, nil
}

func (r *run) purpose(again bool) string {
	switch {
	case again:
		return "repair"
	case r.turn.Overheard:
		return "listen"
	}
	return "answer"
}

// withoutBudget returns what can be answered without the model, labelled as such if it replaces the model's answer: no
// word of thanks needs it.
func (r *run) withoutBudget(ctx context.Context, failure error) (*Reply, error) {
	if text, err := r.manners(ctx); err != nil || slices.Contains([]string{r.say.hello, r.say.welcome, r.say.fine}, text) {
		r.route = routeSocial
		return r.whole(&Reply{Text: text}), err
	}
	label := r.say.instead + "\n\n"
	r.emit(Progress{Text: label})
	reply, err := r.withoutModel(ctx)
	if err != nil {
		return nil, err
	}
	reply.Text, reply.Partial, reply.Err = label+reply.Text, true, failure
	return reply, nil
}

// recallQuery searches for messages from before this turn that the prompts do not show.
func (r *run) recallQuery(text string) memory.RecallQuery {
	exclude := map[int64]bool{}
	for _, m := range r.turn.Messages {
		exclude[m.ID] = true
	}
	for _, f := range r.recalled {
		exclude[f.Message.ID] = true
	}
	return memory.RecallQuery{Audience: r.turn.Audience, Text: text, Before: r.turn.Messages[0].ID, Limit: recallLimit,
		Exclude: func(id int64) bool { return exclude[id] || r.inPast[id] }}
}

func (r *run) recallLines(ctx context.Context) error {
	text := r.searchText()
	if strings.TrimSpace(text) == "" {
		return nil
	}
	found, err := r.Store.Recall(ctx, r.recallQuery(text))
	if err != nil {
		return fmt.Errorf("recall: %w", err)
	}
	room := r.listening(r.recallRoom())
	for _, f := range found {
		if cost := memory.Count(r.recalledLine(f)) + 2; cost <= room {
			r.recalled, room = append(r.recalled, f), room-cost
		}
	}
	return nil
}

// toolOptions lists the tools for a call. They stay listed even when they cannot be used, so that the beginning of
// the prompt stays the same.
func toolOptions(allowed bool) []llms.CallOption {
	options := []llms.CallOption{llms.WithTools(schemas())}
	if !allowed {
		options = append(options, llms.WithToolChoice("none"))
	}
	return options
}
