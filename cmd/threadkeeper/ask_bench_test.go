package main

import (
	"bufio"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/agent/model/fakemodel"
)

// BenchmarkFirstWord is how long after the first word of a model that says twenty words a second something stands on the
// screen. Each question has a database of its own: beside an answer of ours to an earlier one, sentences are shown whole.
func BenchmarkFirstWord(b *testing.B) {
	const (
		pause    = 50 * time.Millisecond // before each word
		sentence = "The tide comes with the moon."
	)
	asked := make(chan time.Time, 1)
	model, err := fakemodel.Start(fakemodel.Options{Script: []fakemodel.Rule{{
		Fault: fakemodel.Fault{Kind: fakemodel.Slow, Delay: pause},
		Reply: func(fakemodel.Request) string {
			asked <- time.Now()
			return "ANSWER\n" + strings.Repeat(sentence+" ", 5)
		}}}})
	if err != nil {
		b.Fatal(err)
	}
	defer model.Close()
	var waited time.Duration
	for range b.N {
		cmd := program(b.Context(), b, b.TempDir(), "ask", "Why are there tides, in a few words?")
		cmd.Env = append(cmd.Env, "MODEL=test-model", "JUDGE_MODEL=off", "MODEL_WINDOW=8192", "OPENAI_BASE_URL="+model.URL())
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		screen := bufio.NewReader(out)
		if _, err := screen.ReadByte(); err != nil {
			b.Fatal(err)
		}
		waited += time.Since((<-asked).Add(pause))
		rest, _ := io.ReadAll(screen)
		if err := cmd.Wait(); err != nil || !strings.Contains(string(rest), "moon") {
			b.Fatalf("%v: %s", err, rest)
		}
	}
	b.ReportMetric(float64(waited.Milliseconds())/float64(b.N), "ms/word")
}

// BenchmarkAnswer is how long a question without a model takes on a database that was used before, from the start of the
// program to the end of the answer: alone, and with a file that was read before.
func BenchmarkAnswer(b *testing.B) {
	dir := b.TempDir()
	sample, err := filepath.Abs("../../docs/testdata/sample.pdf")
	if err != nil {
		b.Fatal(err)
	}
	ask := func(b *testing.B, end string, args ...string) (took time.Duration) {
		cmd := program(b.Context(), b, dir, append([]string{"ask"}, args...)...)
		cmd.Env = append(cmd.Env, "TOKEN_THRESHOLD=10000") // nothing is folded
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), end) {
				took = time.Since(start)
			}
		}
		if err := cmd.Wait(); err != nil || took == 0 {
			b.Fatalf("%v after %v", err, took)
		}
		return took
	}
	ask(b, "Noted", "The key hangs behind the blue barrel.")
	for _, c := range []struct {
		name, end string
		args      []string
	}{
		{"alone", "blue barrel", []string{"Where does the key hang?"}},
		{"with a file", "[1] sample.pdf", []string{"What does the new roaster cost?", sample}},
	} {
		b.Run(c.name, func(b *testing.B) {
			ask(b, c.end, c.args...)
			var all []time.Duration
			for range b.N {
				all = append(all, ask(b, c.end, c.args...))
			}
			slices.Sort(all)
			b.ReportMetric(float64(all[0].Milliseconds()), "best-ms")
			b.ReportMetric(float64(all[len(all)/2].Milliseconds()), "p50-ms")
		})
	}
}
