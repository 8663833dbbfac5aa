package bot

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"threadkeeper/agent"
	"threadkeeper/agent/spend"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// maxFolds is how many compactions memory status lists, the latest.
const maxFolds = 10

func memoryStatus(ctx context.Context, c *call) (platform.Outgoing, error) {
	st, err := c.Bot.Store.Views.Status(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("load status", err)
	}
	w := c.say
	if c.Session.Thread != "" && st.Verbatim+st.Compacted == 0 {
		return commandText(w.NoThreads)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", w.Gauge(st.Context, st.Threshold))
	l, err := c.Bot.Store.Views.LastLedger(ctx, c.Session.ID)
	if err != nil && !gone(err) {
		return platform.Outgoing{}, wrap("load ledger", err)
	}
	fmt.Fprintf(&b, "\n- "+w.Tokens, w.Number(l.SystemTokens), w.Number(st.Snapshot), w.Number(st.Window),
		w.Number(l.DocumentTokens), w.Number(st.Headroom()))
	fmt.Fprintf(&b, "\n- "+w.Messages, w.Number(st.Verbatim), w.Number(st.Compacted), w.Count(w.Interactions, st.Interactions))
	if len(st.Compactions) == 0 {
		b.WriteString("\n- " + w.NoCompaction)
	} else {
		fmt.Fprintf(&b, "\n- "+w.Compactions, w.Number(len(st.Compactions)))
	}
	for _, done := range st.Compactions[max(0, len(st.Compactions)-maxFolds):] {
		how := w.ByModel
		if done.Method == memory.Extractive {
			how = w.Extractive
		}
		fmt.Fprintf(&b, "\n    - "+w.Compaction, c.date(done.DoneAt), w.Number(done.TokensBefore), w.Number(done.TokensAfter), how)
	}
	all, err := c.documents(ctx)
	if err != nil {
		return platform.Outgoing{}, err
	}
	fmt.Fprintf(&b, "\n- "+w.Documents, w.Number(len(all)))
	c.showsDocuments(all)
	for i, d := range all {
		fmt.Fprintf(&b, "\n    %s", c.documentLine(ctx, i, d))
	}
	return commandText(b.String())
}

// date is a time as the person's clock shows it.
func (c *call) date(at int64) string {
	zone := time.UTC
	if c.Person != nil {
		if z, err := time.LoadLocation(c.Person.TimeZone); err == nil {
			zone = z
		}
	}
	t := time.UnixMilli(at).In(zone)
	return fmt.Sprintf(c.say.Moment, agent.Date(c.say.Code, t), t.Format("15:04"))
}

// maxShown is how many messages memory show lists; older ones are in the export.
const maxShown = 200

func memoryShow(ctx context.Context, c *call) (platform.Outgoing, error) {
	v, err := c.Bot.Store.Views.Show(ctx, c.Audience, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("load session", err)
	}
	c.shows.Sessions = []int64{c.Session.ID}
	var b strings.Builder
	if v.Snapshot == nil {
		b.WriteString(c.say.NotSummarised + "\n")
	} else {
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(v.Snapshot.Rendered))
	}
	shown := v.Messages
	if len(shown) > maxShown {
		fmt.Fprintf(&b, "\n%s\n", c.say.Count(c.say.Older, len(shown)-maxShown, c.typed("memory export")))
		shown = shown[len(shown)-maxShown:]
	}
	files, err := c.filesAlone(ctx, shown)
	if err != nil {
		return platform.Outgoing{}, err
	}
	for _, m := range shown {
		mark := c.say.Verbatim
		if n := v.Segment(m.ID); n > 0 {
			mark = fmt.Sprintf(c.say.Segment, n)
		}
		fmt.Fprintf(&b, "\n- [%s] %s: %s%s", mark, c.speaker(m), c.quoted(m, 120), files[m.ID])
	}
	return commandText(b.String())
}

// filesAlone names what the messages without words brought, by message.
func (c *call) filesAlone(ctx context.Context, messages []*memory.Message) (map[int64]string, error) {
	var silent []int64
	for _, m := range messages {
		if m.Text == "" && m.ErasedAt == 0 {
			silent = append(silent, m.ID)
		}
	}
	if len(silent) == 0 {
		return nil, nil
	}
	files, err := c.Bot.Store.FilesOf(ctx, silent)
	if err != nil {
		return nil, wrap("load files", err)
	}
	names := make(map[int64][]string)
	for _, f := range files {
		names[f.MessageID] = append(names[f.MessageID], say.Plain(f.Name))
	}
	line := make(map[int64]string, len(names))
	for id, n := range names {
		line[id] = "📎 " + strings.Join(n, ", ")
	}
	return line, nil
}

// speaker is who said a message.
func (c *call) speaker(m *memory.Message) string {
	if m.Role == memory.Assistant {
		return c.say.Me
	}
	if m.Author == "" {
		return c.say.Somebody
	}
	return say.Plain(m.Author)
}

// quoted is the beginning of a message in one line, at most n runes.
func (c *call) quoted(m *memory.Message, n int) string {
	if m.ErasedAt > 0 {
		return c.say.ErasedWas
	}
	line := []rune(strings.Join(strings.Fields(m.Text), " "))
	if len(line) > n {
		return string(line[:n-1]) + "…"
	}
	return string(line)
}

func memorySearch(ctx context.Context, c *call) (platform.Outgoing, error) {
	found, err := c.Bot.Store.Search(ctx, c.Audience, c.Args[0], 10)
	if err != nil {
		return platform.Outgoing{}, wrap("search", err)
	}
	if len(found) == 0 {
		return commandText(c.say.NothingFound)
	}
	var b strings.Builder
	for i, r := range found {
		c.shows.Messages = append(c.shows.Messages, r.Message.ID)
		when := c.date(r.Message.At)
		link, err := c.permalink(ctx, r.Message)
		if err != nil {
			return platform.Outgoing{}, err
		}
		if link != "" {
			when = fmt.Sprintf("[%s](%s)", when, link)
		}
		fmt.Fprintf(&b, "%d. %s, %s: %s\n", i+1, when, c.speaker(r.Message), c.quoted(r.Message, 240))
	}
	return commandText(strings.TrimSpace(b.String()))
}

// permalink is where people see a message; where that is not known it is our last post
// of another conversation.
func (c *call) permalink(ctx context.Context, m *memory.Message) (string, error) {
	if p, ok := c.Bot.byName(c.Session.Platform).(platform.Permalinker); ok && m.Role == memory.User {
		session, err := c.Bot.Store.Session(ctx, m.SessionID)
		if err != nil {
			return "", wrap("load session", err)
		}
		if link := p.Permalink(session.Key, m.PlatformID); link != "" {
			return link, nil
		}
	}
	if m.SessionID == c.Session.ID {
		return "", nil
	}
	ref, err := c.Bot.Store.Views.LastPostRef(ctx, m.SessionID)
	if err != nil {
		return "", wrap("look for a post", err)
	}
	return c.Bot.link(c.Session.Platform, ref), nil
}

func memoryExport(ctx context.Context, c *call) (platform.Outgoing, error) {
	var file bytes.Buffer
	if err := c.Bot.Store.Views.Export(ctx, c.Audience, c.Session.ID, &file); err != nil {
		return platform.Outgoing{}, wrap("export", err)
	}
	name := fmt.Sprintf("conversation-%d.jsonl", c.Session.ID)
	return platform.Outgoing{Kind: platform.KindCommand, Text: c.say.Exported,
		File: &platform.Upload{Name: name, Media: "application/jsonl", Data: file.Bytes()}}, nil
}

// usageDays is how far back usage goes.
const usageDays = 30

// maxTotals is how many lines usage has under each heading; the file has all.
const maxTotals = 10

// usage is what the model took: everybody's of the workspace for an administrator, else the person's own.
func usage(ctx context.Context, c *call) (platform.Outgoing, error) {
	today := memory.Day(c.Bot.Store.Now())
	of := memory.UsageOf{Since: today - (usageDays-1)*24*time.Hour.Milliseconds(), Platform: c.Session.Platform, Workspace: c.Session.Workspace}
	if c.Person == nil || !c.Person.Admin {
		if c.Person == nil {
			return commandText(c.say.UsageNone)
		}
		of.PersonID = c.Person.ID
	}
	rows, err := c.Bot.Store.Views.Usage(ctx, of)
	if err != nil {
		return platform.Outgoing{}, wrap("load usage", err)
	}
	if len(rows) == 0 {
		return commandText(c.say.UsageNone)
	}
	var b strings.Builder
	line := func(bullet, name string, t spend.Total) {
		fmt.Fprintf(&b, "\n"+bullet+c.say.UsageSpent, say.Plain(name), c.say.Number(int(t.Tokens)), c.say.Number(int(t.Calls)))
		if money := spend.Money(t.Micros); money != "" {
			b.WriteString(", " + money)
		}
	}
	if of.PersonID != 0 {
		b.WriteString(c.say.UsageYours + "\n")
	}
	for _, t := range spend.Sum(rows, func(u memory.Usage) string {
		if u.Day == today {
			return c.say.UsageToday
		}
		return ""
	}) {
		line("", t.Name, t)
	}
	for _, t := range spend.Sum(rows, func(memory.Usage) string { return c.say.UsageMonth }) {
		line("", t.Name, t)
	}
	for _, by := range spend.By {
		if of.PersonID != 0 && by.Name == "person" {
			continue
		}
		fmt.Fprintf(&b, "\n\n**%s**", c.say.UsageBy[by.Name])
		all := spend.Sum(rows, by.Of)
		for _, t := range all[:min(len(all), maxTotals)] {
			line("- ", t.Name, t)
		}
	}
	var file bytes.Buffer
	if err := spend.WriteCSV(&file, rows); err != nil {
		return platform.Outgoing{}, wrap("write usage", err)
	}
	return platform.Outgoing{Kind: platform.KindCommand, Text: strings.TrimSpace(b.String()),
		File: &platform.Upload{Name: "usage.csv", Media: "text/csv", Data: file.Bytes()}}, nil
}
