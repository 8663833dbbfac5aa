package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Whom a turn trusts: the asker and us. Documents, the names of files and channels, and the lines of others are material.

func (r *run) asker() int64 { return r.turn.Messages[len(r.turn.Messages)-1].PersonID }

// readsOthers reports whether others than the asker and we wrote some of what the model is shown. What is folded, and what
// we said, may repeat the words of everybody who spoke where it was said.
func (r *run) readsOthers(ctx context.Context) (bool, error) {
	others := func(m *memory.Message) bool { return m.Role != memory.Assistant && m.PersonID != r.asker() }
	repeats := r.history.Snapshot != nil || slices.ContainsFunc(r.lines(), func(m *memory.Message) bool { return m.Role == memory.Assistant })
	elsewhere := func(m *memory.Message) bool { return m.Role == memory.Assistant && m.SessionID != r.turn.Session.ID }
	for _, m := range r.lines() {
		if others(m) || elsewhere(m) {
			return true, nil
		}
	}
	if slices.ContainsFunc(r.carried, func(k memory.Carried) bool { return k.PersonID != r.asker() }) {
		return true, nil
	}
	if len(r.library)+len(r.posted)+len(r.turn.Unseen)+len(r.places) > 0 || r.digest != nil || r.quoted != "" || slices.ContainsFunc(r.turn.Messages, others) {
		return true, nil
	}
	if !repeats {
		return false, nil
	}
	spoke, err := r.Store.OthersSpoke(ctx, r.turn.Session.ID, r.asker())
	if err != nil {
		return false, fmt.Errorf("look for other people: %w", err)
	}
	return spoke, nil
}

// trusted are the addresses that the asker has said, or we to the asker. What we showed as code was not ours, what we told others may
// repeat theirs, and what the asker quotes is not the asker's.
func (r *run) trusted() []string {
	if r.addresses != nil {
		return r.addresses
	}
	r.addresses = []string{}
	here := slices.Concat(r.turn.Messages, r.history.Messages)
	own := map[int64]bool{} // interactions in which nobody but the asker spoke
	for _, m := range here {
		if m.Role != memory.Assistant {
			before, others := own[m.InteractionID]
			own[m.InteractionID] = m.PersonID == r.asker() && (before || !others)
		}
	}
	add := func(m *memory.Message) {
		text := ""
		switch {
		case m.Role == memory.Assistant && (m.SessionID != r.turn.Session.ID || !own[m.InteractionID]):
		case m.Role == memory.Assistant:
			text = withoutCode(reading.PlainLines(m.Text))
		case m.PersonID == r.asker():
			_, text = reading.CutQuote(m.Text)
		}
		r.addresses = append(r.addresses, reading.Addresses(text)...)
	}
	r.addresses = append(r.addresses, r.links...)
	for _, m := range here {
		add(m)
	}
	for _, f := range r.recalled {
		if f.Message.Role != memory.Assistant {
			add(f.Message)
		}
	}
	return r.addresses
}

func withoutCode(text string) string {
	var b strings.Builder
	for text != "" {
		from, to := codeSpan(text)
		b.WriteString(text[:from])
		text = text[to:]
	}
	return b.String()
}

// withoutMarker is a text without what fences data in the prompt: to know it is to forge a fence.
func (r *run) withoutMarker(text string) string { return strings.ReplaceAll(text, r.marker, "") }
