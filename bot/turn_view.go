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
	named    func(platform.Ref) // called with the post's Ref if the turn takes longer than nameTime
	log      *slog.Logger
	text     bool // show text as it grows
	whom     *addressee

	shut sync.Mutex
	hold func(context.Context) error // called before anything is shown, nil afterwards; see open

	mu      sync.Mutex
	status  string
	pending string
	name    platform.Ref    // the post, "" until it is known
	shown   strings.Builder // everything released, displayed or not

	signal wake
	ended  chan struct{}
	joined sync.WaitGroup
	stream platform.Stream
	broken bool
}

// start begins showing the turn; end must follow.
func (l *turnView) start(ctx context.Context) {
	l.signal, l.ended = newWake(), make(chan struct{})
	l.joined.Go(func() { l.run(ctx) })
}

// emit takes progress that the chain has released.
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

// nameTime is how long a post exists before its Ref is stored. A turn that ends
// earlier stores it with its answer; after a crash in between, Find finds the post.
const nameTime = 250 * time.Millisecond

// quietTime is how long a turn may show nothing before a status says that it is being
// worked on.
const quietTime = 300 * time.Millisecond

// wholeTime is the longest time from an answer's first text to its end for it to be posted
// whole: in one request, and without an "edited" mark.
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

// errShut is returned when a view is asked to show something after its turn ended in silence.
var errShut = errors.New("bot: the turn is over")

// open lets the view show something. It first stores that the turn is for us, so that after a
// crash nothing is on the platform that the store does not expect.
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

func (l *turnView) held() bool {
	l.shut.Lock()
	defer l.shut.Unlock()
	return l.hold != nil
}

// stayShut keeps the view from ever showing anything. It returns false if the view has already
// begun to.
func (l *turnView) stayShut() bool {
	l.shut.Lock()
	defer l.shut.Unlock()
	if l.hold == nil {
		return false
	}
	l.hold = func(context.Context) error { return errShut }
	return true
}

// mayShow reports whether the progress so far may be shown. An overheard turn shows its first
// text, and a status only after that.
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

func (l *turnView) begins() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.broken && l.stream == nil && l.pending != ""
}

func (l *turnView) outlasts(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-l.ended:
		return false
	}
}

// flush shows the progress since the last call. After a platform panics, nothing
// more is shown before the end.
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

// working shows that the turn is being worked on, and the current step; "" for none in
// particular.
func (l *turnView) working(ctx context.Context, status string) {
	to := l.to
	if l.whom.replies { // a status may become the answer
		_, to.Between = l.whom.others(ctx)
	}
	if err := guard(func() error { return l.platform.Status(ctx, to, status) }); err != nil {
		l.log.Debug("could not show a status", "error", err)
	}
}

// cutTime is how long a request that shows text may continue after the end of the turn:
// cutting it short might leave a post whose Ref we never learn.
const cutTime = 3 * time.Second

func (l *turnView) append(ctx context.Context, text string) error {
	ctx, cancel := linger(ctx, cutTime)
	defer cancel()
	if l.stream == nil {
		text = l.whom.begin(ctx, &l.to, text)
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

func linger(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		sleep(longer, d)
		cancel()
	})
	return longer, func() { stop(); cancel() }
}

// ref returns the Ref of the post, or otherwise while it is unknown.
func (l *turnView) ref(otherwise string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.name == "" {
		return otherwise
	}
	return string(l.name)
}

// end shows the rest and returns once the view has stopped. The stream is
// nil if none was begun; whole is false if it cannot be closed.
func (l *turnView) end() (s platform.Stream, whole bool) {
	close(l.ended)
	l.joined.Wait()
	return l.stream, l.stream != nil && !l.broken
}

func (l *turnView) said() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.shown.String()
}
