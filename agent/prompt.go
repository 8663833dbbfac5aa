package agent

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

//go:embed prompts/system.tmpl prompts/history.tmpl prompts/pictures.tmpl prompts/request.tmpl prompts/analyse.tmpl prompts/portion.tmpl prompts/choose.tmpl prompts/judge.tmpl prompts/compact.tmpl
var promptFiles embed.FS

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"data": asData, "number": func(i int) int { return i + 1 }}).ParseFS(promptFiles, "prompts/*.tmpl"))
})

// systemText never changes while the program runs: it contains no clock, no name and nothing
// that anybody said.
var systemText = sync.OnceValue(func() string { return render("system.tmpl", docs.Formats) })

var systemTokens = sync.OnceValue(func() int { return memory.Count(systemText()) })

func render(name string, data any) string {
	var b strings.Builder
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic("agent: prompt " + name + ": " + err.Error()) // the templates are ours, and every one is run by a test
	}
	return b.String()
}

// messagesOf is a prompt of one system text and what it is about.
func messagesOf(name string, data any) []llms.MessageContent {
	return []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, render(name+"-system", nil)), llms.TextParts(llms.ChatMessageTypeHuman, render(name, data))}
}

// asData is a text that others wrote as a prompt shows it: what its reader could see, without the marker, and without
// anything that a model could take for the fences of data, whatever way it is spelt.
func asData(marker, text string) string {
	if text = reading.Visible(text); marker != "" {
		text = strings.ReplaceAll(text, marker, "…")
	}
	var b strings.Builder
	for {
		at := bracket.FindStringIndex(text)
		if at == nil {
			return b.String() + text
		}
		b.WriteString(text[:at[0]])
		behind := text[at[1]:]
		if fence.MatchString(rank.Fold(behind[:reading.RuneBoundary(behind, longestFence)])) {
			b.WriteString("‹")
		} else {
			b.WriteString(text[at[0]:at[1]])
		}
		text = behind
	}
}

var (
	// bracket is what a fence could open with: the character, those that look like it, and its spellings in code.
	bracket = reading.Lazy(`(?i)[<＜﹤〈⟨⧼]|&(?:amp;)*(?:lt|#0*60|#x0*3c);?|\\(?:u003c|x3c)|%3c`)
	// fence is, folded, what follows.
	fence = reading.Lazy(`^[\s/\\|-]*(?:d ?a ?t ?a|r ?e ?q ?u ?e ?s ?t|l ?i ?n ?e ?s)(?:[^\pL\pN_.(]|$)`)
)

const longestFence = 60 // bytes in which the word behind the bracket stands

// requestData is what the last part of a prompt shows.
type requestData struct {
	Marker                                                                           string
	Carried, Recalled, Documents, Evidence, Findings, Results, Rejected, Open, Hints []string
	Opened, Begun                                                                    string   // the table that people have read of the reply; what they have read of one that called tools
	Reply, Released                                                                  string   // the reply that a repair continues, and the part of it that was shown
	Wrong                                                                            []string // the block it stopped at, and why
	Complete, Noted, Overheard, Shortened                                            bool
	Calls                                                                            int // of tools, left
	Asked, Now, Author, Chosen, Quoted, Text                                         string
}

type historyData struct {
	Marker, Instructions, Snapshot string
	Lines                          []string
}

// prompt is what one call of the model is sent: the system text, the history, and what changes.
type prompt struct {
	messages []llms.MessageContent
	stable   int // tokens of the system text and the history
	tail     int // and of the rest
}

func (p prompt) total() int { return p.stable + p.tail }

const (
	requestShare   = 45  // percent of a prompt that the current message may take before it is shortened
	quotedShare    = 20  // percent of it that what the message quotes may take
	leastRequest   = 200 // tokens of it that are shown at least
	shortTokens    = 60  // of a message rendered extractively
	recalledLength = 600 // tokens of a recalled line at most
	headBytes      = 1600
	tailBytes      = 800
	keptPieces     = 4
	frozenLines    = 10 // lines of the history that are left out at once
	citedShown     = 4  // citations of an answer that the history shows at most
	citedLength    = 80 // runes of one of their quotes
)

func (r *run) requestData(w *toolUse, rejected []string) requestData {
	last := r.turn.Messages[len(r.turn.Messages)-1]
	d := requestData{Marker: r.marker, Now: r.now(), Author: oneLine(last.Author),
		Overheard: r.turn.Overheard, Asked: r.askedAlready(), Hints: append(r.doubts(), r.wholeHints()...), Carried: r.carriedLines(), Recalled: r.recalledLines(), Documents: slices.Concat(r.library.lines(), r.pictured.lines),
		Evidence: r.library.evidenceLines(r.evidence), Complete: r.complete && r.library.allRead(), Noted: r.noted, Findings: w.findingLines(), Results: w.results, Rejected: rejected, Calls: w.rounds}
	d.Open, d.Chosen = r.openQuestion()
	if r.opened != nil {
		d.Opened = r.opened.released.String()
	}
	if d.Quoted = r.quoted; memory.Count(d.Quoted) > r.quotedRoom() {
		d.Quoted = shortForm(d.Quoted, r.words, r.quotedRoom())
	}
	if d.Text = r.words; memory.Count(r.words) > r.requestRoom() {
		d.Text, d.Shortened = shortForm(r.words, asked(r.words), r.requestRoom()), true
	}
	return d
}

// now is the person's time, and that of the lines if it is another.
func (r *run) now() string {
	now := r.turn.Now.Format("Monday, 2 January 2006, 15:04 MST")
	if r.zone != nil && r.turn.Now.In(r.zone).Format("15:04") != r.turn.Now.Format("15:04") {
		now += "; the lines have the time of " + r.zone.String() + ", where it is " + r.turn.Now.In(r.zone).Format("Monday, 15:04 MST")
	}
	return now
}

func (r *run) doubts() []string {
	if r.digest != nil {
		return []string{r.digestHint()}
	}
	if r.askedAlready() != "" {
		return nil
	}
	hints := r.hints()
	if r.settled != nil {
		return append(hints, r.settledHint())
	}
	if clear, _ := ClearEnough(r.words); clear && len(hints) == 0 && !r.turn.Overheard {
		hints = append(hints, "clear")
	}
	return hints
}

// openQuestion is the question of ours that waits for an answer, and the option that was chosen, if one was.
func (r *run) openQuestion() (lines []string, chosen string) {
	q := r.turn.Question
	if q == nil || r.agreed() {
		return nil, ""
	}
	lines = append(lines, "you asked: "+q.Text)
	for i, o := range q.Options {
		lines = append(lines, fmt.Sprintf("option %d: %s", i+1, oneLine(o.Label)))
	}
	for _, m := range r.history.Messages {
		if m.ID == q.MessageID {
			lines = append(lines, "about: "+reading.Shorten(m.Text, 2000))
		}
	}
	answer := r.turn.Messages[len(r.turn.Messages)-1].Text
	switch {
	case r.turn.Choice == ChoiceJustAnswer:
		chosen = "none; answer without asking"
	case r.turn.Choice >= 0 && r.turn.Choice < len(q.Options):
		chosen = fmt.Sprintf("option %d, %s", r.turn.Choice+1, oneLine(q.Options[r.turn.Choice].Label))
	case only(answer, callingOff, 0):
		chosen = "none; they call the request off: do not do it, answer in a few words"
	default:
		var picked []string
		for _, i := range Picks(answer, len(q.Options)) {
			picked = append(picked, fmt.Sprintf("option %d, %s", i+1, oneLine(q.Options[i].Label)))
		}
		chosen = strings.Join(picked, "; ")
	}
	return lines, chosen
}

// prompt builds the messages of a call. Their tokens are at most promptLimit. What does not fit is left out of d.
func (r *run) prompt(d *requestData) prompt {
	var p prompt
	history := ""
	if r.turn.Instructions != "" || r.snapshot != "" || len(r.past) > 0 {
		history = render("history.tmpl", historyData{Marker: r.marker, Instructions: r.instructions(), Snapshot: r.snapshot, Lines: r.past})
	}
	p.stable = fixedTokens() + memory.Count(history)
	tail := render("request.tmpl", d)
	for p.tail = memory.Count(tail) + messageOverhead + r.pictured.tokens; p.total() > r.promptLimit() || p.tail > r.tailRoom(d.Calls == searchRounds); {
		if !r.drop(d) {
			break
		}
		tail = render("request.tmpl", d)
		p.tail = memory.Count(tail) + messageOverhead + r.pictured.tokens
	}
	if 2*(p.tail+r.answerRoom())+r.beyond > r.cap() && d.Calls > 0 { // no room for another call behind this one
		d.Calls = 0
		tail = render("request.tmpl", d)
	}
	r.free = r.promptLimit() - p.total() + memory.Count(strings.Join(slices.Concat(d.Recalled, d.Results), "\n")) - messageOverhead*roundCalls
	r.spent.SystemTokens = systemTokens()
	r.spent.DocumentTokens = max(r.spent.DocumentTokens, memory.Count(strings.Join(slices.Concat(d.Evidence, d.Findings, d.Results), "\n")))
	p.messages = []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, systemText())}
	if history != "" {
		p.messages = append(p.messages, llms.TextParts(llms.ChatMessageTypeHuman, history))
	}
	last := llms.TextParts(llms.ChatMessageTypeHuman, tail)
	last.Parts = append(last.Parts, r.pictured.parts...)
	p.messages = append(p.messages, last)
	return p
}

// instructionShare is the percentage of a prompt that the channel's instructions may take.
const instructionShare = 8

// instructions returns those of the channel, as far as there is room.
func (r *run) instructions() string {
	if memory.Count(r.turn.Instructions) <= r.promptLimit()*instructionShare/100 {
		return r.turn.Instructions
	}
	return shortForm(r.turn.Instructions, "", r.promptLimit()*instructionShare/100)
}

const messageOverhead = 10 // tokens of a message's frame

// drop leaves out what matters least, so that a prompt fits: recalled lines and passages that fit the request worst, the best
// passage apart, results, findings, what was said elsewhere, names. A recalled line or passage that is left out counts as not
// shown. It is false when nothing is left to leave out.
func (r *run) drop(d *requestData) bool {
	switch {
	case len(d.Recalled) > 0:
		worst, at := r.recalled[len(r.recalled)-1], 0
		r.recalled = r.recalled[:len(r.recalled)-1]
		for _, f := range r.recalled { // the lines stand as they were said
			if f.Message.ID < worst.Message.ID {
				at++
			}
		}
		if d.Recalled = slices.Delete(d.Recalled, at, at+1); r.beyond > 0 { // an earlier prompt held it
			r.brought = append(r.brought, worst)
		}
	case len(r.evidence) > 1:
		worst := 0
		for i, s := range r.evidence {
			if s.place >= r.evidence[worst].place {
				worst = i
			}
		}
		if r.beyond > 0 {
			r.tooled = append(r.tooled, r.evidence[worst])
		}
		r.evidence = slices.Delete(r.evidence, worst, worst+1)
		d.Evidence, d.Complete, r.complete = r.library.evidenceLines(r.evidence), false, false
	case len(d.Results) > 1:
		d.Results = d.Results[:len(d.Results)-1]
	case len(d.Findings) > 0:
		d.Findings = d.Findings[1:]
	case len(d.Carried) > 0:
		d.Carried = d.Carried[:len(d.Carried)-1]
	case len(d.Documents) > 1:
		d.Documents = d.Documents[:len(d.Documents)-1]
	default:
		return false
	}
	return true
}

// shortForm shows the head and tail of a long text, and between them the pieces of it that a
// search for query finds, in about limit tokens.
func shortForm(text, query string, limit int) string {
	size := limit * 3 // bytes; text has at least three of them to a token, other scripts are cut further
	head, tail := min(headBytes, size/4), min(tailBytes, size/8)
	start, end := text[:reading.RuneBoundary(text, head)], text[reading.RuneBoundary(text, len(text)-tail):]
	middle := text[len(start) : len(text)-len(end)]
	out := func(parts []string) string {
		return start + "\n[…]\n" + strings.Join(append(parts, end), "\n[…]\n")
	}
	found := pieces(middle, query, keptPieces)
	for len(found) > 0 && memory.Count(out(found)) > limit {
		found = found[:len(found)-1]
	}
	return out(found)
}

// readBehind reads what the history shows behind our messages: what a question offered, and what an answer cited of the
// documents that are there; and the time zone of its lines, which is that of the first whose zone is known, whoever asks: the lines
// stay as they are.
func (r *run) readBehind(ctx context.Context) error {
	seen := map[int64]bool{}
	for _, m := range r.history.Messages {
		if m.Role != memory.User || seen[m.PersonID] || r.zone != nil {
			continue
		}
		seen[m.PersonID] = true
		if who, err := r.Store.Person(ctx, m.PersonID); err == nil && who.TimeZone != "" {
			r.zone, _ = time.LoadLocation(who.TimeZone) // one that nobody knows is none
		}
	}
	var err error
	if r.options, err = r.Store.Queue.OfferedOptions(ctx, r.turn.Session.ID); err != nil {
		return fmt.Errorf("load questions: %w", err)
	}
	if r.cited, err = r.Store.CitedIn(ctx, r.history.Messages); err != nil {
		return fmt.Errorf("load citations: %w", err)
	}
	for id, cited := range r.cited {
		r.cited[id] = slices.DeleteFunc(cited, func(c memory.Citation) bool { return !slices.Contains(r.library.ids(), c.DocumentID) })
	}
	return nil
}

// layOut renders the history once for all prompts of the turn: the newest messages as they were said. What has no room is
// left out from the oldest on, ten lines at a time, so that the next turn's history begins alike.
func (r *run) layOut(ctx context.Context) error {
	if r.history.Snapshot != nil {
		r.snapshot = r.history.Snapshot.Rendered
	}
	room := r.historyRoom()
	all := r.history.Messages
	lines, costs := make([]string, len(all)), make([]int, len(all))
	total := 0
	for i, m := range all {
		lines[i] = r.line(m, longMessage, "") + r.offering(m) + r.citing(m)
		costs[i] = memory.Count(lines[i]) + 2
		total += costs[i]
	}
	if total+memory.Count(r.snapshot) > room { // the most important comes first in it
		r.snapshot = firstLines(r.snapshot, room/3)
	}
	room -= memory.Count(r.snapshot)
	var rules []memory.Carried
	if total > room {
		var err error
		if rules, err = r.rules(ctx); err != nil {
			return err
		}
	}
	rulesRoom := max(min(memory.Count(r.ruleLines(rules, math.MaxInt))+len(rules), mostRules, room/4), 0)
	room -= rulesRoom
	from := 0
	for total > room && from+frozenLines < len(all) {
		for _, c := range costs[from : from+frozenLines] {
			total -= c
		}
		from += frozenLines
	}
	r.inPast = map[int64]bool{}
	for i := from; i < len(all); i++ { // a window too small even for these
		if total > room {
			short := r.line(all[i], shortTokens, "")
			total += memory.Count(short) + 2 - costs[i]
			lines[i] = short
			continue
		}
		r.inPast[all[i].ID] = all[i].Tokens <= longMessage
		for _, c := range r.cited[all[i].ID] {
			r.tooled = append(r.tooled, shown{document: c.DocumentID, page: c.Page, text: c.Quote})
		}
	}
	for total > room && from < len(all) {
		total -= memory.Count(lines[from]) + 2
		from++
	}
	r.past = lines[from:]
	if from > 0 {
		if from < len(all) {
			rules = slices.DeleteFunc(rules, func(k memory.Carried) bool { return k.MessageID >= all[from].ID })
		}
		r.snapshot = r.ruleLines(rules, rulesRoom) + r.snapshot
		r.past = append([]string{fmt.Sprintf("[%d earlier messages are left out here; search_messages finds them]", from)}, r.past...)
	}
	return nil
}

// mostRules is how many tokens a prompt takes at most of what people want and do not want in messages that it leaves out. Who is
// about to break a rule asks no question that would find it.
const mostRules = 400

// rules are what people want and do not want by messages that no summary tells yet.
func (r *run) rules(ctx context.Context) ([]memory.Carried, error) {
	stated, err := r.Store.Unfolded(ctx, r.turn.Session.ID)
	if err != nil {
		return nil, fmt.Errorf("load what was said before: %w", err)
	}
	return slices.DeleteFunc(stated, func(k memory.Carried) bool {
		return !k.Pinned && k.Kind != memory.Preference && k.Kind != memory.Constraint
	}), nil
}

// ruleLines are rules of messages that a prompt leaves out, as many as room tokens hold.
func (r *run) ruleLines(rules []memory.Carried, room int) string {
	lines := []string{"Said in messages that are left out:"}
	for _, k := range rules {
		lines = append(lines, r.carriedLine(k))
	}
	if text := firstLines(strings.Join(lines, "\n"), room); strings.Contains(text, "\n") {
		return text + "\n"
	}
	return ""
}

// firstLines are the first lines of a text that room tokens hold, but no heading without its lines.
func firstLines(text string, room int) string {
	lines, n := strings.Split(text, "\n"), 0
	for ; n < len(lines); n++ {
		if room -= memory.Count(lines[n]) + 1; room < 0 {
			break
		}
	}
	if n == len(lines) {
		return text
	}
	for n > 0 && strings.HasSuffix(lines[n-1], ":") {
		n--
	}
	return strings.Join(lines[:n], "\n")
}

// offering is what a question of ours offered, as its line of the history ends.
func (r *run) offering(m *memory.Message) string {
	options := r.options[m.ID]
	if len(options) == 0 {
		return ""
	}
	labels := make([]string, len(options))
	for i, o := range options {
		labels[i] = oneLine(o.Label)
	}
	return "\n(offered: " + strings.Join(labels, " / ") + ")"
}

// citing is what an answer of ours cited, as its line of the history ends.
func (r *run) citing(m *memory.Message) string {
	var places []string
	name := ""
	for _, c := range r.cited[m.ID][:min(len(r.cited[m.ID]), citedShown)] {
		place := fmt.Sprintf("p%d %q", c.Page, reading.Shorten(oneLine(c.Quote), citedLength))
		if c.Document != name {
			name, place = c.Document, oneLine(c.Document)+" "+place
		}
		places = append(places, place)
	}
	if len(places) == 0 {
		return ""
	}
	return "\n(cited: " + strings.Join(places, "; ") + ")"
}

// line is a message as a prompt shows it: id, time, author and text. A text of more than limit
// tokens is shortened, to what fits query best if there is one.
func (r *run) line(m *memory.Message, limit int, query string) string {
	text := head.ReplaceAllString(m.Text, "$1(#")
	switch {
	case m.Tokens <= limit:
	case limit <= shortTokens:
		text = reading.Shorten(reading.CollapseSpace(text[:reading.RuneBoundary(text, 2000)]), 120)
	default:
		text = shortForm(text, query, limit) + fmt.Sprintf("\n[message #%d has %d tokens; shortened here]", m.ID, m.Tokens)
	}
	author := oneLine(m.Author)
	switch {
	case m.Role == memory.Assistant: // whose footnotes and marks tell a model nothing
		author, text = "you (assistant)", withoutMarks(claims.WithoutFootnotes(text))
	case strings.Contains(rank.Fold(author), "assistant"): // people choose their names
		author += " (person)"
	}
	return fmt.Sprintf("[#%d | %s | %s%s] %s", m.ID, time.UnixMilli(m.At).In(cmp.Or(r.zone, r.turn.zone())).Format("2006-01-02 15:04"), author, r.places[m.ID], text)
}

// head is what in a message would read as the head of another one.
var head = reading.Lazy(`(^|\n)[^\S\n]*\[#`)

func oneLine(s string) string {
	return strings.NewReplacer("\n", " ", "|", "/", "]", ")").Replace(reading.CollapseSpace(s))
}

// recalledLine is a recalled message as a line, a long one by what fits the request best.
func (r *run) recalledLine(f memory.Recalled) string {
	if r.digest != nil {
		return r.line(f.Message, catchUpLine, r.query())
	}
	return r.line(f.Message, recalledLength, r.query())
}

func (r *run) recalledLines() []string {
	found := slices.Clone(r.recalled)
	slices.SortFunc(found, func(a, b memory.Recalled) int { return int(a.Message.ID - b.Message.ID) })
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = r.recalledLine(f)
	}
	return lines
}
