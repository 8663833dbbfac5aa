package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/agent/spend"
	"threadkeeper/memory"
)

// CompactPrompt is the version of the compaction prompt. Segments remember it;
// "threadkeeper rebuild" makes them again after it has changed.
const CompactPrompt = "compact-4"

const (
	compactLease   = 2 * time.Minute
	compactTimeout = 90 * time.Second // one call
	compactOutput  = 4000             // tokens of one answer: narrative and 30 facts take about 2,500
	compactTries   = 2                // calls per slice
	lineTokens     = 1500             // of one message in the prompt; a longer one loses its middle
	factTokens     = 60               // of one fact that is kept, likewise
)

// Next takes one due compaction and runs it. It returns false, nil if none is due.
// A failing model delays nobody: a passing failure postpones the first attempt;
// after any other the extractive form is committed instead, to be made again later.
func (c *Compactor) Next(ctx context.Context, owner string) (worked bool, err error) {
	job, err := c.Store.ClaimCompaction(ctx, owner, compactLease)
	if job == nil || err != nil {
		return false, err
	}
	log := c.Log.With("session", job.SessionID, "compaction", job.ID, "kind", job.Kind)
	made, failure := c.summarise(ctx, job)
	after := context.WithoutCancel(ctx) // a job is returned even while we shut down
	switch {
	case ctx.Err() != nil:
		return true, errors.Join(ctx.Err(), c.Store.ReleaseCompaction(after, job, 0, nil))
	case errors.Is(failure, memory.ErrFenced):
		log.Warn("compaction lost its lease")
		return true, nil
	case errors.Is(failure, memory.ErrChanged):
		return true, c.restart(after, log, job)
	case failure != nil:
		delay := max(memory.Pause(job.Failures+1), retryAfter(failure))
		log.Warn("compaction postponed", "error", failure, "delay", delay)
		return true, c.Store.ReleaseCompaction(after, job, delay, failure)
	}
	done, err := c.Store.CommitCompaction(after, job, made)
	switch {
	case errors.Is(err, memory.ErrFenced):
		log.Warn("compaction lost its lease")
		return true, nil
	case errors.Is(err, memory.ErrChanged):
		return true, c.restart(after, log, job)
	case err != nil:
		return true, errors.Join(err, c.Store.ReleaseCompaction(after, job, memory.Pause(job.Failures+1), err))
	}
	log.Info("compacted", "before", done.TokensBefore, "after", done.TokensAfter, "method", done.Method)
	return true, nil
}

func (c *Compactor) restart(ctx context.Context, log *slog.Logger, job *memory.Job) error {
	log.Info("compaction restarts: its messages have changed")
	return c.Store.ReleaseCompaction(ctx, job, 0, nil)
}

// summarise makes the summary of a job while its lease is renewed.
func (c *Compactor) summarise(ctx context.Context, job *memory.Job) (memory.Summary, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		c.renew(ctx, cancel, job)
	}()
	defer func() {
		cancel(nil)
		<-renewed
	}()
	made, err := c.summary(ctx, job)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, memory.ErrFenced) {
		err = cause
	}
	return made, err
}

// renew keeps a job's lease until ctx ends, and ends the job when the lease is lost.
func (c *Compactor) renew(ctx context.Context, cancel context.CancelCauseFunc, job *memory.Job) {
	tick := time.NewTicker(compactLease / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			err := c.Store.RenewCompaction(ctx, job, compactLease)
			if errors.Is(err, memory.ErrFenced) {
				cancel(err)
				return
			}
			if err != nil && ctx.Err() == nil {
				c.Log.Warn("could not renew a compaction lease", "session", job.SessionID, "error", err)
			}
		}
	}
}

// summary makes the summary of a job. An error means that it must be postponed.
func (c *Compactor) summary(ctx context.Context, job *memory.Job) (memory.Summary, error) {
	slice := job.Slice
	if c.Model == nil || len(slice.Lines) == 0 {
		return memory.Extract(slice), nil
	}
	room := c.room(ctx)
	if room.lines < leastLines {
		return memory.Extract(slice), nil
	}
	whole, failure := c.ofPieces(ctx, job, slice, room)
	if failure == nil {
		return whole, nil
	}
	if ctx.Err() != nil || errors.Is(failure, memory.ErrChanged) || job.Kind == memory.Rebuild || passingFailure(failure) && job.Failures == 0 {
		return memory.Summary{}, failure
	}
	job.Failures++
	job.RetryAfter = max(job.RetryAfter, retryAfter(failure))
	s := memory.Extract(slice)
	s.Stale = true
	return s, nil
}

// ofPieces is the model's summary of a slice, made of those of its pieces.
func (c *Compactor) ofPieces(ctx context.Context, job *memory.Job, slice *memory.Slice, room callRoom) (memory.Summary, error) {
	var whole memory.Summary
	var claims [][]memory.Claim
	for _, piece := range room.pieces(slice) {
		s, err := c.retried(ctx, job, piece, room)
		if err != nil {
			return memory.Summary{}, err
		}
		claims, s.Claims = append(claims, s.Claims), nil
		s.Narrative = strings.TrimSpace(whole.Narrative + " " + s.Narrative)
		whole = s
	}
	for i, more := 0, true; more; i++ { // each begins with the most important
		more = false
		for _, of := range claims {
			if i < len(of) {
				whole.Claims, more = append(whole.Claims, of[i]), true
			}
		}
	}
	return whole, nil
}

// retried asks for the summary of a piece, once more if the answer is rejected.
func (c *Compactor) retried(ctx context.Context, job *memory.Job, piece *memory.Slice, room callRoom) (memory.Summary, error) {
	var defect string
	var failure error
	for range compactTries {
		s, err := c.ask(ctx, job, piece, room, defect)
		if err == nil {
			return s, nil
		}
		failure = err
		var bad *badSummary
		if !errors.As(err, &bad) {
			break
		}
		defect = bad.reason
		c.Log.Warn("summary rejected", "session", job.SessionID, "reason", bad.kind)
	}
	return memory.Summary{}, failure
}

// callRoom is what a call has room for, in tokens: the lines of a slice and one of them, and the answer; and how many kept facts.
type callRoom struct{ lines, line, output, kept int }

const (
	lineHead   = 25 // tokens of a line's number, time and author
	keptCost   = factTokens + 20
	leastLines = 500 // of a window in which fewer have room nothing is summarised by the model
)

// room is that of the model's window, if it is known.
func (c *Compactor) room(ctx context.Context) callRoom {
	l := model.LimitsOf(ctx, c.Model)
	if !l.WindowKnown {
		return callRoom{math.MaxInt, lineTokens, compactOutput, math.MaxInt}
	}
	output := min(compactOutput, l.Window/4)
	left := max(l.Window*9/10-output-memory.Count(render("compact-system", nil)), 0)
	return callRoom{left * 3 / 4, min(lineTokens, left/4), output, left / 4 / keptCost}
}

// pieces are the runs of lines of a slice that a call has room for.
func (r callRoom) pieces(slice *memory.Slice) []*memory.Slice {
	var pieces []*memory.Slice
	left := 0
	for i, l := range slice.Lines {
		cost := lineHead
		if r.lines < math.MaxInt {
			cost += min(memory.Count(l.Said), r.line)
		}
		if left -= cost; left < 0 || i == 0 {
			piece := *slice
			piece.Lines = nil
			pieces, left = append(pieces, &piece), r.lines-cost
		}
		last := pieces[len(pieces)-1]
		last.Lines = append(last.Lines, l)
	}
	return pieces
}

// ask makes one call and checks its answer; a *badSummary says what was wrong with it. Nothing is sent, and the error is
// memory.ErrChanged, once a message of the slice was edited or erased: the calls before may have taken minutes.
func (c *Compactor) ask(ctx context.Context, job *memory.Job, slice *memory.Slice, room callRoom, defect string) (memory.Summary, error) {
	kept, err := c.Store.Kept(ctx, slice)
	if err != nil {
		return memory.Summary{}, err
	}
	kept = kept[max(0, len(kept)-room.kept):]
	system, user := compactMessages(job, slice, kept, room.line, defect)
	if err := c.Store.Unchanged(ctx, slice); err != nil {
		return memory.Summary{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, compactTimeout)
	defer cancel()
	session, err := c.Store.Session(ctx, job.SessionID)
	if err != nil {
		return memory.Summary{}, fmt.Errorf("agent: compact: %w", err)
	}
	m := spend.For(c.Model, spend.Account{Channel: session.ChannelID, Purpose: "summary"})
	r, err := m.GenerateContent(model.WithSchema(ctx, "minutes", json.RawMessage(summarySchema)),
		[]llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, system), llms.TextParts(llms.ChatMessageTypeHuman, user)},
		llms.WithMaxTokens(room.output))
	if err != nil {
		switch kind := kindOf(err); kind {
		case model.Refused, model.Truncated, model.Garbage:
			err = &badSummary{kind: string(kind), reason: "it was " + string(kind)}
		}
		return memory.Summary{}, err
	}
	made, err := parseSummary(model.Text(r))
	if err != nil {
		return memory.Summary{}, err
	}
	s, err := vet(made, slice, kept, system)
	if err != nil {
		return memory.Summary{}, err
	}
	s.Method, s.Model, s.PromptVersion = memory.ByModel, c.Name, CompactPrompt
	return s, nil
}

// passingFailure reports whether the model may answer the same call later.
func passingFailure(err error) bool {
	switch kindOf(err) {
	case "":
		return errors.Is(err, context.DeadlineExceeded)
	case model.RateLimit, model.Overloaded, model.Timeout, model.Unreachable, model.Canceled:
		return true
	}
	return false
}

func retryAfter(err error) time.Duration {
	var e *model.Error
	var over *spend.OverError
	switch {
	case errors.As(err, &e):
		return e.RetryAfter
	case errors.As(err, &over):
		return over.Wait
	}
	return 0
}

// promptLine is a line of a slice as the prompt shows it.
type promptLine struct {
	Number          int // from 1, which facts name as their line
	Time, Who, Text string
}

// keptLine is a fact that the slice may change, as the prompt shows it.
type keptLine struct {
	Number     int // from 1, which facts name as the one they replace
	Kind       memory.FactKind
	Slot, Text string
}

func compactMessages(job *memory.Job, slice *memory.Slice, kept []*memory.Fact, line int, defect string) (system, user string) {
	marker := make([]byte, 6)
	_, _ = rand.Read(marker) // crypto/rand.Read never fails
	data := struct {
		Kept   []keptLine
		Wish   string // what somebody asked it to keep, "" for nothing in particular
		Marker string
		Lines  []promptLine
		Defect string
	}{Wish: memory.Elide(oneLine(job.Instructions), line/4), Marker: hex.EncodeToString(marker), Defect: defect}
	for i, f := range kept {
		data.Kept = append(data.Kept, keptLine{Number: i + 1, Kind: f.Kind, Slot: cmp.Or(f.SlotName, f.Slot), Text: oneLine(memory.Elide(f.Text, factTokens))})
	}
	for i, l := range slice.Lines {
		who := l.Name() + " (person)"
		if !l.Human() {
			who = l.Name() + " (assistant)"
		}
		text := memory.Elide(l.Said, line)
		if len(l.Documents) > 0 {
			text = strings.TrimSpace("[answered from " + strings.Join(l.Documents, ", ") + "] " + text)
		}
		data.Lines = append(data.Lines, promptLine{Number: i + 1, Who: who,
			Time: l.Time().Format("Mon 2006-01-02 15:04"), Text: strings.ReplaceAll(text, "\n", "\n    ")})
	}
	return render("compact-system", nil), render("compact", data)
}
