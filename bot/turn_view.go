package bot

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"threadkeeper/agent"
	"threadkeeper/bot/platform"
)

// turnView shows a running turn: its status, and the text released so far, no
// faster than the platform's edit interval.
type turnView struct {
	platform platform.Platform
	to       platform.Address
	nonce    string
	named    func(platform.Ref) // told the post's name if the turn goes on for longer than nameTime
	log      *slog.Logger
	text     bool // show text as it grows

	shut sync.Mutex
	hold func(context.Context) error // to be called before anything is shown, nil once it was; see open

	mu      sync.Mutex
	status  string
	pending string
	name    platform.Ref    // of the post, "" until it is known
	shown   strings.Builder // everything released, displayed or not

	signal wake
	ended  chan struct{}
	joined sync.WaitGroup
	stream platform.Stream
	broken bool
}

// start begins to show; end must follow.
func (l *turnView) start(ctx context.Context) {
	l.signal, l.ended = newWake(), make(chan struct{})
	l.joined.Go(func() { l.run(ctx) })
}

// emit takes what the chain lets be seen.
func (l *turnView) emit(p agent.Progress) {
	l.mu.Lock()
	if p.Text != "" {
		l.pending += p.Text
		l.shown.WriteString(p.Text)
	} else {
		l.status = p.Status
	}
	l.mu.Unlock()
	l.signal.ring()
}

// nameTime is how long a post goes without its name being stored. A turn that is
// done before stores it with its answer; after a crash it takes a Find.
const nameTime = 250 * time.Millisecond

// quietTime is how long a turn that has nothing to say goes without a sign that it is
// worked on.
const quietTime = 300 * time.Millisecond

// wholeTime is how long an answer may take from its first text to its end, to be posted
// whole: in one request, and without a mark that it was edited.
const wholeTime = 200 * time.Millisecond

func (l *turnView) run(ctx context.Context) {
	limits := l.platform.Limits()
	every, whole := limits.EditInterval, limits.Whole && l.text
	quiet := time.After(quietTime)
	if l.held() {
		quiet = nil
	}
	var tell <-chan time.Time
	for {
		select {
		case <-l.signal:
			quiet = nil
			if !l.mayShow(ctx) {
				continue
			}
			if whole && l.begins() && !l.outlasts(wholeTime) {
				return
			}
		case <-quiet:
			quiet = nil
			l.working(ctx, "")
			continue
		case <-tell:
			l.named(platform.Ref(l.ref("")))
			tell = nil
			continue
		case <-l.ended:
			if !l.held() && (!whole || !l.begins()) {
				l.flush(ctx)
			}
			return
		}
		unnamed := l.ref("") == ""
		l.flush(ctx)
		if unnamed && l.ref("") != "" {
			tell = time.After(nameTime)
		}
		if every > 0 {
			select {
			case <-time.After(every):
			case <-l.ended:
			}
		}
	}
}

// errShut says that a view was to show something after its turn had ended in silence.
var errShut = errors.New("bot: the turn is over")

// open lets the view show something: that its turn is for us is stored first.
func (l *turnView) open(ctx context.Context) error {
	l.shut.Lock()
	defer l.shut.Unlock()
	if l.hold == nil {
		return nil
	}
	err := l.hold(ctx)
	if err == nil {
		l.hold = nil
	}
	return err
}

// held reports whether nothing may be shown yet.
func (l *turnView) held() bool {
	l.shut.Lock()
	defer l.shut.Unlock()
	return l.hold != nil
}

// stayShut keeps the view from ever showing anything. It is false if it has begun to.
func (l *turnView) stayShut() bool {
	l.shut.Lock()
	defer l.shut.Unlock()
	if l.hold == nil {
		return false
	}
	l.hold = func(context.Context) error { return errShut }
	return true
}

// mayShow reports whether what has come may be shown: of a turn that is overheard text is, and
// what it is at only after it.
func (l *turnView) mayShow(ctx context.Context) bool {
	if !l.held() {
		return true
	}
	l.mu.Lock()
	text := l.pending != ""
	l.mu.Unlock()
	if !text {
		return false
	}
	err := l.open(ctx)
	if err != nil {
		l.log.Info("could not show the start of an answer", "error", err)
	}
	return err == nil
}

// begins reports whether there is text to be shown, the first of the turn.
func (l *turnView) begins() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.broken && l.stream == nil && l.pending != ""
}

// outlasts reports whether the turn goes on for longer than d.
func (l *turnView) outlasts(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-l.ended:
		return false
	}
}

// flush shows what has come since the last time. A platform that panics shows nothing
// more before the end.
func (l *turnView) flush(ctx context.Context) {
	l.mu.Lock()
	status, text := l.status, l.pending
	l.status, l.pending = "", ""
	l.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	if status != "" && text == "" && l.stream == nil {
		l.working(ctx, status)
	}
	if text == "" || !l.text || l.broken {
		return
	}
	if err := guard(func() error { return l.append(ctx, text) }); err != nil {
		l.log.Warn("stream cut short", "error", err)
		l.broken = true
	}
}

// working shows that the turn is worked on, and with which step; "" for none in
// particular.
func (l *turnView) working(ctx context.Context, status string) {
	if err := guard(func() error { return l.platform.Status(ctx, l.to, status) }); err != nil {
		l.log.Debug("could not show a status", "error", err)
	}
}

// cutTime is how long a request that shows text goes on after the end of the turn:
// cut short, it might leave a post that nobody knows of.
const cutTime = 3 * time.Second

func (l *turnView) append(ctx context.Context, text string) error {
	ctx, cancel := linger(ctx, cutTime)
	defer cancel()
	if l.stream == nil {
		s, err := l.platform.Stream(ctx, l.to, l.nonce)
		if err != nil {
			return err
		}
		l.stream = s
	}
	err := l.stream.Append(ctx, text)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.name = l.stream.Ref()
	return err
}

// linger is a context that ends d after ctx.
func linger(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		sleep(longer, d)
		cancel()
	})
	return longer, func() { stop(); cancel() }
}

// ref is the name of the post, or otherwise as long as it has none.
func (l *turnView) ref(otherwise string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.name == "" {
		return otherwise
	}
	return string(l.name)
}

// end shows the rest and returns once nothing is shown any more. The stream is
// nil when none was begun, whole is false when it can not be closed.
func (l *turnView) end() (s platform.Stream, whole bool) {
	close(l.ended)
	l.joined.Wait()
	return l.stream, l.stream != nil && !l.broken
}

// text released so far.
func (l *turnView) said() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown.String()
}
