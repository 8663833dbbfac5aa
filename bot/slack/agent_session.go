package slack

import (
	"context"
	"slices"
	"sync"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
)

// setSessionStatus is the method that sets the status of an agent session: Slack's own word
// for a thread with an app of the agent view. While it is "processing", people see that
// we are at work and a button that stops us; nothing but our word ends that within an
// hour, not even the button (https://docs.slack.dev/ai/agent-sessions,
// https://docs.slack.dev/reference/events/agent_session_stopped).
const setSessionStatus = "agents.sessions.setStatus"

// stopProcessingTime bounds the request that ends a processing session: the answer is already posted.
const stopProcessingTime = 10 * time.Second

// noSessionCodes are Slack's words for an app that has none, or for a place where it has none;
// we ask again after noSessionTime.
var noSessionCodes = []string{"not_authorized", "feature_disabled", "missing_scope", "not_allowed_token_type", "unknown_method"}

const noSessionTime = time.Hour

// processing are the threads whose session we made so. The zero value is ready.
type processing struct {
	mu              sync.Mutex
	threads         map[spot]bool // whether the request that ends it is reserved; streams end it otherwise
	noSessionsUntil time.Time     // until when we assume that there are no sessions
}

func (p *processing) add(at spot, reserved bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, begun := p.threads[at]; begun || time.Now().Before(p.noSessionsUntil) {
		return false
	}
	if p.threads == nil {
		p.threads = make(map[spot]bool)
	}
	p.threads[at] = reserved
	return true
}

func (p *processing) remove(at spot) (begun, reserved bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	reserved, begun = p.threads[at]
	delete(p.threads, at)
	return begun, reserved
}

// noteRefusal notes that this app has no sessions, if err says so.
func (p *processing) noteRefusal(err error) bool {
	if !slices.Contains(noSessionCodes, errorCode(err)) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.noSessionsUntil = time.Now().Add(noSessionTime)
	return true
}

// startProcessing makes a thread's session processing, if the call that ends it can be reserved. It is
// never worth an error.
func (a *Adapter) startProcessing(ctx context.Context, at spot) {
	if !a.AgentView || !a.limits.reserve(setSessionStatus) {
		return
	}
	if !a.processing.add(at, true) {
		a.limits.release(setSessionStatus)
		return
	}
	made, err := a.callOptional(ctx, setSessionStatus, "", a.sessionStatus(at, slackapi.AgentSessionStatusProcessing))
	if made && errorCode(err) == "" {
		return // without an answer it may be processing
	}
	a.clearProcessing(at)
	if a.processing.noteRefusal(err) {
		a.Log.Info("Slack shows no Stop button of its own", "error", err)
	}
}

func (a *Adapter) clearProcessing(at spot) (begun bool) {
	begun, reserved := a.processing.remove(at)
	if reserved {
		a.limits.release(setSessionStatus)
	}
	return begun
}

// stopProcessing ends what startProcessing began, and streams: they make their session processing too, also
// that of an app with the older assistant view. While a question of ours waits for its answer, the session is suspended.
func (a *Adapter) stopProcessing(ctx context.Context, at spot, m platform.Outgoing) {
	if !a.clearProcessing(at) {
		return
	}
	status := slackapi.AgentSessionStatusActive
	if m.Question != nil {
		status = slackapi.AgentSessionStatusSuspended
	}
	if err := a.setSession(ctx, at, status); err != nil && !a.processing.noteRefusal(err) {
		a.Log.Warn("Slack still shows that we are working", "error", err)
	}
}

func (a *Adapter) setSession(ctx context.Context, at spot, status string) error {
	ctx, cancel := context.WithTimeout(ctx, stopProcessingTime)
	defer cancel()
	return a.callIdempotent(ctx, setSessionStatus, a.sessionStatus(at, status))
}

func (a *Adapter) sessionStatus(at spot, status string) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := a.api.SetAgentSessionStatusContext(ctx, slackapi.AgentSessionSetStatusParameters{ChannelID: at.channel, ThreadTS: at.thread, Status: status})
		return err
	}
}

func endsTurn(m platform.Outgoing) bool {
	return m.Kind == platform.KindReply || m.Kind == platform.KindError
}
