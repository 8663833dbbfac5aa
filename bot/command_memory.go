package bot

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"threadkeeper/memory"
)

func memoryStatus(ctx context.Context, c *Call) (Outgoing, error) {
	st, err := c.Bot.Store.Status(ctx, c.Session.ID)
	if err != nil {
		return Outgoing{}, wrap("load status", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Gauge(st.Context, st.Threshold))
	l, err := c.Bot.Store.LastLedger(ctx, c.Session.ID)
	if err != nil && !gone(err) {
		return Outgoing{}, wrap("load ledger", err)
	}
	fmt.Fprintf(&b, "\n- Tokens: system %s, snapshot %s, window %s, documents %s, headroom %s", thousands(l.SystemTokens),
		thousands(st.Snapshot), thousands(st.Window), thousands(l.DocumentTokens), thousands(st.Headroom()))
	fmt.Fprintf(&b, "\n- Messages: %s verbatim, %s compacted; %s", thousands(st.Verbatim), thousands(st.Compacted), counted(st.Interactions, "interaction"))
	if len(st.Compactions) == 0 {
		b.WriteString("\n- Compactions: none")
	} else {
		fmt.Fprintf(&b, "\n- Compactions: %d", len(st.Compactions))
	}
	for _, done := range st.Compactions {
		fmt.Fprintf(&b, "\n    - %s: %s → %s tokens (%s)", c.date(done.DoneAt), thousands(done.TokensBefore), thousands(done.TokensAfter), done.Method)
	}
	all, err := c.documents(ctx)
	if err != nil {
		return Outgoing{}, err
	}
	fmt.Fprintf(&b, "\n- Documents: %d", len(all))
	for i, d := range all {
		fmt.Fprintf(&b, "\n    %s", c.documentLine(ctx, i, d))
	}
	return said(b.String())
}

// Gauge is the one-line picture of how full a context is.
func Gauge(context, threshold int) string {
	const cells = 6
	full := 0
	if threshold > 0 {
		full = min(cells, (context*cells+threshold-1)/threshold)
	}
	return fmt.Sprintf("context %s / %s tokens %s%s", thousands(context), thousands(threshold),
		strings.Repeat("▓", full), strings.Repeat("░", cells-full))
}

// counted is a number of things: "1 page", "2 pages".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return thousands(n) + " " + thing + "s"
}

// thousands is a number with commas: 10,000.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// date is a time as the person's clock shows it.
func (c *Call) date(at int64) string {
	zone := time.UTC
	if c.Person != nil {
		if z, err := time.LoadLocation(c.Person.TimeZone); err == nil {
			zone = z
		}
	}
	return time.UnixMilli(at).In(zone).Format("2 January 2006 15:04")
}

// maxShown is how many messages memory show lists; older ones are in the export.
const maxShown = 200

func memoryShow(ctx context.Context, c *Call) (Outgoing, error) {
	v, err := c.Bot.Store.Show(ctx, c.Audience, c.Session.ID)
	if err != nil {
		return Outgoing{}, wrap("load session", err)
	}
	var b strings.Builder
	if v.Snapshot == nil {
		b.WriteString("Nothing was summarised yet.\n")
	} else {
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(v.Snapshot.Rendered))
	}
	shown := v.Messages
	if len(shown) > maxShown {
		fmt.Fprintf(&b, "\n%s older messages: see `/memory export`.\n", thousands(len(shown)-maxShown))
		shown = shown[len(shown)-maxShown:]
	}
	for _, m := range shown {
		mark := "verbatim"
		if n := v.Segment(m.ID); n > 0 {
			mark = fmt.Sprintf("segment %d", n)
		}
		fmt.Fprintf(&b, "\n- [%s] %s: %s", mark, speaker(m), quoted(m, 120))
	}
	return said(b.String())
}

func speaker(m *memory.Message) string {
	if m.Role == memory.Assistant {
		return "I"
	}
	if m.Author == "" {
		return "somebody"
	}
	return plain(m.Author)
}

// quoted is the beginning of a message in one line, at most n runes.
func quoted(m *memory.Message, n int) string {
	if m.ErasedAt > 0 {
		return "(erased)"
	}
	line := []rune(strings.Join(strings.Fields(m.Text), " "))
	if len(line) > n {
		return string(line[:n-1]) + "…"
	}
	return string(line)
}

func memorySearch(ctx context.Context, c *Call) (Outgoing, error) {
	found, err := c.Bot.Store.Search(ctx, c.Audience, c.Args[0], 10)
	if err != nil {
		return Outgoing{}, wrap("search", err)
	}
	if len(found) == 0 {
		return said("Nothing was found. Other words may help; I look for whole words.")
	}
	var b strings.Builder
	for i, r := range found {
		when := c.date(r.Message.At)
		if r.Message.SessionID != c.Session.ID {
			ref, err := c.Bot.Store.LastPost(ctx, r.Message.SessionID)
			if err != nil {
				return Outgoing{}, wrap("look for a post", err)
			}
			if link := c.Bot.link(c.Session.Platform, ref); link != "" {
				when = fmt.Sprintf("[%s](%s)", when, link)
			}
		}
		fmt.Fprintf(&b, "%d. %s, %s: %s\n", i+1, when, speaker(r.Message), quoted(r.Message, 240))
	}
	return said(strings.TrimSpace(b.String()))
}

func memoryForget(ctx context.Context, c *Call) (Outgoing, error) {
	if c.Person == nil {
		return said(notThere)
	}
	n, err := c.Bot.Store.Forget(ctx, c.Audience, c.Session.ID, c.Person.ID)
	if err != nil {
		return Outgoing{}, wrap("forget", err)
	}
	c.Bot.running.nudge(c.Session.ID)
	switch n {
	case 0:
		return said("There is nothing of yours left to forget here.")
	case 1:
		return said("Forgotten: 1 message of yours, and what was derived from it.")
	}
	return said(fmt.Sprintf("Forgotten: %s messages of yours, and what was derived from them.", thousands(n)))
}

func memoryExport(ctx context.Context, c *Call) (Outgoing, error) {
	var file bytes.Buffer
	if err := c.Bot.Store.Export(ctx, c.Audience, c.Session.ID, &file); err != nil {
		return Outgoing{}, wrap("export", err)
	}
	name := fmt.Sprintf("conversation-%d.jsonl", c.Session.ID)
	return Outgoing{Kind: KindCommand, Text: "This conversation as JSONL: one object per line.",
		File: &Upload{Name: name, Media: "application/jsonl", Data: file.Bytes()}}, nil
}
