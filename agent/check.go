package agent

import (
	"context"
	"strings"
	"unicode/utf8"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Finding is the result of checking a statement.
type Finding int

// The findings.
const (
	NoClaim  Finding = iota // a heading, a question, a caveat, a list of sources, code
	Stands                  // the documents say so
	Differs                 // the documents say something else
	NotFound                // neither of the two was found
)

// Statement is a sentence of a checked text, or a row of a table in it.
type Statement struct {
	Text    string
	Block   int // the paragraph, item or table it stands in, from 0
	Finding Finding
	At      docs.Citation // the words that support or contradict it; if nothing was found, the nearest. Page 0 means none
	Says    string        // what the documents say instead, if it differs
}

// Checked is a text that was checked.
type Checked struct {
	Statements []Statement
	Cut        bool   // the text is longer than the checked part
	Judge      string // the model that judged too, "" if only the rules looked
	Judged     int    // statements of which its verdict counted
}

// Count returns how many statements have a finding.
func (c *Checked) Count(f Finding) int {
	n := 0
	for _, s := range c.Statements {
		if s.Finding == f {
			n++
		}
	}
	return n
}

// Checker checks anybody's texts against documents, by the rules for our own answers and, if it has one, by a judge.
type Checker struct {
	Index     *docs.Index
	Audience  memory.Audience
	Documents []*memory.Document // those that were read
	Most      int                // statements checked of one text; 0 is 400

	JudgeName string                                          // "" for none
	Judge     func(context.Context, *Contest) (string, error) // returns its reply, "" if it will not be asked again
}

const (
	longestChecked   = 200_000 // bytes of a text that are read
	longestStatement = 1_500   // bytes of one statement
	mostStatements   = 400
)

// check is the check of one text.
type check struct {
	Checker
	ctx        context.Context
	source     source
	reply      *claims.Reply // of the text as a whole
	titled     *claims.Reply // the same, where the years of the documents' titles go without saying; nil if they give none
	title      string        // see titles
	titleTerms map[string]bool
	pages      map[[2]int64][]candidate
	few        [][2]int64 // all pages, if they are few
	heading    string
	cited      []claims.Place // by the statement
	near       []Material     // what it was compared with
	all        *Checked
	looked     []looked
}

// Check says of each statement of a text whether the documents support it.
func (k Checker) Check(ctx context.Context, text string) (*Checked, error) {
	c := &check{Checker: k, ctx: ctx, pages: map[[2]int64][]candidate{},
		source: source{ctx, k.Index, k.Documents, map[claims.Place]docs.Citation{}}}
	c.reply = &claims.Reply{Strict: true, Source: c.source}
	c.title = c.titles()
	c.titleTerms = reading.TermSet(c.title)
	if years := strings.Join(yearOf.FindAllString(c.title, -1), " "); years != "" {
		c.titled = &claims.Reply{Strict: true, Source: c.source, Request: years}
		if _, err := c.titled.Add("\n"); err != nil { // it reads its request
			return nil, err
		}
	}
	if c.Most == 0 {
		c.Most = mostStatements
	}
	if err := c.listFew(); err != nil {
		return nil, err
	}
	all := &Checked{Judge: c.JudgeName}
	c.all = all
	text = reading.Visible(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(escapes.ReplaceAllString(text, "")))
	if len(text) > longestChecked {
		text, all.Cut = text[:reading.RuneBoundary(text, longestChecked)], true
	}
	text = quotedLine.ReplaceAllString(text, "$1")
	fenced, sources := false, false
	for block := 0; text != ""; block++ {
		n := claims.NextBlock(text, true)
		if line := strings.IndexByte(text, '\n') + 1; fenced && line > 0 {
			n = line
		}
		if n == 0 {
			n = len(text)
		}
		written := text[:n]
		text = text[n:]
		bare := strings.TrimSpace(written)
		fence := strings.HasPrefix(bare, "```")
		switch {
		case bare == "":
			continue
		case sourcesHead.MatchString(bare):
			sources = true
		case strings.HasPrefix(bare, "#"):
			sources = false
		}
		if fence || fenced || sources || sourceLine.MatchString(bare) {
			all.Statements = append(all.Statements, Statement{Text: bare, Block: block})
			if fence {
				fenced = !fenced
			}
			continue
		}
		if len(all.Statements)-all.Count(NoClaim) >= c.Most {
			all.Cut = true
			break
		}
		if err := c.block(written, block); err != nil {
			return nil, err
		}
	}
	if err := c.judge(); err != nil {
		return nil, err
	}
	return all, ctx.Err()
}

var (
	// quotedLine matches the mark of a quoted line, and where the first one follows another line the end of that.
	quotedLine = reading.Lazy(`(?m)^[ ]{0,3}>[ ]?()`)
	// escapes matches what a terminal takes for an order.
	escapes = reading.Lazy(`\x1b\[[0-9;?]*[A-Za-z]`)
	// sourceLine matches a source that a footnote names.
	sourceLine = reading.Lazy(`^(?:\[\^?\d{1,3}\]:?\s|【\d+[^】]*】\s|\^\d+\s)`)
	// sourcesHead matches the head of a list of sources.
	sourcesHead = reading.Lazy(`^(?i:[#*_ ]*(?:sources?|references|citations|footnotes|works cited|quellen(?:angaben)?|belege|fußnoten|références|sources citées|fuentes|referencias)[*_ ]*:?[*_ ]*)(?:$|\n)`)
)

func (c *check) block(written string, number int) error {
	written = claims.WithoutFootnotes(written)
	b, err := c.reply.Add(written)
	if err != nil {
		return err
	}
	c.reply.Judge(b, true)
	b.Doubt()
	if strings.HasPrefix(strings.TrimSpace(written), "#") {
		c.heading = strings.TrimSpace(written)
	}
	header := ""
	if b.Table() {
		header, _, _ = strings.Cut(strings.TrimSpace(written), "\n")
	}
	for _, cl := range b.Claims {
		s := Statement{Text: reading.CollapseSpace(cl.Text), Block: number, Finding: NotFound}
		c.near = nil
		switch {
		case cl.Outcome == claims.Plain:
			s.Finding = NoClaim
		case len(s.Text) > longestStatement:
		case cl.Outcome == claims.Verified && len(cl.Places) > 0 && cl.Places[0].Quote != "":
			s.Finding, s.At = Stands, c.source.found[cl.Places[0]]
		default:
			c.cited = cl.Places
			if err := c.statement(&s, header); err != nil {
				return err
			}
			if s.Finding == NotFound && cl.Outcome == claims.Contradicted && cl.Reason.Cause == claims.Result {
				s.Finding, s.Says = Differs, cl.Reason.Words
			}
		}
		if s.Finding != NoClaim && len(s.Text) <= longestStatement && !(s.Finding == Stands && stated(s.At.Quote, s.Text)) {
			c.looked = append(c.looked, looked{contested{b, cl}, len(c.all.Statements), c.near})
		}
		c.all.Statements = append(c.all.Statements, s)
	}
	return nil
}

// statement looks for what a statement says: as a whole, then by its parts. Of a row each value is looked for.
func (c *check) statement(s *Statement, header string) error {
	var v verdict
	var err error
	if header != "" {
		v, err = c.worst(cellsOf(s.Text, header))
	} else if v, err = c.look(statementPart{text: s.Text}); err == nil && v.finding != Stands && !v.disputed {
		if parts := clausesOf(s.Text); len(parts) > 0 {
			by, failed := c.worst(parts)
			if err = failed; v.finding == NotFound || by.finding == Stands {
				v = by
			}
		}
	}
	s.Finding, s.At, s.Says = v.finding, v.at, v.says
	return err
}

// worst is the verdict on all parts of a statement: of one that is contradicted, else of one that was not found.
func (c *check) worst(parts []statementPart) (worst verdict, err error) {
	for i, p := range parts {
		v, err := c.look(p)
		if err != nil {
			return worst, err
		}
		if i == 0 || v.finding == Differs && worst.finding != Differs || v.finding == NotFound && worst.finding == Stands {
			worst = v
		}
	}
	return worst, nil
}

// statementPart is looked for as a unit: a sentence, a part of one, or a value of a row.
type statementPart struct {
	text   string
	header string // of a value of a row: the first line of its table
	years  string // of the sentence it is a part of
}

// cellsOf are the values of a row, each with its label, and the head of both; the row itself if there is but one.
func cellsOf(row, header string) []statementPart {
	cells, heads := cellsIn(row), cellsIn(header)
	var all []statementPart
	for i := range cells {
		if i > 0 && i < len(heads) && strings.ContainsAny(cells[i], "0123456789") {
			all = append(all, statementPart{text: "| " + cells[0] + " | " + cells[i] + " |", header: "| " + heads[0] + " | " + heads[i] + " |"})
		}
	}
	if len(all) == 0 {
		return []statementPart{{text: row, header: header}}
	}
	return all
}

func cellsIn(line string) []string {
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|"), "|")
}

// titles are the names and first lines of the documents: what they give, as a year or a name, goes without saying there.
func (c *check) titles() string {
	const title = 600 // bytes
	text := ""
	for i, d := range c.Documents {
		first, err := c.source.Text(i+1, 1)
		if err != nil {
			first = ""
		}
		text += " " + strings.ReplaceAll(d.Name, "_", " ") + " " + first[:reading.RuneBoundary(first, title)]
	}
	return text
}

var yearOf = reading.Lazy(`\b(?:19|20)\d\d\b`)

// joined matches what stands between two parts of a sentence that may each be true or not.
var joined = reading.Lazy(`;\s|,? (?:and|while|whereas|but|und|während|aber|et|tandis que|mais|y|mientras|pero) |, `)

// clausesOf are the parts of a sentence, each with a number of its own; nil if it is one. A short one gets the beginning
// of the sentence, which says of what it speaks.
func clausesOf(text string) []statementPart {
	years := strings.Join(yearOf.FindAllString(text, -1), " ")
	var words []string
	for w := range strings.FieldsSeq(text[:max(strings.IndexAny(text, "0123456789$€£"), 0)]) {
		if up, down := reading.Moves(rank.Fold(w)); up || down {
			break
		}
		words = append(words, w)
	}
	subject := strings.Join(words, " ")
	var all []statementPart
	from := 0
	add := func(clause string) {
		if from > 0 && len(reading.WordTerms(clause)) < 3 {
			clause = subject + " " + clause
		}
		all = append(all, statementPart{text: clause, years: years})
	}
	for _, m := range joined.FindAllStringIndex(text, -1) {
		if left, right := text[from:m[0]], text[m[1]:]; tells(left) && tells(right) {
			add(left)
			from = m[1]
		}
	}
	if from == 0 {
		return nil
	}
	add(text[from:])
	return all
}

// tells reports whether a part of a sentence has a number and says what it measures.
func tells(part string) bool {
	return strings.ContainsAny(part, "0123456789") && len(reading.WordTerms(part)) >= 1 && utf8.RuneCountInString(part) >= 10
}
