package discord_test

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
)

// kinds are the names of bodies by the route they are sent to; the certification of the
// fake knows Discord's type of each.
var kinds = map[string]string{
	"POST /channels/{channel}/messages":                        "create",
	"PATCH /channels/{channel}/messages/{message}":             "edit",
	"POST /channels/{channel}/messages/{message}/threads":      "thread",
	"PATCH /channels/{channel}":                                "channel",
	"POST /users/@me/channels":                                 "dm",
	"POST /interactions/{interaction}/{token}/callback":        "callback",
	"POST /webhooks/{application}/{token}":                     "followup",
	"PATCH /webhooks/{application}/{token}/messages/@original": "original",
	"PATCH /webhooks/{application}/{token}/messages/{message}": "amended",
	"PUT /applications/{application}/commands":                 "commands",
	"PUT /applications/{application}/guilds/{guild}/commands":  "commands",
}

// shapes are the bodies an adapter sent, without what people wrote: each text is the
// same, and of a list's elements of one shape one is left.
type shapes struct {
	mu  sync.Mutex
	all map[string][]byte // by file name
}

func (s *shapes) take(t *testing.T, requests []fakediscord.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range requests {
		if r.Body == "" {
			continue
		}
		var body any
		kind := kinds[r.Route]
		if err := json.Unmarshal([]byte(r.Body), &body); err != nil || kind == "" {
			t.Errorf("%s has a body of no known kind: %v", r.Route, err)
			continue
		}
		for _, part := range apart(body) {
			b, err := json.MarshalIndent(shapeOf(part), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			s.all[fmt.Sprintf("%s-%.8x.json", kind, sha256.Sum256(b))] = append(b, '\n')
		}
	}
}

// apart is a body without its rows, and each of their components as a body of its own, so
// that which of them meet in one message makes no difference.
func apart(body any) []any {
	all := []any{body}
	m, ok := body.(map[string]any)
	if !ok {
		return all
	}
	rows, _ := m["components"].([]any)
	for _, row := range rows {
		row, _ := row.(map[string]any)
		inner, _ := row["components"].([]any)
		for _, c := range inner {
			all = append(all, map[string]any{"components": []any{map[string]any{"type": row["type"], "components": []any{c}}}})
		}
	}
	if rows != nil {
		m["components"] = []any{}
	}
	return all
}

func shapeOf(v any) any {
	switch v := v.(type) {
	case string:
		return "text"
	case map[string]any:
		for k := range v {
			v[k] = shapeOf(v[k])
		}
	case []any:
		var seen []string
		kept := []any{}
		for _, e := range v {
			e = shapeOf(e)
			b, err := json.Marshal(e)
			if err == nil && !slices.Contains(seen, string(b)) {
				seen, kept = append(seen, string(b)), append(kept, e)
			}
		}
		return kept
	}
	return v
}

// known checks that each shape is kept, for the certification to hold it against
// Discord's types. Which of them a run has depends on its timing.
func (s *shapes) known(t *testing.T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir := filepath.Join("testdata", "shapes")
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, b := range s.all {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, b := range s.all {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s is new; -update keeps it, make certify-discord holds it against Discord's types:\n%s", name, b)
		}
	}
}
