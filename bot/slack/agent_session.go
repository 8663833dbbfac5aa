package slack

import (
	"context"
	"slices"
	"sync"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
)

// setSession is the method that sets the status of an agent session: Slack's own word
// for a thread with an app of the agent view. While it is "processing", people see that
// we are at work and a button that stops us; nothing but our word ends that within an
// hour, not even the button (https://docs.slack.dev/ai/agent-sessions,
// https://docs.slack.dev/reference/events/agent_session_stopped).
const setSession = "agents.sessions.setStatus"

// idleTime bounds the request that ends a processing session: its answer is posted.
const idleTime = 10 * time.Second

// noSessions are Slack's words for an app that has none, or for a place where it has none;
// it is asked again after noSessionTime.
var noSessions = []string{"not_authorized", "feature_disabled", "missing_scope", "not_allowed_token_type", "unknown_method"}

const noSessionTime = time.Hour

// processing are the threads whose session we made so. The zero value is ready.
type processing struct {
	mu   sync.Mutex
	at   map[spot]bool // whether the request that ends it is promised
	none time.Time     // until when it is taken that there are no sessions
}

// begin notes a thread; it is false for one that is noted, and when there are no sessions.
func (p *processing) begin(at spot) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, begun := p.at[at]; begun || time.Now().Before(p.none) {
		return false
	}
	if p.at == nil {
		p.at = make(map[spot]bool)
	}
	p.at[at] = false
	return true
}

func (p *processing) promised(at spot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at[at] = true
}

// end forgets a thread.
func (p *processing) end(at spot) (begun, promised bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	promised, begun = p.at[at]
	delete(p.at, at)
	return begun, promised
}

// refused notes that this app has no sessions, if err says so.
func (p *processing) refused(err error) bool {
	if !slices.Contains(noSessions, wordOf(err)) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.none = time.Now().Add(noSessionTime)
	return true
}

// work makes a thread's session processing, if the end of that can be promised. It is
// never worth an error.
func (a *Adapter) work(ctx context.Context, at spot) {
	if !a.AgentView || !a.processing.begin(at) {
		return
	}
	if !a.limits.promise(setSession) {
		a.processing.end(at)
		return
	}
	a.processing.promised(at)
	made, err := a.callIfSpare(ctx, setSession, "", a.sessionStatus(at, slackapi.AgentSessionStatusProcessing))
	if made && wordOf(err) == "" {
		return // without an answer it may be processing
	}
	a.worked(at)
	if a.processing.refused(err) {
		a.Log.Info("Slack shows no Stop button of its own", "error", err)
	}
}

// worked notes that a thread's session is processing no more.
func (a *Adapter) worked(at spot) (begun bool) {
	begun, promised := a.processing.end(at)
	if promised {
		a.limits.keep(setSession)
	}
	return begun
}

// rest ends what work began, and streams: they make their session processing too, also
// that of an app with the older assistant view.
func (a *Adapter) rest(ctx context.Context, at spot) {
	if !a.worked(at) {
		return
	}
	if err := a.idle(ctx, at); err != nil && !a.processing.refused(err) {
		a.Log.Warn("Slack goes on showing that we are at work", "error", err)
	}
}

// idle tells Slack that we are not at work in a thread.
func (a *Adapter) idle(ctx context.Context, at spot) error {
	ctx, cancel := context.WithTimeout(ctx, idleTime)
	defer cancel()
	return a.again(ctx, setSession, a.sessionStatus(at, slackapi.AgentSessionStatusActive))
}

func (a *Adapter) sessionStatus(at spot, status string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := a.api.SetAgentSessionStatusContext(ctx, slackapi.AgentSessionSetStatusParameters{ChannelID: at.channel, ThreadTS: at.thread, Status: status})
		return err
	}
}

// ends reports whether a message is what a turn ends with.
func ends(m platform.Outgoing) bool {
	return m.Kind == platform.KindReply || m.Kind == platform.KindError
}
