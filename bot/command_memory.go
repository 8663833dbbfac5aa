package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"threadkeeper/agent"
	"threadkeeper/agent/spend"
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
	fmt.Fprintf(&b, "\n- "+w.Tokens, w.Number(st.Context), w.Number(st.Threshold), w.Number(l.SystemTokens), w.Number(st.Snapshot), w.Number(st.Window),
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
		if reason := w.FoldReasons[done.Reason]; reason != "" {
			how += "; " + reason
		}
		fmt.Fprintf(&b, "\n    - "+w.Compaction, c.date(done.DoneAt), w.Number(done.FromN), w.Number(done.ToN), w.Number(done.TokensBefore), w.Number(done.TokensAfter), how)
	}
	fmt.Fprintf(&b, "\n- "+w.NextFold, w.Number(st.Threshold))
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

// day formats the day of a time by the person's calendar.
func (c *call) day(at int64) string { return agent.Date(c.say.Code, time.UnixMilli(at).In(c.zone())) }

// date formats a time by the person's clock.
func (c *call) date(at int64) string {
	t := time.UnixMilli(at).In(c.zone())
	return fmt.Sprintf(c.say.Moment, agent.Date(c.say.Code, t), t.Format("15:04"))
}

func (c *call) zone() *time.Location {
	if c.Person != nil {
		if z, err := time.LoadLocation(c.Person.TimeZone); err == nil {
			return z
		}
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
	if err := c.writeSummary(ctx, &b, v); err != nil {
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
	for _, m := range shown {
		mark := c.say.Verbatim
		if n := v.Segment(m.ID); n > 0 {
			mark = fmt.Sprintf(c.say.Segment, n)
		}
		fmt.Fprintf(&b, "\n- [%s] %s: %s%s", mark, c.speaker(m), c.quoted(m, 120), files[m.ID])
	}
	return commandText(b.String())
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
		names[f.MessageID] = append(names[f.MessageID], say.Plain(f.Name))
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
	line := []rune(reading.Unlinked(strings.Join(strings.Fields(m.Text), " ")))
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
	elsewhere, err := c.threadsOf(ctx, found)
	if err != nil {
		return platform.Outgoing{}, err
	}
	var b strings.Builder
	for _, r := range found {
		c.showsMessage(r.Message.ID)
	}
	described := map[int64]bool{}
	for i, r := range found {
		when := c.date(r.Message.At)
		link, err := c.permalink(ctx, r.Message)
		if err != nil {
			return platform.Outgoing{}, err
		}
		if link != "" {
			when = fmt.Sprintf("[%s](%s)", when, link)
		}
		fmt.Fprintf(&b, "%d. %s, %s: %s", i+1, when, c.speaker(r.Message), c.quoted(r.Message, 240))
		if t, ok := elsewhere[r.Message.SessionID]; ok {
			if err := c.writeThread(ctx, &b, t, r.Message.ID, described); err != nil {
				return platform.Outgoing{}, err
			}
		}
		b.WriteString("\n")
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

// permalink returns the link to a message; if that is unknown, to our last post
// for messages of another conversation.
func (c *call) permalink(ctx context.Context, m *memory.Message) (string, error) {
	if p, ok := c.Bot.byName(c.Session.Platform).(platform.Permalinker); ok && m.Role == memory.User && !strings.HasPrefix(m.PlatformID, memory.NotePrefix) {
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

// usageDays is how far back usage goes.
const usageDays = 30

// maxTotals is the most lines of usage under each heading; the file has all.
const maxTotals = 10

// usage shows what the model used: everybody in the workspace for an administrator, else the person alone.
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

// writeSummary writes what a session's memory knows: its facts, numbered, and the narrative.
func (c *call) writeSummary(ctx context.Context, b *strings.Builder, v *memory.View) error {
	facts, err := c.Bot.Store.Views.Facts(ctx, c.Session.ID)
	if err != nil {
		return wrap("load facts", err)
	}
	if v.Snapshot == nil && len(facts) == 0 {
		b.WriteString(c.say.NotSummarised + "\n")
		return nil
	}
	if err := c.writeFacts(ctx, b, facts); err != nil {
		return err
	}
	if v.Snapshot != nil {
		var told memory.SnapshotJSON
		if err := json.Unmarshal([]byte(v.Snapshot.JSON), &told); err != nil {
			return wrap("read a snapshot", err)
		}
		if told.Narrative != "" {
			fmt.Fprintf(b, "%s\n%s\n", c.say.FactKinds["narrative"], reading.Unlinked(told.Narrative))
		}
	}
	return nil
}

// shownKinds are the kinds of facts that a word after memory show selects.
var shownKinds = map[string][]memory.FactKind{
	"decisions": {memory.Decision}, "todos": {memory.Todo}, "questions": {memory.OpenQuestion}, "facts": {memory.KeyFact},
	"preferences": {memory.Preference, memory.Constraint},
}

// showFacts lists the facts of one kind, or those of one person.
func (c *call) showFacts(ctx context.Context, v *memory.View, what string) (platform.Outgoing, error) {
	facts, err := c.Bot.Store.Views.Facts(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, wrap("load facts", err)
	}
	kinds, byKind := shownKinds[what]
	authors := make(map[int64]string)
	for _, m := range v.Messages {
		authors[m.ID] = strings.ToLower(m.Author)
	}
	facts = slices.DeleteFunc(facts, func(k memory.Known) bool {
		if byKind {
			return !slices.Contains(kinds, k.Kind) || k.State != memory.FactActive
		}
		return !strings.HasPrefix(authors[k.MessageID], strings.TrimPrefix(what, "@"))
	})
	if len(facts) == 0 {
		return commandText(c.say.NoFacts)
	}
	var b strings.Builder
	if err := c.writeFacts(ctx, &b, facts); err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(b.String())
}

// writeFacts writes facts as a numbered list to choose from, under their headings.
func (c *call) writeFacts(ctx context.Context, b *strings.Builder, facts []memory.Known) error {
	o := &forgetOffer{Session: c.Session.ID, Until: c.offerEnd()}
	heading := ""
	for i, k := range facts {
		title := c.say.FactKinds[string(k.Kind)]
		if k.State == memory.FactQuarantined {
			title = c.say.FactKinds["held_back"]
		}
		if title != heading {
			fmt.Fprintf(b, "%s\n", title)
			heading = title
		}
		when, text := c.day(k.AssertedAt), say.Plain(k.Text)
		m, err := c.Bot.Store.Message(ctx, k.MessageID)
		if err != nil {
			return wrap("load a message", err)
		}
		link, err := c.permalink(ctx, m)
		if err != nil {
			return err
		}
		if link != "" {
			when = fmt.Sprintf("[%s](%s)", when, link)
		}
		if k.Pinned {
			text = "📌 " + text
		}
		fmt.Fprintf(b, "%d. %s (%s)\n", i+1, text, when)
		o.List, o.Facts = append(o.List, k.MessageID), append(o.Facts, k.ID)
		c.shows.Messages = append(c.shows.Messages, k.MessageID)
	}
	if c.Person == nil {
		return nil
	}
	return c.setOffer(ctx, forgetList, o)
}

// listed is a line of a list: its message, and the fact that rests on it, 0 if it is not folded yet.
type listed struct{ message, fact int64 }

// line returns the line with a number in the list that the person was last shown here; nil if there is none.
func (c *call) line(ctx context.Context, number string) (listed, error) {
	if c.Person == nil {
		return listed{}, nil
	}
	o, err := c.offer(ctx, forgetList)
	n, notNumber := strconv.Atoi(strings.Trim(number, "#. "))
	if err != nil || notNumber != nil || o == nil || o.Session != c.Session.ID || c.row.CreatedAt > o.Until || n < 1 || n > len(o.Facts) {
		return listed{}, err
	}
	return listed{o.List[n-1], o.Facts[n-1]}, nil
}

// noLine says that there is no such line, or that it can only be changed elsewhere.
func (c *call) noLine(l listed) (platform.Outgoing, error) {
	if l.message > 0 {
		return commandText(c.say.LineElsewhere)
	}
	return commandText(fmt.Sprintf(c.say.NoLine, c.typed("memory show")))
}

// memoryWhy shows the source of a line of the list: who said it, when, and in what words.
func memoryWhy(ctx context.Context, c *call) (platform.Outgoing, error) {
	l, err := c.line(ctx, c.Args[0])
	if err != nil {
		return platform.Outgoing{}, err
	}
	messages, err := c.Bot.Store.Views.Said(ctx, c.Audience, l.fact, l.message)
	if err != nil {
		return platform.Outgoing{}, wrap("load a fact", err)
	}
	if len(messages) == 0 {
		return c.noLine(listed{})
	}
	var lines []string
	for _, m := range messages {
		link, err := c.permalink(ctx, m)
		if err != nil {
			return platform.Outgoing{}, err
		}
		when := c.date(m.At)
		if link != "" {
			when = fmt.Sprintf("[%s](%s)", when, link)
		}
		lines = append(lines, fmt.Sprintf("%s, %s:\n> %s", c.speaker(m), when, c.quoted(m, 600)))
		c.shows.Messages = append(c.shows.Messages, m.ID)
	}
	return commandText(strings.Join(lines, "\n\n"))
}

// memoryPin pins a line of the list, or unpins it.
func memoryPin(ctx context.Context, c *call) (platform.Outgoing, error) {
	l, err := c.line(ctx, c.Args[0])
	if err != nil {
		return platform.Outgoing{}, err
	}
	pinned, err := c.Bot.Store.PinFact(ctx, c.Session.ID, l.fact)
	switch {
	case gone(err):
		return c.noLine(l)
	case err != nil:
		return platform.Outgoing{}, wrap("pin", err)
	case pinned:
		return commandText(c.say.Pinned)
	}
	return commandText(c.say.Unpinned)
}

// memoryCorrect corrects a line of the list.
func memoryCorrect(ctx context.Context, c *call) (platform.Outgoing, error) {
	l, err := c.line(ctx, c.Args[0])
	if err != nil {
		return platform.Outgoing{}, err
	}
	if l.fact == 0 {
		return c.noLine(l)
	}
	err = c.remember(ctx, memory.Note{Text: c.Args[1], Corrects: l.fact})
	if gone(err) {
		return c.noLine(l)
	}
	if err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(c.say.Corrected)
}

// noteText is what a person wants to keep, and whether for the whole channel.
func noteText(args string) (text string, forChannel bool) {
	return strings.CutSuffix(strings.TrimSpace(args), " for the channel")
}

// memoryRemember stores a person's note, for this conversation or for the whole channel.
func memoryRemember(ctx context.Context, c *call) (platform.Outgoing, error) {
	if c.Person == nil {
		return commandText(c.say.NotThere)
	}
	var n memory.Note
	said := c.say.Remembered
	if n.Text, n.ForChannel = noteText(c.Args[0]); n.ForChannel {
		said = c.say.RememberedForChannel
	}
	if reading.Risky(n.Text) {
		return commandText(c.say.NotRemembered)
	}
	if err := c.remember(ctx, n); err != nil {
		return platform.Outgoing{}, err
	}
	return commandText(said)
}

func (c *call) remember(ctx context.Context, n memory.Note) error {
	n.Session, n.Person, n.ID = c.Session, c.Person, strconv.FormatInt(c.row.ID, 10)
	if c.Event.Kind == platform.EventCommand && c.Event.Message != "" {
		n.ID = c.Event.Message
	}
	if err := c.Bot.Store.Remember(ctx, n); err != nil {
		if gone(err) {
			return err
		}
		return wrap("remember", err)
	}
	return nil
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
	return commandText(c.say.Gauge(st.Context, st.Threshold) + "\n\n- " + fmt.Sprintf(c.say.NextFold, c.say.Number(st.Threshold)))
}

// memoryProfile shows what the person has said about themselves that may be seen here, and switches on or off
// whether it follows into other conversations.
func memoryProfile(ctx context.Context, c *call) (platform.Outgoing, error) {
	if c.Person == nil {
		return commandText(c.say.NoFacts)
	}
	store, scope := c.Bot.Store, memory.PersonScope(c.Person.ID)
	switch value := strings.ToLower(strings.TrimSpace(c.Args[0])); value {
	case "":
	case "on", "off":
		if err := store.SetSetting(ctx, scope, memory.ProfileSetting, value); err != nil {
			return platform.Outgoing{}, wrap("store setting", err)
		}
		if value == "off" {
			return commandText(c.say.ProfileOff)
		}
		return commandText(c.say.ProfileOn)
	default:
		return commandText(fmt.Sprintf(c.say.OneOf, "`on`, `off`"))
	}
	anywhere := c.Audience
	anywhere.Session = 0
	facts, err := store.Profile(ctx, anywhere)
	if err != nil {
		return platform.Outgoing{}, wrap("load a profile", err)
	}
	if len(facts) == 0 {
		return commandText(c.say.NoFacts)
	}
	known := make([]memory.Known, len(facts))
	for i, k := range facts {
		known[i] = k.Known
	}
	var b strings.Builder
	if err := c.writeFacts(ctx, &b, known); err != nil {
		return platform.Outgoing{}, err
	}
	off, err := store.Setting(ctx, scope, memory.ProfileSetting)
	if err != nil {
		return platform.Outgoing{}, wrap("read setting", err)
	}
	switched := c.say.ProfileOn
	if off == "off" {
		switched = c.say.ProfileOff
	}
	return commandText(b.String() + "\n" + switched)
}
