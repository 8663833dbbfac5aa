package bot

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"threadkeeper/agent"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// maxFolds is the most compactions that memory status lists, the latest ones.
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
	fmt.Fprintf(&b, "\n- "+w.Verbatim, w.Number(st.Verbatim))
	if st.Compacted > 0 {
		fmt.Fprintf(&b, w.Summarised, w.Number(st.Compacted))
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
	fmt.Fprintf(&b, "\n- "+w.InNumbers, w.Number(st.Context), w.Number(st.Threshold))
	fmt.Fprintf(&b, "\n    - "+w.Tokens, w.Number(l.SystemTokens), w.Number(st.Snapshot), w.Number(st.Window), w.Number(l.DocumentTokens), w.Number(st.Headroom()))
	fmt.Fprintf(&b, "\n    - %s\n    - "+w.Compactions, w.Count(w.Interactions, st.Interactions), w.Number(len(st.Compactions)))
	for _, done := range st.Compactions[max(0, len(st.Compactions)-maxFolds):] {
		how := w.ByModel
		if done.Method == memory.Extractive {
			how = w.Extractive
		}
		if reason := w.FoldReasons[done.Reason]; reason != "" {
			how += "; " + reason
		}
		fmt.Fprintf(&b, "\n        - "+w.Compaction, c.date(done.DoneAt), w.Number(done.FromN), w.Number(done.ToN), w.Number(done.TokensBefore), w.Number(done.TokensAfter), how)
	}
	fmt.Fprintf(&b, "\n    - "+w.NextFold, w.Number(st.Next))
	return commandText(b.String())
}

// day formats the day of a time by the person's calendar.
func (c *call) day(at int64) string { return agent.Date(c.say.Code, time.UnixMilli(at).In(c.zone())) }

// date formats a time by the person's clock.
func (c *call) date(at int64) string {
	t := time.UnixMilli(at).In(c.zone())
	return fmt.Sprintf(c.say.Moment, agent.Date(c.say.Code, t), t.Format("15:04"))
}

func (c *call) zone() *time.Location {
	if z, err := time.LoadLocation(c.Person.TimeZone); err == nil {
		return z
	}
	return time.UTC
}

// maxShown is the most messages that memory show lists; older ones are in the export.
const maxShown = 200

func memoryShow(ctx context.Context, c *call) (platform.Outgoing, error) {
	v, err := c.Bot.Store.Views.Show(ctx, c.Audience, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("load session", err)
	}
	c.shows.Sessions = []int64{c.Session.ID}
	if c.Args[0] != "" {
		return c.showFacts(ctx, v, strings.ToLower(c.Args[0]))
	}
	var b strings.Builder
	o := c.newList()
	if err := c.writeSummary(ctx, &b, v, o); err != nil {
		return platform.Outgoing{}, err
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
	heading := ""
	for _, m := range shown {
		if strings.HasPrefix(m.PlatformID, memory.NotePrefix) && slices.Contains(o.List, m.ID) {
			continue // a note, which is shown above
		}
		title := c.say.VerbatimHeading
		if m.ID <= v.Session.Watermark {
			title = c.say.SummarisedHeading
		}
		if title != heading {
			writeHeading(&b, title)
			heading = title
		}
		link, err := c.permalink(ctx, m)
		if err != nil {
			return platform.Outgoing{}, err
		}
		if link != "" {
			link = " (" + linked(c.day(m.At), link) + ")"
		}
		o.add(m.ID, 0)
		fmt.Fprintf(&b, "%d. %s: %s%s%s\n", len(o.List), c.speaker(m), c.quoted(m, 120), files[m.ID], link)
	}
	if err := c.setOffer(ctx, forgetList, o); err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(strings.TrimRight(b.String(), "\n"))
}

// writeHeading writes what stands above a list, a paragraph of its own: otherwise it would belong to the list before, and a
// list that does not begin with 1 to it.
func writeHeading(b *strings.Builder, title string) {
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	b.WriteString(title + "\n\n")
}

// filesAlone returns the names of the files of messages without words, by message.
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
		names[f.MessageID] = append(names[f.MessageID], say.Name(f.Name))
	}
	line := make(map[int64]string, len(names))
	for id, n := range names {
		line[id] = "📎 " + strings.Join(n, ", ")
	}
	return line, nil
}

// speaker returns the author of a message.
func (c *call) speaker(m *memory.Message) string {
	if m.Role == memory.Assistant {
		return c.say.Me
	}
	if m.Author == "" {
		return c.say.Somebody
	}
	return say.Plain(m.Author)
}

// quoted returns the beginning of a message in one line, at most n runes.
func (c *call) quoted(m *memory.Message, n int) string {
	if m.ErasedAt > 0 {
		return c.say.ErasedWas
	}
	return cutLine(m.Text, n)
}

// cutLine returns the beginning of a text of others in one line, at most n runes.
func cutLine(text string, n int) string {
	return reading.Shorten(reading.Unlinked(reading.CollapseSpace(text)), n)
}

func memorySearch(ctx context.Context, c *call) (platform.Outgoing, error) {
	found, err := c.Bot.Store.Search(ctx, c.Audience, c.Args[0], 10)
	if err != nil {
		return platform.Outgoing{}, wrap("search", err)
	}
	if len(found) == 0 {
		return commandText(c.say.NothingFound)
	}
	elsewhere, err := c.threadsOf(ctx, found)
	if err != nil {
		return platform.Outgoing{}, err
	}
	var b strings.Builder
	o := c.newList()
	for _, r := range found {
		c.showsMessage(r.Message.ID)
		o.add(r.Message.ID, 0)
	}
	described := map[int64]bool{}
	for i, r := range found {
		when := c.date(r.Message.At)
		link, err := c.permalink(ctx, r.Message)
		if err != nil {
			return platform.Outgoing{}, err
		}
		fmt.Fprintf(&b, "%d. %s, %s: %s", i+1, linked(when, link), c.speaker(r.Message), c.quoted(r.Message, 240))
		if t, ok := elsewhere[r.Message.SessionID]; ok {
			if err := c.writeThread(ctx, &b, t, r.Message.ID, described); err != nil {
				return platform.Outgoing{}, err
			}
		}
		b.WriteString("\n")
	}
	if err := c.setOffer(ctx, forgetList, o); err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(strings.TrimSpace(b.String()))
}

// threadsOf are the other conversations that hold what was found.
func (c *call) threadsOf(ctx context.Context, found []memory.Recalled) (map[int64]memory.Thread, error) {
	var sessions []int64
	for _, r := range found {
		if s := r.Message.SessionID; s != c.Session.ID && !slices.Contains(sessions, s) {
			sessions = append(sessions, s)
		}
	}
	threads, err := c.Bot.Store.Views.ThreadsHolding(ctx, c.Audience, sessions)
	byID := make(map[int64]memory.Thread, len(threads))
	for _, t := range threads {
		byID[t.ID] = t
	}
	return byID, wrap("look up threads", err)
}

// writeThread names the conversation that a message which was found stands in, unless the message opened it. Below the first
// message of a conversation it says what that is about beyond what is shown already, of a few conversations.
func (c *call) writeThread(ctx context.Context, b *strings.Builder, t memory.Thread, found int64, described map[int64]bool) error {
	if t.BeganID != found {
		fmt.Fprintf(b, " (%s)", titleOf(t))
		c.showsMessage(t.BeganID)
	}
	if described[t.ID] || len(described) == maxDescribed {
		return nil
	}
	described[t.ID] = true
	gist, err := c.Bot.gist(ctx, t.ID)
	for _, l := range gist {
		if !slices.Contains(c.shows.Messages, l.Message) {
			fmt.Fprintf(b, "\n    - %s", l.Text)
			c.showsMessage(l.Message)
		}
	}
	return err
}

// showsMessage notes that the answer shows a message.
func (c *call) showsMessage(id int64) {
	if !slices.Contains(c.shows.Messages, id) {
		c.shows.Messages = append(c.shows.Messages, id)
	}
}

// linked is a text with a link, "" for none.
func linked(text, link string) string {
	if link == "" {
		return text
	}
	return fmt.Sprintf("[%s](%s)", text, link)
}

// permalink returns the link to a message; if that is unknown, to our last post
// for messages of another conversation.
func (c *call) permalink(ctx context.Context, m *memory.Message) (string, error) {
	if p, ok := c.Bot.byName(c.Session.Platform).(platform.Permalinker); ok && m.Role == memory.User && m.ErasedAt == 0 && !strings.HasPrefix(m.PlatformID, memory.NotePrefix) {
		session, err := c.Session, error(nil)
		if m.SessionID != session.ID {
			session, err = c.Bot.Store.Session(ctx, m.SessionID)
		}
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
	here, err := c.Bot.Store.Here(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("export", err)
	}
	var file bytes.Buffer
	for _, session := range here {
		if err := c.Bot.Store.Views.Export(ctx, c.Audience, session, &file); err != nil {
			return platform.Outgoing{}, wrap("export", err)
		}
	}
	name := fmt.Sprintf("conversation-%d.jsonl", c.Session.ID)
	return platform.Outgoing{Kind: platform.KindCommand, Text: c.say.Exported,
		File: &platform.Upload{Name: name, Media: "application/jsonl", Data: file.Bytes()}}, nil
}

// memoryCompact folds everything outside the window now.
func memoryCompact(ctx context.Context, c *call) (platform.Outgoing, error) {
	due, err := c.Bot.Store.ScheduleCompaction(ctx, c.Session.ID, c.Args[0])
	if err != nil {
		return platform.Outgoing{}, wrap("compact", err)
	}
	if !due {
		return commandText(c.say.NothingToFold)
	}
	c.Bot.compactions.ring()
	return commandText(c.say.Folding)
}

// memoryUndo undoes the last fold.
func memoryUndo(ctx context.Context, c *call) (platform.Outgoing, error) {
	done, err := c.Bot.Store.UndoFold(ctx, c.Session.ID)
	if gone(err) {
		return commandText(c.say.NothingToUndo)
	}
	if err != nil {
		return platform.Outgoing{}, wrap("undo", err)
	}
	return commandText(fmt.Sprintf(c.say.Undone, c.date(done.DoneAt)))
}

// leastThreshold is the smallest threshold of a conversation, in tokens.
const leastThreshold = 500

// threshold reads a number of tokens, 0 for the usual one.
func threshold(text string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.NewReplacer(",", "", ".", "", " ", "").Replace(text))
	return n, err == nil && (n == 0 || n >= leastThreshold)
}

// memoryThreshold sets how full this conversation gets before it is folded.
func memoryThreshold(ctx context.Context, c *call) (platform.Outgoing, error) {
	n, ok := threshold(c.Args[0])
	if !ok {
		return commandText(fmt.Sprintf(c.say.LeastThreshold, c.say.Number(leastThreshold)))
	}
	if err := c.Bot.Store.SetThreshold(ctx, c.Session.ID, n); err != nil {
		return platform.Outgoing{}, wrap("set a threshold", err)
	}
	c.Bot.compactions.ring()
	st, err := c.Bot.Store.Views.Status(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("load status", err)
	}
	return commandText(c.say.Gauge(st.Context, st.Threshold) + "\n\n- " + fmt.Sprintf(c.say.NextFold, c.say.Number(st.Next)))
}
