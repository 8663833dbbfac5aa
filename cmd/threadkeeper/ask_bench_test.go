package main

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"time"

	"threadkeeper/agent/model/fakemodel"
)

// BenchmarkFirstWord is how long after the first word of a model that says twenty words a second something stands on the
// screen.
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
	dir := b.TempDir()
	var waited time.Duration
	for range b.N {
		cmd := program(b.Context(), b, dir, "ask", "Why are there tides, in a few words?")
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
