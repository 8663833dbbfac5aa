package claims

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Source is where the places stand that a reply cites.
type Source interface {
	// Find looks words up in a document, numbered from 1: on that page, else on another. Words is then what stands there.
	Find(document, page int, words string) (p Place, found bool, err error)
	// Text is that of a page, "" if there is none.
	Text(document, page int) (string, error)
	// Named is the number of a document by what a reply calls it, 0 for none.
	Named(name string) int
	// Documents is how many there are.
	Documents() int
}

// Place is a quote that stands in a document.
type Place struct {
	Document, Page int // from 1
	Quote          string
}

// Outcome is what became of a claim.
type Outcome int

// The outcomes, from what needs no check to what is wrong.
const (
	Plain        Outcome = iota // a heading, an intro, a question, a caveat: it claims nothing
	Verified                    // what it says stands at the place it cites, or is computed from such
	Unchecked                   // it cites nothing, or nothing that can be compared
	Contradicted                // the document says something else, or nothing of the kind
)

// Cause is why a claim is not verified.
type Cause int

// The causes. Elsewhere and later ones are of unchecked claims.
const (
	NoCause   Cause = iota
	Says            // the page says something else: Reason.Words
	Nowhere         // a number that stands nowhere in what is cited: Reason.Number
	Result          // a computation has another result: Reason.Words
	Invented        // the words cited do not stand in the document: Reason.Words
	Uncited         // no citation
	Elsewhere       // the number stands on the page, but not with what the claim says of it
	Unlike          // what is cited says little of what is claimed
)

// Reason is a cause with its place.
type Reason struct {
	Cause          Cause
	Number         string // as the claim shows it
	Words          string
	Document, Page int

	weak bool // the number may stand elsewhere
}

// Claim is a sentence of a block, or a row of a table, taken apart.
type Claim struct {
	Text    string // without its marks and emphasis
	Outcome Outcome
	Reason  Reason
	Places  []Place

	folded  string
	context string // name of the row and the columns of a table, heading
	own     []evidence
	sums    []sum
	cited   bool // it has a citation, found or not
	missing []string
	plain   bool
	cells   []string // heads of a table row's numbers, by position
	numbers []quantity
	from    int // where it stands in the block's skeleton
	to      int
	marks   []int
}

// Block is a part of a reply that is released as a whole.
type Block struct {
	Claims []*Claim

	skeleton string
	marks    []mark
	places   [][]Place // of each mark
	table    bool
}

// Reply is what the blocks of one reply are judged by.
type Reply struct {
	Request string   // its numbers may be repeated
	Known   []string // more that may be repeated: messages of the conversation, what the request quotes
	Strict  bool     // it answers from documents: what cites nothing is marked
	Source  Source

	asked    []quantity
	terms    map[string]bool // of the request
	evidence []evidence
	sums     []sum
	results  []quantity // numbers that were computed, and hold
	stated   []quantity // numbers of claims with a citation
	pages    map[[2]int]*page
	heading  string
	scales   []int // that the reply says its numbers are counted in
}

// evidence is a place that was found, with what stands there.
type evidence struct {
	place     Place
	page      *page
	spans     [][2]int
	rows      []*row
	sentences []*sentence
	whole     bool // the page is cited, no words of it
}

// Add takes a block apart and looks up what it cites. Judge it after the blocks before it.
func (r *Reply) Add(written string) (*Block, error) {
	if r.pages == nil {
		r.pages = map[[2]int]*page{}
		_, r.asked = quantities(r.Request)
		r.terms = reading.TermSet(r.Request)
	}
	b := &Block{}
	for line := range strings.Lines(written) {
		if s := scaleOf(rank.Fold(line)); s >= 0 {
			r.scales = append(r.scales, s)
		}
	}
	b.skeleton, b.marks = marksOf(written, r.Source.Named)
	b.places = make([][]Place, len(b.marks))
	found := make([][]evidence, len(b.marks))
	missing := make([][]string, len(b.marks))
	last := cite{}
	for i, m := range b.marks {
		for _, c := range m.cites {
			if c.document == 0 && last.document > 0 {
				c.document = last.document
			} else if c.document == 0 && r.Source.Documents() == 1 {
				c.document = 1
			}
			last = c
			all, err := r.resolve(c)
			if err != nil {
				return nil, err
			}
			if len(all) == 0 && c.words != "" {
				missing[i] = append(missing[i], c.words)
			}
			found[i] = append(found[i], all...)
		}
	}
	r.split(b, found, missing)
	for _, c := range b.Claims {
		if err := r.point(c, b, found); err != nil {
			return nil, err
		}
	}
	for i := range found {
		for _, e := range found[i] {
			r.evidence = append(r.evidence, e)
			if e.place.Quote != "" {
				b.places[i] = append(b.places[i], e.place)
			}
		}
	}
	for _, c := range b.Claims {
		r.sums = append(r.sums, c.sums...)
		if c.cited {
			r.stated = append(r.stated, c.numbers...)
		}
	}
	return b, nil
}

// Again is a reply to the same request, from the same pages.
func (r *Reply) Again() *Reply {
	return &Reply{Request: r.Request, Known: r.Known, Strict: r.Strict, Source: r.Source, pages: r.pages, asked: r.asked, terms: r.terms}
}

// Cites reports whether anything that it cites was found.
func (r *Reply) Cites() bool { return len(r.evidence) > 0 }

// Concerns reports whether a block claims what one of some passages speaks of.
func (r *Reply) Concerns(b *Block, passages []string) bool {
	return slices.ContainsFunc(b.Claims, func(c *Claim) bool {
		terms := slices.DeleteFunc(reading.ContentTerms(c.Text), func(t string) bool { return strings.ContainsAny(t, "0123456789") })
		return !c.plain && slices.ContainsFunc(passages, func(p string) bool {
			if len(terms) > 0 && reading.Coverage(terms, p) >= alone {
				return true
			}
			_, have := quantities(p)
			return slices.ContainsFunc(c.numbers, func(q quantity) bool {
				return !q.isYear() && (q.unit != "" || q.digits > 12) && slices.ContainsFunc(have, func(h quantity) bool { return q.unit == h.unit && q.fits(h, -1) == fits })
			})
		})
	})
}

// point finds the words for a claim that cites a page without any: the row or sentence that is most like it.
func (r *Reply) point(c *Claim, b *Block, found [][]evidence) error {
	for _, i := range c.marks {
		for n := range found[i] {
			e := &found[i][n]
			if !e.whole || e.place.Quote != "" {
				continue
			}
			best, most := "", 0.0
			terms := reading.ContentTerms(c.Text + " " + c.context)
			for _, p := range r.contexts(*e) {
				share := 0.0
				for _, t := range terms {
					if holds(p.terms, t) {
						share += 1 / float64(len(terms))
					}
				}
				_, list := quantities(p.text)
				for _, q := range c.numbers {
					if !q.isYear() && slices.ContainsFunc(list, func(v quantity) bool { return q.fits(v, -1) == fits }) {
						share++
					}
				}
				if share > most {
					best, most = p.text, share
				}
			}
			if most < like {
				continue
			}
			place, ok, err := r.Source.Find(e.place.Document, e.place.Page, cutQuote(best))
			if err != nil {
				return err
			}
			if ok {
				e.place.Quote = place.Quote
				c.own = slices.Clone(c.own)
				for x := range c.own {
					if c.own[x].whole && c.own[x].place.Page == e.place.Page && c.own[x].place.Document == e.place.Document {
						c.own[x].place.Quote = place.Quote
					}
				}
			}
		}
	}
	return nil
}

// split cuts a block into its claims, each with the citations behind it; those of a paragraph's end are for all of it.
func (r *Reply) split(b *Block, found [][]evidence, missing [][]string) {
	var heads []string
	at := 0
	for line := range strings.Lines(b.skeleton) {
		bare := strings.TrimSpace(line)
		switch {
		case !isTableLine(bare), separator.MatchString(bare):
		case heads == nil:
			heads = cellsOf(bare)
		default:
			c := r.claim(bare, b, found, missing)
			c.from, c.to = at, at+len(line)
			if c.cells = heads; len(heads) > 0 {
				c.context = visible(cellsOf(bare)[0])
			}
			b.Claims = append(b.Claims, c)
		}
		at += len(line)
	}
	b.table = heads != nil
	if !b.table {
		at = len(itemStart.FindString(b.skeleton))
		for _, s := range sentencesOf(strings.ReplaceAll(b.skeleton[at:], "\n", " ")) {
			from := at
			if at += len(s); strings.TrimSpace(s) == "" {
				continue
			}
			c := r.claim(s, b, found, missing)
			c.from, c.to = from, at
			if headLine.MatchString(strings.TrimSpace(b.skeleton)) {
				r.heading = c.Text
				c.plain = true
			}
			c.context = r.heading
			b.Claims = append(b.Claims, c)
		}
	}
	// What follows the last claim, and citations of sentences to come, are for the claims before that have none.
	for i := len(b.Claims) - 2; i >= 0; i-- {
		c, next := b.Claims[i], b.Claims[i+1]
		if !c.cited && next.cited && !c.plain {
			c.own = append(c.own, next.own...)
		}
	}
	if b.table {
		r.below(b, found)
	}
}

// below hands the citations below a table, or in its header, to its rows.
func (r *Reply) below(b *Block, found [][]evidence) {
	used := map[rune]bool{}
	for line := range strings.Lines(b.skeleton) {
		if isTableLine(strings.TrimSpace(line)) {
			continue
		}
		for _, x := range line {
			used[x] = isPlaceholder(x)
		}
	}
	for x := range used {
		if used[x] {
			for _, c := range b.Claims {
				c.own = append(c.own, found[x-0xE000]...)
			}
		}
	}
}

func cellsOf(line string) []string {
	var cells []string
	for c := range strings.SplitSeq(strings.Trim(strings.TrimSpace(line), "|"), "|") {
		cells = append(cells, strings.TrimSpace(c))
	}
	return cells
}

// visible is a skeleton without placeholders and emphasis.
func visible(skeleton string) string {
	return strings.TrimSpace(strings.Map(func(x rune) rune {
		if isPlaceholder(x) || strings.ContainsRune("*`", x) {
			return -1
		}
		return x
	}, skeleton))
}

// claim reads a sentence with placeholders.
func (r *Reply) claim(skeleton string, b *Block, found [][]evidence, missing [][]string) *Claim {
	c := &Claim{Text: visible(skeleton)}
	var marks []mark
	for _, x := range skeleton {
		if !isPlaceholder(x) {
			continue
		}
		m := b.marks[x-0xE000]
		marks, c.marks = append(marks, m), append(c.marks, int(x-0xE000))
		c.cited = c.cited || len(m.cites) > 0
		c.own = append(c.own, found[x-0xE000]...)
		c.missing = append(c.missing, missing[x-0xE000]...)
	}
	c.folded, c.numbers = quantities(c.Text)
	c.sums = sumsIn(c.folded, marks)
	for _, e := range c.own {
		c.Places = append(c.Places, e.place)
	}
	c.plain = r.exempt(c)
	return c
}

// Text is a block as it is shown: with the number of each place in place of its citation, and without computations
// and citations in a form that nothing can check. Claims that leave says are to go are left out.
func (b *Block) Text(number func(Place) string, leave func(*Claim) bool) string {
	var out strings.Builder
	write := func(skeleton string) {
		for _, x := range skeleton {
			if !isPlaceholder(x) {
				out.WriteRune(x)
				continue
			}
			for _, p := range b.places[x-0xE000] {
				if n := number(p); !strings.HasSuffix(out.String(), n) {
					out.WriteString(n)
				}
			}
		}
	}
	at, left := 0, 0
	for _, c := range b.Claims {
		if leave(c) {
			if left++; at == 0 && !b.table && left < len(b.Claims) {
				write(b.skeleton[:c.from])
			} else if b.table {
				write(b.skeleton[at:c.from])
			}
			at = c.to
			continue
		}
		write(b.skeleton[at:c.to])
		at = c.to
	}
	if left > 0 && left == len(b.Claims) {
		return ""
	}
	write(b.skeleton[at:])
	return tidied.ReplaceAllString(broken.ReplaceAllString(out.String(), ""), "$1")
}

// Table reports whether it is one.
func (b *Block) Table() bool { return b.table }

var tidied = regexp.MustCompile(` +([.,;:])`)

// Outcome is that of its worst claim.
func (b *Block) Outcome() Outcome {
	worst := Plain
	for _, c := range b.Claims {
		worst = max(worst, c.Outcome)
	}
	return worst
}

// resolve finds a citation: its words, those nearly like them on its page, or the page itself.
func (r *Reply) resolve(c cite) ([]evidence, error) {
	if c.document < 1 || c.document > r.Source.Documents() || reading.DirectsAssistant(c.words) {
		return nil, nil
	}
	parts := c.parts()
	if len(parts) == 0 {
		p, err := r.page(c.document, c.page)
		if p == nil || err != nil || c.words != "" {
			return nil, err
		}
		return []evidence{{place: Place{Document: c.document, Page: c.page}, page: p, whole: true}}, nil
	}
	var all []evidence
	for _, words := range parts {
		place, ok, err := r.Source.Find(c.document, c.page, words)
		if err == nil && !ok {
			place, ok, err = r.snapped(c, words)
		}
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, nil
		}
		p, err := r.page(place.Document, place.Page)
		if err != nil {
			return nil, err
		}
		if p == nil {
			p = readPage(place.Document, place.Page, place.Quote, -1)
		}
		all = append(all, newEvidence(place, p))
	}
	for i := 1; i < len(all); i++ { // both sides of an ellipsis stand near one another
		if all[i].page != all[0].page && all[i].place.Page != all[0].place.Page+1 || all[i].page == all[0].page && !close(all[i-1].spans, all[i].spans) {
			return nil, nil
		}
	}
	return all, nil
}

const nearby = 1500 // letters and digits

func close(a, b [][2]int) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(x [2]int) bool {
		return slices.ContainsFunc(b, func(y [2]int) bool { return max(x[0]-y[0], y[0]-x[0]) < nearby })
	})
}

func newEvidence(place Place, p *page) evidence {
	e := evidence{place: place, page: p, spans: p.at(place.Quote)}
	for i := range p.rows {
		if covered(p.rows[i].from, p.rows[i].to, e.spans) {
			e.rows = append(e.rows, &p.rows[i])
		}
	}
	for i := range p.sentences {
		if covered(p.sentences[i].from, p.sentences[i].to, e.spans) {
			e.sentences = append(e.sentences, &p.sentences[i])
		}
	}
	if len(e.spans) == 0 { // over two pages, say
		e.sentences = append(e.sentences, &sentence{text: place.Quote})
	}
	return e
}

// page reads a page once, nil if there is none.
func (r *Reply) page(document, number int) (*page, error) {
	if p, ok := r.pages[[2]int{document, number}]; ok {
		return p, nil
	}
	if number < 1 {
		return nil, nil
	}
	text, err := r.Source.Text(document, number)
	if err != nil || strings.TrimSpace(text) == "" {
		return nil, err
	}
	above := -1
	if before, err := r.Source.Text(document, number-1); err == nil && number > 1 {
		for line := range strings.Lines(before) {
			if s := scaleOf(rank.Fold(line)); s >= 0 {
				above = s
			}
		}
	}
	p := readPage(document, number, text, above)
	r.pages[[2]int{document, number}] = p
	return p, nil
}

// alike is the share of a quote's words that a line must have to be taken for it.
const alike = 0.75

// snapped is the line of the cited page, or of its neighbours, that a quote means: nearly all its words, all its
// numbers, and no other negation.
func (r *Reply) snapped(c cite, words string) (Place, bool, error) {
	terms := rank.Terms(words)
	_, wanted := quantities(words)
	best, score := Place{}, 0.0
	for _, n := range []int{c.page, c.page - 1, c.page + 1} {
		p, err := r.page(c.document, n)
		if err != nil {
			return best, false, err
		}
		if p == nil || len(terms) < 3 {
			continue
		}
		try := func(text string, has map[string]bool, have []quantity) {
			hits := 0
			for _, t := range terms {
				if has[t] {
					hits++
				}
			}
			share := float64(hits) / float64(len(terms))
			all := !slices.ContainsFunc(wanted, func(q quantity) bool {
				return !slices.ContainsFunc(have, func(h quantity) bool { return q.Form == h.Form })
			})
			if share >= alike && share > score && all && denies(text) == denies(words) {
				best, score = Place{c.document, n, text}, share
			}
		}
		for i := range p.sentences {
			try(p.sentences[i].text, p.sentences[i].terms(), p.sentences[i].quantities())
		}
		for _, w := range p.rows {
			try(w.text, reading.TermSet(w.text), w.values)
		}
	}
	if score == 0 {
		return best, false, nil
	}
	return r.Source.Find(best.Document, best.Page, cutQuote(best.Quote))
}

// longestQuote is how many characters of a sentence are cited for a claim.
const longestQuote = 400

func cutQuote(text string) string {
	if utf8.RuneCountInString(text) > longestQuote {
		text = string([]rune(text)[:longestQuote])
		if i := strings.LastIndexByte(text, ' '); i > 0 {
			text = text[:i]
		}
	}
	return text
}

var (
	// caveat matches what says that a document does not say a thing, on folded text.
	caveat = regexp.MustCompile(`\b(?:(?:do(?:es)?|did|is|are|was|were|has|have|could|can)(?: ?n'?o?t|not) (?:\pL+ )?(?:say|state|mention|disclose|specify|indicate|stated|mentioned|disclosed|specified|quantif\w+|identif\w+|tell)|no (?:information|mention|figure|figures|data|details?|statement|breakdown|indication|passage|reference|evidence)\b|not (?:stated|mentioned|disclosed|specified|provided|given|reported|shown|available|found|addressed)|nothing (?:about|on|in)\b|silent (?:on|about)|(?:i|we) (?:did not|didn't|could not|couldn't|cannot|can't|do not|don't) (?:find|see|tell|determine|have|say|know)` +
		`|(?:nicht|keine?n?r?) .{0,60}(?:genannt|angegeben|erwahnt|aufgefuhrt|angaben?|hinweise?|beziffert)|(?:sagt|nennt|erwahnt|steht|geht) .{0,60}\b(?:nicht|nichts|keine?n?)\b.{0,60}(?:\.|$|daruber|dazu|hervor)` +
		`|ne (?:\pL+ )?(?:precise|mentionne|indique|dit|specifie)\w* (?:pas|rien|aucune?)|n'(?:indique|evoque|y a)\b.{0,20}\b(?:pas|rien|aucune?) (?:d'|de )?(?:information|mention|donnee|indication|chiffre|precision)?|aucune? (?:information|mention|donnee|indication|precision)` +
		`|no (?:se )?(?:indica|menciona|especifica|dice|detalla|figura|consta|precisa)\b)`)
	weakCaveat = regexp.MustCompile(`\b(?:do(?:es)?|did|is|are|was|were|has|have|could|can)(?: ?n'?o?t|not) (?:\pL+ )?(?:provide|give|contain|include|address|break|report|name|list|show|explain|cover|define|separate|provided|given|reported|shown|found|available|find|set out|see)\b` +
		`|\b(?:enthalt|gibt|finde|findet|macht|regelt|lasst)\b.{0,60}\b(?:nicht|nichts|keine?n?r?)\b|\bne (?:\pL+ )?(?:donne|contient|fournit|figure)\w* (?:pas|rien|aucune?)|\bn'apparai\w* pas|\bno (?:se )?(?:incluye|contiene|aparece|encuentr\w+|hay|ofrece|recoge)\b`)
	caveatPacked = regexp.MustCompile(`(?:記載|言及|記述|情報|説明|明記|提及|说明|記され|書かれ|示され|触れられ|開示)\S{0,10}(?:ない|ませ|ありません|されて|没有|沒有|なし)|(?:没有|沒有|未)(?:提到|提及|说明|說明|给出|披露|列出|包含)`)
	documentWord = regexp.MustCompile(`\b(?:document|filing|report|file|page|pages|text|excerpt|passages?|contract|lease|agreement|policy|table|statement|manual|it|they|dokument|bericht|datei|seite|vertrag|unterlagen?|auszug|text|document|rapport|fichier|contrat|bail|page|documento|informe|archivo|contrato|pagina|texto|tabla|d\d+|i|we|ich|je|es|there)\b|文書|資料|契約|書類|文件|報告`)
	reader       = regexp.MustCompile(`^(?:\W*)(?:let me|i |i'|if you|you asked|you can ask|feel free|tell me|would you|ich |soll ich|wenn (?:du|sie)|falls (?:du|sie)|je |j'|si vous|dites-moi|si quieres|si desea|puedo |dime |here (?:is|are)|hier (?:ist|sind)|voici|aqui |below is|the following|based on the|note that i|calculation|berechnung|calcul|calculo)`)
	filler       = regexp.MustCompile(`^\W*(?:yes|no|sure|certainly|ok(?:ay)?|ja|nein|gerne|oui|non|bien sur|si|はい|いいえ|是|否|summary|answer|in short|in summary|zusammenfassung|antwort|kurz|reponse|en resume|respuesta|resumen|to summari[sz]e)(?:[ ,]+(?:exactly|genau|correct|richtig|indeed))?\W*$`)
)

// exempt reports whether a sentence claims nothing: it is a heading, an intro, a question, a caveat, what the request
// said, or words to the reader.
func (r *Reply) exempt(c *Claim) bool {
	text := strings.TrimRight(c.Text, " *_\n")
	if !strings.ContainsFunc(text, unicode.IsLetter) && len(c.numbers) == 0 {
		return true
	}
	figures := slices.DeleteFunc(slices.Clone(c.numbers), func(q quantity) bool {
		return q.isYear() || q.isDate() || q.Name || q.word || q.Decimals == 0 && q.bare() && q.digits <= 12 && q.unit == ""
	})
	last := lastRune(strings.TrimRight(text, `"'”’»)`))
	request := strings.Trim(rank.Fold(r.Request), " .?!¿¡:")
	folded := strings.Trim(c.folded, " .?!*_:#>")
	switch {
	case filler.MatchString(c.folded):
		return true
	case strings.ContainsRune("?？؟", last):
		return true
	case strings.ContainsRune(":：", last) && len(figures) == 0:
		return true
	case len(figures) == 0 && !c.cited && (len(folded) > 3 && strings.Contains(request, folded) || reader.MatchString(c.folded)):
		return true
	case len(figures) == 0 && c.about():
		return true
	}
	return len(c.numbers) == 0 && !c.cited && !strings.ContainsRune(".!。！", last) && reading.TitleLike(strings.Trim(text, "*_# ")) && len(strings.Fields(text)) <= 6
}

// about reports whether a sentence says what a document does not say.
func (c *Claim) about() bool {
	if weak := weakCaveat.FindStringIndex(c.folded); weak != nil && documentWord.MatchString(c.folded[:weak[0]]) {
		return true
	}
	return caveatPacked.MatchString(c.Text) || caveat.MatchString(c.folded)
}
