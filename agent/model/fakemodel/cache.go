package fakemodel

import (
	"bytes"
	"encoding/json"
	"sort"
	"strings"
)

const (
	cacheLooksBack = 64    // requests
	cacheLeast     = 1_024 // tokens, below which services keep nothing
	cacheStep      = 128   // tokens
)

// cached is how many tokens of a prompt, tools included, an earlier request to the same model began with, and how many
// are behind them.
func (s *Server) cached(req Request) (cached, rest int) {
	longest := 0
	for _, earlier := range s.requests[max(0, len(s.requests)-cacheLooksBack):] {
		if earlier.Model == req.Model {
			longest = max(longest, commonPrefix(earlier.key, req.key))
		}
	}
	return s.o.Count(req.key[:longest]), s.o.Count(req.key[longest:])
}

// reportedCache is what the service says of it. Anthropic keeps only what is marked.
func (r Request) reportedCache() int {
	if r.Cached < cacheLeast || r.Path == "/messages" && !bytes.Contains(r.Body, []byte(`"cache_control"`)) {
		return 0
	}
	return r.Cached / cacheStep * cacheStep
}

func (r Request) cacheKey() string {
	var fields struct{ Tools json.RawMessage }
	_ = json.Unmarshal(r.Body, &fields) // was read before
	var b strings.Builder
	b.Write(fields.Tools)
	for _, m := range r.Messages {
		b.WriteString("\n" + m.Role + ": " + m.Text)
	}
	return b.String()
}

func commonPrefix(a, b string) int {
	return sort.Search(min(len(a), len(b)), func(i int) bool { return a[:i+1] != b[:i+1] })
}
