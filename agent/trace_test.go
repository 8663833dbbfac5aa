package agent

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
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
