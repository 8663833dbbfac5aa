package agent

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

//go:embed prompts/system.tmpl prompts/history.tmpl prompts/pictures.tmpl prompts/request.tmpl
var promptFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"data": asData}).ParseFS(promptFiles, "prompts/*.tmpl"))

// systemText never changes while the program runs: it holds no clock, no name and nothing
// that anybody said.
var systemText = sync.OnceValue(func() string { return render("system.tmpl", nil) })

// systemRuns are the word runs of the system text, to find them in an answer.
var systemRuns = sync.OnceValue(func() map[string]bool { return runsOf(systemText()) })

func render(name string, data any) string {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		panic("agent: prompt " + name + ": " + err.Error()) // the templates are ours, and every one is run by a test
	}
	return b.String()
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
	bracket = regexp.MustCompile(`(?i)[<＜﹤〈⟨⧼]|&(?:amp;)*(?:lt|#0*60|#x0*3c);?|\\(?:u003c|x3c)|%3c`)
	// fence is, folded, what follows.
	fence = regexp.MustCompile(`^[\s/\\|-]*(?:d ?a ?t ?a|r ?e ?q ?u ?e ?s ?t|l ?i ?n ?e ?s)(?:[^\pL\pN_.(]|$)`)
)

const longestFence = 60 // bytes in which the word behind the bracket stands

// requestData is what the last part of a prompt shows.
type requestData struct {
	Marker                                  string
	Recalled, Documents, Findings, Passages []string
	Defects                                 []string
	Searched, Asked, Clear, Shortened       bool
	Searches                                int
	Now, Language, Author, Quoted, Text     string
}

type historyData struct {
	Marker, Snapshot string
	Lines            []string
}

const (
	requestShare = 45  // percent of a prompt that the current message may take before it is shortened
	quotedShare  = 20  // percent of it that what the message quotes may take
	leastRequest = 200 // tokens of it that are shown at least
	shortTokens  = 60  // of a message rendered extractively
	headBytes    = 1600
	tailBytes    = 800
	keptPieces   = 4
)

// prompt builds the messages of a call. Their tokens are at most limit.
func (r *run) prompt(d requestData, limit int) []llms.MessageContent {
	last := r.turn.Messages[len(r.turn.Messages)-1]
	d.Marker, d.Now, d.Language = r.marker, r.turn.Now.Format("Monday, 2 January 2006, 15:04 MST"), languageName(r.request, r.say)
	d.Asked, d.Author = r.turn.Question != nil || r.Clarify == ClarifyNever, oneLine(last.Author)
	d.Clear, _ = ClearEnough(r.request)
	d.Text, d.Shortened = r.shortRequest(max(limit*requestShare/100, leastRequest))
	room := max(limit*quotedShare/100, leastRequest)
	if d.Quoted = r.quoted; memory.Count(d.Quoted) > room {
		d.Quoted = shortForm(d.Quoted, r.request, room)
	}
	tail := render("request.tmpl", d)
	for memory.Count(systemText())+memory.Count(tail) > limit-3*10 && d.drop() {
		tail = render("request.tmpl", d)
	}
	r.spent.SystemTokens = max(r.spent.SystemTokens, memory.Count(systemText()))
	r.spent.DocumentTokens = max(r.spent.DocumentTokens, memory.Count(strings.Join(slices.Concat(d.Findings, d.Passages), "\n")))
	left := limit - memory.Count(systemText()) - memory.Count(tail) - 3*10
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, systemText())}
	if h := r.historyBlock(left); h != "" {
		messages = append(messages, llms.TextParts(llms.ChatMessageTypeHuman, h))
	}
	return append(messages, llms.TextParts(llms.ChatMessageTypeHuman, tail))
}

// drop leaves out what matters least, so that a prompt fits a small window: the last passages
// but one, older recalled lines, findings, names. It is false when nothing is left to leave out.
func (d *requestData) drop() bool {
	switch {
	case len(d.Passages) > 1:
		d.Passages = d.Passages[:len(d.Passages)-1]
	case len(d.Recalled) > 0:
		d.Recalled = d.Recalled[1:]
	case len(d.Findings) > 0:
		d.Findings = d.Findings[1:]
	case len(d.Documents) > 1:
		d.Documents = d.Documents[:len(d.Documents)-1]
	default:
		return false
	}
	return true
}

// shortRequest is the request, or if it has more tokens than limit its beginning and end and
// the parts of it that fit its question best.
func (r *run) shortRequest(limit int) (text string, shortened bool) {
	if memory.Count(r.request) <= limit {
		return r.request, false
	}
	return shortForm(r.request, asked(r.request), limit), true
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

// historyBlock renders snapshot and messages in at most limit tokens: the newest messages as
// they were said, older ones that do not fit extractively, the oldest left out.
func (r *run) historyBlock(limit int) string {
	d := historyData{Marker: r.marker}
	if r.history.Snapshot != nil {
		d.Snapshot = r.history.Snapshot.Rendered
	}
	if d.Snapshot == "" && len(r.history.Messages) == 0 {
		return ""
	}
	left := limit - memory.Count(render("history.tmpl", d))
	if left < 0 {
		d.Snapshot = ""
		left = limit - memory.Count(render("history.tmpl", d))
	}
	omitted := 0
	for i, m := range slices.Backward(r.history.Messages) {
		line := r.line(m, longMessage)
		reserve := min(i*shortTokens, left/4) // for the short forms of what is older
		cost := memory.Count(line) + 2
		if cost > left-reserve {
			line = r.line(m, shortTokens)
			cost = memory.Count(line) + 2
		}
		if cost > left {
			omitted = i + 1
			break
		}
		left -= cost
		d.Lines = append(d.Lines, line)
	}
	if omitted > 0 {
		d.Lines = append(d.Lines, fmt.Sprintf("[%d earlier messages are left out here; a search finds them]", omitted))
	}
	slices.Reverse(d.Lines)
	return render("history.tmpl", d)
}

// line is a message as a prompt shows it: id, time, author and text. A text of more than limit
// tokens is shortened.
func (r *run) line(m *memory.Message, limit int) string {
	text := head.ReplaceAllString(m.Text, "$1(#")
	switch {
	case m.Tokens <= limit:
	case limit <= shortTokens:
		text = reading.Shorten(reading.CollapseSpace(text[:reading.RuneBoundary(text, 2000)]), 120)
	default:
		text = shortForm(text, r.query(), limit) + fmt.Sprintf("\n[message #%d has %d tokens; shortened here]", m.ID, m.Tokens)
	}
	author := m.Author
	if m.Role == memory.Assistant {
		author = "you (assistant)"
	}
	return fmt.Sprintf("[#%d | %s | %s] %s", m.ID, time.UnixMilli(m.At).In(r.turn.zone()).Format("2006-01-02 15:04"), oneLine(author), text)
}

// head is what in a message would read as the head of another one.
var head = regexp.MustCompile(`(^|\n)[^\S\n]*\[#`)

func oneLine(s string) string {
	return strings.NewReplacer("\n", " ", "|", "/", "]", ")").Replace(reading.CollapseSpace(s))
}

// recalledLines are the recalled messages as lines, the oldest first.
func (r *run) recalledLines() []string {
	found := slices.Clone(r.recalled)
	slices.SortFunc(found, func(a, b memory.Recalled) int { return int(a.Message.ID - b.Message.ID) })
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = r.line(f.Message, recallTokens/2)
	}
	return lines
}
