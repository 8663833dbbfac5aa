package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/uptrace/bun"
)

func TestShowAndExportKeepToTheAudience(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	var r *Received
	for i := range 14 {
		r = post(t, s, "s", fmt.Sprint("u", i), User, "Ada", fmt.Sprintf("The code of door %d is K-%d.", i, i))
		post(t, s, "s", fmt.Sprint("a", i), Assistant, "", "Noted.")
	}
	if err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return s.setUnderstanding(ctx, tx, r.Message.ID, Understanding{Method: "rule"})
	}); err != nil {
		t.Fatal(err)
	}
	fold(t, s, r.Session.ID)
	a, _ := s.Audience(ctx, r.Session.ID, 0)
	var out bytes.Buffer
	if err := s.Views.Export(ctx, a, r.Session.ID, &out); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var v struct {
			Type              string
			Segment, From, To int
			Understanding     *Understanding
			Sources           []struct{ Quote string }
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		counts[v.Type]++
		if v.Type == "fact" && (len(v.Sources) == 0 || v.Sources[0].Quote == "") || v.Type == "segment" && (v.From == 0 || v.To < v.From) {
			t.Errorf("%s", line)
		}
		if v.Understanding != nil {
			counts["understood"]++
		}
	}
	if counts["message"] != 28 || counts["segment"] == 0 || counts["fact"] == 0 || counts["snapshot"] != 1 || counts["compaction"] == 0 || counts["understood"] != 1 {
		t.Errorf("%v", counts)
	}
	stranger := Audience{Channel: Channel{ID: 99, Platform: "test", Workspace: "another"}}
	if err := s.Views.Export(ctx, stranger, r.Session.ID, &out); err != ErrNotFound {
		t.Errorf("exported to a stranger: %v", err)
	}
	if _, err := s.Views.Show(ctx, stranger, r.Session.ID); err != ErrNotFound {
		t.Errorf("shown to a stranger: %v", err)
	}
}
