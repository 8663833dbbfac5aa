//go:build unix

package memory

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

// heldFor measures how long each transaction holds the writer, and the processor time that the process takes meanwhile.
type heldFor struct {
	began     time.Time
	spent     time.Duration
	wall, cpu []time.Duration
}

func (h *heldFor) BeforeQuery(ctx context.Context, e *bun.QueryEvent) context.Context {
	if e.Query == "BEGIN" {
		h.began, h.spent = time.Now(), processorTime()
	}
	return ctx
}

func (h *heldFor) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	if e.Query == "COMMIT" {
		h.wall, h.cpu = append(h.wall, time.Since(h.began)), append(h.cpu, processorTime()-h.spent)
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFold20k folds twenty thousand messages in pieces, and measures how long a piece takes to be claimed, how long to be
// committed, and how long that holds the writer.
func BenchmarkFold20k(b *testing.B) {
	ctx := context.Background()
	for b.Loop() {
		s, err := Open(ctx, filepath.Join(b.TempDir(), "bench.db"))
		if err != nil {
			b.Fatal(err)
		}
		s.Policy = DefaultPolicy(1 << 30) // until all are stored
		r, _ := postAll(b, s, "s", 0, 20_000, func(i int) (Role, string, string) {
			return User, []string{"Ada", "Bob"}[i%2], fmt.Sprintf(topics[i%len(topics)]+" The rest of message %[1]d tells where we stand with it and what comes next week, in some more words.", i)
		})
		s.Policy = DefaultPolicy(10_000)
		if due, err := s.ScheduleCompaction(ctx, r.Session.ID, ""); err != nil || !due {
			b.Fatal(due, err)
		}
		took := map[string][]time.Duration{}
		timed := func(what string, do func() error) {
			start := time.Now()
			if err := do(); err != nil {
				b.Fatal(err)
			}
			took[what] = append(took[what], time.Since(start))
		}
		held := new(heldFor)
		for more := true; more; {
			var j *Job
			timed("claim", func() (err error) { j, err = s.ClaimCompaction(ctx, "bench", time.Minute); return err })
			if more = j != nil; more {
				made := Extract(j.Slice)
				plain := s.writer
				s.writer = plain.WithQueryHook(held)
				timed("commit", func() error { _, err := s.CommitCompaction(ctx, j, made); return err })
				s.writer = plain
			}
		}
		took["held"], took["held-cpu"] = held.wall, held.cpu
		for what, list := range took {
			slices.Sort(list)
			b.ReportMetric(float64(list[len(list)-1].Microseconds())/1000, what+"-worst-ms")
			b.ReportMetric(float64(list[len(list)*95/100].Microseconds())/1000, what+"-p95-ms")
			b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, what+"-median-ms")
		}
		b.ReportMetric(float64(len(took["commit"])), "folds")
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
