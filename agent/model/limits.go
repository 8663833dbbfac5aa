package model

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory/reading"
)

const (
	unknownWindow = 8_192            // tokens, of a model nobody can say more about
	askTimeout    = 10 * time.Second // for all that an endpoint is asked about its model
	askAgain      = time.Minute      // after the endpoint could not be reached
)

// Support says whether a model takes something. The zero value means unknown: it was not tried yet.
type Support string

const (
	Unknown     Support = ""
	Supported   Support = "yes"
	Unsupported Support = "no"
)

// Limits are a model's limits and abilities, as far as they are known.
type Limits struct {
	Endpoint    string  // its base URL; "" for a model that Open did not open
	Window      int     // tokens that prompt and answer may have together; never 0
	WindowKnown bool    // false: nobody says it, and Window is taken as 8,192
	Source      string  // where Window is from, in words for the operator
	Reasoning   bool    // it thinks before it answers; room for that is added by the package
	Tools       Support // Supported: native. Unsupported: the text form; callers need not care
	Images      Support // Unsupported: pictures are left out of a call, see PicturesLeftOut
}

// LimitsOf returns the limits of a model. The first time it asks the endpoint, for at most 10 s; an unreachable endpoint is no
// error, and is asked again a minute later. The limits are those of the main model, or those of the fallback while the main model is
// paused after failures. For a model that Open did not open, or nil, nothing is known.
func LimitsOf(ctx context.Context, m llms.Model) Limits {
	if known, ok := m.(interface {
		Limits(ctx context.Context) Limits
	}); ok {
		return known.Limits(ctx)
	}
	return Limits{Window: unknownWindow, Source: sourceUnknown}
}

// Limits is LimitsOf.
func (m *chat) Limits(ctx context.Context) Limits {
	if m.spare != nil && m.main.breaker.IsOpen() {
		return m.spare.limits(ctx)
	}
	return m.main.limits(ctx)
}

const (
	sourceSetting = "the setting MODEL_WINDOW"
	sourceTable   = "the table of known models"
	sourceUnknown = "unknown, taken as 8,192"
)

// facts are what an endpoint says about its model. Zero values: it does not say.
type facts struct {
	window        int
	field         string // where the endpoint says window
	unloaded      bool   // window is a guess: the model is not loaded
	tools, images Support
	thinks        bool
}

// asked is what an endpoint was asked, once.
type asked struct {
	mu    sync.Mutex
	facts facts
	final bool          // it has answered
	at    time.Time     // of the last attempt
	under chan struct{} // closed when the attempt under way has ended; nil: there is none
	used  bool          // its model has answered a call
	told  string        // the source that was logged

	stated int // the window it named when it refused a longer prompt; 0: none
}

func (e *endpoint) limits(ctx context.Context) Limits {
	f := e.about(ctx)
	if n := e.stated(); n > 0 && (f.window == 0 || n < f.window) {
		f.window, f.field = n, "which refused a longer prompt"
	}
	h := e.habits.get()
	l := Limits{Endpoint: e.base, Tools: f.tools, Images: f.images, Reasoning: reasons(e.model) || h.thinks || f.thinks}
	switch {
	case h.textTools:
		l.Tools = Unsupported
	case h.tookTools:
		l.Tools = Supported
	}
	switch {
	case h.noPictures:
		l.Images = Unsupported
	case h.tookPictures:
		l.Images = Supported
	}
	switch {
	case e.window > 0:
		l.Window, l.Source = e.window, sourceSetting
	case f.window > 0:
		l.Window, l.Source = f.window, "the endpoint, "+f.field
	case ContextSize(e.model) > 0:
		l.Window, l.Source = ContextSize(e.model), sourceTable
	default:
		l.Window, l.Source = unknownWindow, sourceUnknown
	}
	l.WindowKnown = l.Source != sourceUnknown
	e.tell(l)
	return l
}

// tell logs the window once, and again when something better is known.
func (e *endpoint) tell(l Limits) {
	e.asked.mu.Lock()
	defer e.asked.mu.Unlock()
	if e.asked.told == l.Source {
		return
	}
	e.asked.told = l.Source
	if !l.WindowKnown {
		e.log.Warn("the model's window is unknown, taken as 8,192 tokens; MODEL_WINDOW sets that of MODEL")
		return
	}
	e.log.Info("model window", "tokens", l.Window, "source", l.Source)
}

// about asks the endpoint unless it has answered before, or is being asked: then it waits for that. Where the window is set it is
// left alone.
func (e *endpoint) about(ctx context.Context) facts {
	asks, ok := e.family.(asker)
	if !ok || e.window > 0 {
		return facts{}
	}
	e.asked.mu.Lock()
	defer e.asked.mu.Unlock()
	for e.asked.under != nil && ctx.Err() == nil {
		under := e.asked.under
		e.asked.mu.Unlock()
		select {
		case <-under:
		case <-ctx.Done():
		}
		e.asked.mu.Lock()
	}
	if e.asked.final || ctx.Err() != nil || !e.asked.at.IsZero() && time.Since(e.asked.at) < askAgain {
		return e.asked.facts
	}
	under, used := make(chan struct{}), e.asked.used
	e.asked.under = under
	e.asked.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, e.ask)
	found, answered := asks.ask(limited)
	cancel()
	e.asked.mu.Lock()
	close(under)
	e.asked.under = nil
	if ctx.Err() == nil { // of a model that was loaded meanwhile it says the old
		e.asked.facts, e.asked.final, e.asked.at = found, answered && (used == e.asked.used || !found.unloaded), time.Now()
	}
	return found
}

// used notes that the model has answered, and so is loaded: what was said of one that is not is asked for once more.
func (e *endpoint) used() {
	e.asked.mu.Lock()
	defer e.asked.mu.Unlock()
	if !e.asked.used && e.asked.facts.unloaded {
		e.asked.final, e.asked.at = false, time.Time{}
	}
	e.asked.used = true
}

// smallWindow is the window where it is certain, without asking; 0 where it is not.
func (e *endpoint) smallWindow() int {
	if e.window > 0 {
		return e.window
	}
	e.asked.mu.Lock()
	defer e.asked.mu.Unlock()
	if e.asked.stated > 0 {
		return e.asked.stated
	}
	return e.asked.facts.window
}

// statedWindow finds the window in the words with which OpenAI, vLLM, llama.cpp, Anthropic and Groq refuse a prompt that is too long.
var statedWindow = reading.Lazy(`(?i)(?:maximum context length (?:is|of)|available context size \(?|context (?:window|length|size) (?:is|of)) ?(\d{3,8})|> (\d{3,8}) maximum|Limit (\d{3,8}), Requested`)

func (e *endpoint) learnWindow(failure *Error) {
	if failure == nil || failure.Kind != ContextTooLong {
		return
	}
	m := statedWindow.FindStringSubmatch(failure.Message)
	if m == nil {
		return
	}
	n, _ := strconv.Atoi(m[1] + m[2] + m[3]) // digits
	e.asked.mu.Lock()
	defer e.asked.mu.Unlock()
	e.asked.stated = n
}

func (e *endpoint) stated() int {
	e.asked.mu.Lock()
	defer e.asked.mu.Unlock()
	return e.asked.stated
}
