package pdfium

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// startTimeout bounds a worker's start, which compiles the engine if no cache has it. It is
// long because tests start workers under the race detector on busy machines.
const startTimeout = 10 * time.Minute

// pingTimeout bounds an idle worker's answer.
const pingTimeout = 5 * time.Second

// worker is the parent's end of a worker process that is ready for requests, one at a time.
type worker struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	cause atomic.Pointer[error] // why the process was killed; nil if it was not
	limit time.Duration         // of the present request
	left  time.Duration         // what is left of it; it runs while the parent waits
	spent time.Duration         // the process's processor time when the request began
}

// mostWaiting is how many times its limit a request may take while the worker gets hardly any processor time.
const mostWaiting = 10

// errStopped: the process ended by itself.
var errStopped = errors.New("the PDF worker stopped")

func startWorker(ctx, closing context.Context, o Options, as role) (*worker, error) {
	if os.Getenv(workerEnv) != "" {
		return nil, errors.New("a PDF worker may not start another")
	}
	program, err := ownProgram()
	if err != nil {
		return nil, err
	}
	w := &worker{cmd: exec.Command(program, workerArg)}
	w.cmd.Env = []string{workerEnv + "=1"} // no secret of the parent's is handed on
	if root := os.Getenv("SYSTEMROOT"); root != "" {
		w.cmd.Env = append(w.cmd.Env, "SYSTEMROOT="+root) // Windows starts nothing without it
	}
	w.cmd.Stderr = logWriter{o.Log}
	w.cmd.WaitDelay = time.Second
	dieWithParent(w.cmd)
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewReaderSize(out, 1<<16)
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	release := w.guard(ctx, closing, startTimeout)
	err = w.greet(o, as)
	if !release() && err == nil {
		err = w.why(errStopped)
	}
	if err != nil {
		w.discard()
		if errors.Is(err, ErrTimeout) { // the machine's slowness, not the file's
			err = errors.New("it was not ready in time")
		}
		return nil, err
	}
	return w, nil
}

// ownProgram is the path to start this program by. On Linux that is the running file itself, even
// after an upgrade has put another in its place.
func ownProgram() (string, error) {
	if runtime.GOOS == "linux" {
		if _, err := os.Stat("/proc/self/exe"); err == nil {
			return "/proc/self/exe", nil
		}
	}
	return os.Executable()
}

// greet tells the worker its settings and waits until it is ready.
func (w *worker) greet(o Options, as role) error {
	s := setup{Role: as, MemoryMB: o.MemoryMB, CacheDir: o.CacheDir}
	switch as {
	case rolePlain:
		s.MemoryMB = o.PlainMemoryMB
	case roleScan:
		s.MemoryMB, s.Languages = scanMemoryMB, o.Languages
	}
	if err := w.send(kindSetup, s); err != nil {
		return err
	}
	return w.expect(kindReady, nil)
}

func (w *worker) ping() error {
	if err := w.wait(func() error { return writeFrame(w.in, kindPing, nil) }); err != nil {
		return err
	}
	return w.expect(kindReady, nil)
}

// guard kills the worker when either context ends or when limit is over, see expire. release ends the
// guard and reports whether the worker is still good.
func (w *worker) guard(ctx, closing context.Context, limit time.Duration) (release func() bool) {
	w.limit, w.left = limit, limit
	w.spent, _ = processorTime(w.cmd.Process.Pid)
	stopCtx := context.AfterFunc(ctx, func() { w.kill(context.Cause(ctx)) })
	stopClosing := context.AfterFunc(closing, func() { w.kill(errClosed) })
	return func() bool {
		alive := stopCtx()
		return stopClosing() && alive && w.cause.Load() == nil
	}
}

func (w *worker) kill(cause error) {
	w.cause.CompareAndSwap(nil, &cause)
	_ = w.cmd.Process.Kill() // it may have ended already
}

func (w *worker) discard() {
	_ = w.cmd.Process.Kill()
	_ = w.in.Close()
	_ = w.cmd.Wait() // "signal: killed" is what was asked for
}

// exitCode is that of a process that has ended by itself, -1 if it was killed. The connection is broken.
func (w *worker) exitCode() int {
	if w.cmd == nil {
		return -1
	}
	slow := time.AfterFunc(30*time.Second, func() { _ = w.cmd.Process.Kill() })
	defer slow.Stop()
	_ = w.cmd.Wait() // it is waited for again when it is discarded
	return w.cmd.ProcessState.ExitCode()
}

// wait runs one exchange with the worker against the time that is left.
func (w *worker) wait(exchange func() error) error {
	start, left, done := time.Now(), w.left, make(chan struct{})
	timer := time.AfterFunc(left, func() { w.expire(start.Add(left), done) })
	err := exchange()
	timer.Stop()
	close(done)
	w.left -= time.Since(start)
	return w.why(err)
}

// expire kills the worker, whose time was over at end, unless the exchange is done. On a busy machine it
// gets as much processor time first as it would have had on an idle one.
func (w *worker) expire(end time.Time, done <-chan struct{}) {
	for time.Since(end) < (mostWaiting-1)*w.limit {
		spent, known := processorTime(w.cmd.Process.Pid)
		more := w.limit - (spent - w.spent)
		if !known || more <= 0 {
			break
		}
		select {
		case <-done:
			return
		case <-time.After(more):
		}
	}
	select {
	case <-done:
	default:
		w.kill(ErrTimeout)
	}
}

// why names the reason of a broken connection: what the worker was killed for, or errStopped.
func (w *worker) why(err error) error {
	switch cause := w.cause.Load(); {
	case err == nil || errors.Is(err, errFrame):
		return err
	case cause != nil:
		return *cause
	}
	return fmt.Errorf("%w: %v", errStopped, err)
}

func (w *worker) send(k kind, v any) error {
	return w.wait(func() error { return writeJSON(w.in, k, v) })
}

func (w *worker) sendFile(data []byte) error {
	return w.wait(func() error { return writeFrame(w.in, kindFile, data) })
}

// receive returns the next message; a failure is returned as the error it carries.
func (w *worker) receive() (kind, []byte, error) {
	var k kind
	var payload []byte
	err := w.wait(func() (err error) {
		k, payload, err = readFrame(w.out, fromWorker)
		return err
	})
	if err == nil && k == kindFailed {
		var f failure
		if err := json.Unmarshal(payload, &f); err != nil {
			return k, nil, fmt.Errorf("%w: %v", errFrame, err)
		}
		return k, nil, f
	}
	return k, payload, err
}

// expect receives a message of one kind and decodes it into v, unless v is nil.
func (w *worker) expect(want kind, v any) error {
	k, payload, err := w.receive()
	if err != nil {
		return err
	}
	if k != want {
		return fmt.Errorf("%w: kind %d instead of %d", errFrame, k, want)
	}
	if v == nil {
		return nil
	}
	return decode(payload, v)
}

func decode(payload []byte, v any) error {
	if err := json.Unmarshal(payload, v); err != nil {
		return fmt.Errorf("%w: %v", errFrame, err)
	}
	return nil
}

// logWriter passes a worker's stderr on at level debug.
type logWriter struct{ log *slog.Logger }

func (l logWriter) Write(b []byte) (int, error) {
	const most = 4096 // bytes of one message
	l.log.Debug("pdf worker", "stderr", strings.TrimSpace(string(b[:min(len(b), most)])))
	return len(b), nil
}
