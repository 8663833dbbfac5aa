package agent

import (
	"bytes"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"threadkeeper/agent/model/fakemodel"
)

func TestTraceLogsNoText(t *testing.T) {
	k := newTalk(t, otherwise)
	var log bytes.Buffer
	k.chain.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	k.chain.Callbacks = &Trace{Log: k.chain.Log}
	k.document("Harbour.pdf", slices.Repeat([]string{strings.Repeat("The authority runs three terminals. ", 50)}, 40)...)
	k.turn("Ada", "How many terminals does the authority run in the document?", ChoiceNone)
	for _, step := range []string{"chain started", "documents searched", "passages found", "model asked", "model answered", "chain ended"} {
		if !strings.Contains(log.String(), step) {
			t.Errorf("no %q in the log", step)
		}
	}
	for line := range strings.Lines(log.String()) {
		if !strings.Contains(line, "prompt prepared") && !strings.Contains(line, fmt.Sprint("session=", k.session.ID, " message=")) {
			t.Errorf("whose turn is it: %s", line)
		}
		if strings.Contains(line, "model answered") && (strings.Contains(line, "prompt_tokens=0") || !strings.Contains(line, "millis=")) {
			t.Errorf("no tokens: %s", line)
		}
	}
	for _, text := range []string{"authority", "Fine."} {
		if strings.Contains(log.String(), text) {
			t.Errorf("the log holds %q", text)
		}
	}
}

// TestTraceTimesEveryPortion: portions are read at once, and each call has its own time.
func TestTraceTimesEveryPortion(t *testing.T) {
	k := newTalk(t, otherwise)
	k.serve(fakemodel.Options{Default: func(r fakemodel.Request) string {
		time.Sleep(30 * time.Millisecond)
		return reader(r)
	}})
	var log bytes.Buffer
	k.chain.Callbacks = &Trace{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	k.document("report.txt", reportPages(60)...)
	k.turn("Ada", "Summarise report.txt", ChoiceNone)
	took := regexp.MustCompile(`model answered.* millis=(\d+)`).FindAllStringSubmatch(log.String(), -1)
	if len(took) < 4 {
		t.Fatalf("%d calls in the log", len(took))
	}
	for _, m := range took {
		if millis, _ := strconv.Atoi(m[1]); millis < 30 {
			t.Errorf("a call took %d ms", millis)
		}
	}
}
