package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// The same question about the same documents has one answer: who opens a conversation with it is shown the one that stands, with
// its link, and no model is called.

const (
	answersHold = 24 * time.Hour
	// ofSelf matches words that change a question's meaning when another person asks it.
	ofSelf = `i|me|my|mine|we|us|our|ours|ich|mir|mich|mein|meine|meinen|wir|uns|unser|unsere|je|moi|mon|ma|mes|nous|notre|nos|yo|mi|mis|nosotros|nuestro|nuestra`
	// ofToday are words that make it another one tomorrow.
	ofToday = `now|today|current|currently|latest|so far|yet|jetzt|heute|aktuell|derzeit|bisher|maintenant|aujourd'hui|actuel|actuellement|ahora|hoy|actual|actualmente`
)

// answers names the request for others that ask the same: by its words, the documents, the model and the settings. "" where what
// was said before, who asks or when may change the answer.
func (r *run) answers() string {
	switch {
	case r.Model == nil, len(r.library) == 0, slices.ContainsFunc(r.carried, r.ofAsker), len(r.posted)+len(r.turn.Unseen) > 0, r.turn.Overheard, r.quoted != "", r.turn.Question != nil,
		len(r.history.Messages) > 0, r.history.Snapshot != nil && r.history.Snapshot.Rendered != "", len(reading.ContentTerms(r.words)) < 2,
		reading.PeriodOf(r.words, r.turn.Now) != reading.PeriodOf(r.words, r.turn.Now.AddDate(1, 1, 1)), // "last week", not "in March 2025"
		reading.HasPhrase(r.words, ofSelf), reading.HasPhrase(r.words, ofToday):
		return ""
	}
	return hashOf(spelt(r.words), r.library.versions(), r.Name, r.Clarify, r.turn.Instructions, r.carriedLines())
}

// hashOf names what makes an answer another one.
func hashOf(parts ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:16])
}

// spelt is a request in the form in which two spellings of it are equal; signs in it count: "C++", ">3", "-5".
func spelt(request string) string { return strings.Trim(rank.Fold(request), " .?!¿¡") }

// versions are the contents and names of documents, sorted.
func (l library) versions() (all []string) {
	for _, d := range l {
		all = append(all, fmt.Sprint(d.ContentID, " ", d.Name))
	}
	slices.Sort(all)
	return all
}

// Asking are the requests that turns are answering now. A turn that asks the same as another one waits for its answer.
type Asking struct {
	mu  sync.Mutex
	now map[string]<-chan struct{}
}

// longestWait is how long a turn waits for the answer of another one.
const longestWait = time.Minute

// begin notes that a request is being answered until ctx ends, and returns nil; or, where another turn is answering it, what is
// closed when that one ends.
func (a *Asking) begin(ctx context.Context, request string) <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	if other := a.now[request]; other != nil {
		return other
	}
	if a.now == nil {
		a.now = map[string]<-chan struct{}{}
	}
	a.now[request] = ctx.Done()
	context.AfterFunc(ctx, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.now, request)
	})
	return nil
}

// standing is the answer that the same request got before, waited for where another turn in this place is about to give it; nil
// for none.
func (r *run) standing(ctx context.Context, hash string) (*memory.Message, error) {
	since, a := r.turn.Now.Add(-answersHold).UnixMilli(), r.turn.Audience
	m, err := r.Store.AnsweredBefore(ctx, a, hash, since)
	if !errors.Is(err, memory.ErrNotFound) {
		return m, err
	}
	if r.Asking == nil || ctx.Done() == nil {
		return nil, nil
	}
	other := r.Asking.begin(ctx, fmt.Sprint(hash, a.Channel.ID, a.Guest, a.Guests))
	if other == nil {
		return nil, nil
	}
	r.Log.DebugContext(ctx, msgSameAsked)
	late := time.NewTimer(longestWait)
	defer late.Stop()
	select {
	case <-other:
	case <-late.C:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if m, err = r.Store.AnsweredBefore(ctx, a, hash, since); errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	return m, err
}

const msgSameAsked = "another turn is answering the same request; waiting for it"

// answeredBefore is the reply that the same request got before, nil for none.
func (r *run) answeredBefore(ctx context.Context) (*Reply, error) {
	hash := r.answers()
	if hash == "" {
		return nil, nil
	}
	var err error
	if r.allRead, err = r.Index.WhollyRead(ctx, r.library.contents()); !r.allRead || err != nil {
		return nil, err
	}
	m, err := r.standing(ctx, hash)
	if m == nil || err != nil {
		return nil, err
	}
	session, err := r.Store.Session(ctx, m.SessionID)
	if err != nil {
		return nil, fmt.Errorf("load the conversation of an answer: %w", err)
	}
	cited, err := r.Store.Citations(ctx, m.ID)
	if err != nil {
		return nil, fmt.Errorf("load citations: %w", err)
	}
	for i, c := range cited {
		d, err := r.Store.Document(ctx, c.DocumentID)
		if err != nil {
			return nil, fmt.Errorf("load a document: %w", err)
		}
		at := slices.IndexFunc(r.library, func(own *memory.Document) bool { return own.ContentID == d.ContentID })
		if at < 0 {
			return nil, nil
		}
		cited[i] = memory.Citation{N: c.N, Letter: c.Letter, DocumentID: r.library[at].ID, Document: r.library[at].Name, Page: c.Page, Place: c.Place, Quote: c.Quote}
		r.tooled = append(r.tooled, shown{document: r.library[at].ID, page: c.Page, text: c.Quote})
	}
	r.brought = append(r.brought, memory.Recalled{Message: m}) // this reply is erased with that answer
	if err := r.tell(ctx); err != nil {
		return nil, err
	}
	when := r.say.date(m.At, r.turn.zone())
	if link := r.turn.link(session.Key, m.PlatformID); link != "" {
		when = "[" + when + "](" + link + ")"
	}
	r.route, r.understanding = routeAnswered, plain(r.request, r.say.because.alone)
	return r.whole(&Reply{Text: fmt.Sprintf(r.say.answeredBefore, when) + "\n\n" + m.Text, Citations: cited}), nil
}

// repeats reports whether a reply may be given to others that ask the same.
func (r *Reply) repeats() bool {
	k := r.Checks
	return !r.Partial && r.Err == nil && r.Question == nil && r.Whole == "" && len(r.Citations) > 0 && k.Verified > 0 && k.Unchecked+len(k.LeftOut) == 0 && len(r.Rests.Messages) == 0
}
