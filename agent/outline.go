package agent

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// The outline of a document: its sections with their pages, and the sentence each begins with.

const (
	outlineSections = 10  // shown of one document
	leadLength      = 260 // runes of a sentence shown at most
	leastLead       = 25  // characters that one says at least
)

// section is a part of a document under a title.
type section struct {
	title string
	page  int
	lead  string // its first self-contained sentence
	size  int    // how much it says in sentences
	spare bool   // no sentence can represent it: its lead is a row, or an item of a list
}

// boilerplate is what documents of a kind all say.
const boilerplate = `title of each class|united states|washington, d c|emerging growth company|current report|annual report pursuant|identification no|conference call|forward-looking|actual results may|actual results could|securities laws|securities exchange act|securities and exchange commission|non-gaap|all rights reserved|copyright|table of contents|disclaimer|no representation or warranty|indicate by check mark|incorporated by reference|unaudited|exhibit no|dollars in|in millions|in thousands|year ended|years ended|months ended|for immediate release|zukunftsgerichtet|alle rechte vorbehalten|tous droits reserves|todos los derechos reservados`

// leastOwn is how many sections a document has at least that divides itself.
const leastOwn = 3

// sectionsOf are the parts of a document's pages, in order: those of its own headings, else those of lines that look like titles,
// of a text without titles its sentences.
func sectionsOf(pages []foundPage, given []docs.Heading) []section {
	own := slices.DeleteFunc(slices.Clone(given), func(h docs.Heading) bool { return h.Level > 0 })
	if all := sectionsUnder(pages, own); len(all) >= leastOwn {
		return all
	}
	lines := slices.DeleteFunc(slices.Clone(given), func(h docs.Heading) bool { return !names(h.Title) || !reading.TitleLike(h.Title) })
	if all := sectionsUnder(pages, lines); len(all) >= leastOwn {
		return all
	}
	return sectionsByTitle(pages)
}

// allOf are the sentences of a text so short that they are its outline, nil of a longer one.
func allOf(pages []foundPage) (all []section) {
	if len(pages) != 1 {
		return nil
	}
	title := ""
	for _, st := range pages[0].statements {
		if isTitle(st) {
			title = strings.TrimLeft(st.Text, "#*_ ")
			continue
		}
		if st.Row || len(all) == mostSentences || reading.DirectsAssistant(st.Text) || utf8.RuneCountInString(st.Text) > leadLength {
			return nil
		}
		all = append(all, section{title: title, page: pages[0].number, lead: st.Text})
		title = ""
	}
	return all
}

// mostSentences is how many sentences a text has that is shown whole for an outline.
const mostSentences = 6

// sectionsUnder are the sections under headings, without those that say nothing.
func sectionsUnder(pages []foundPage, of []docs.Heading) (all []section) {
	for i, h := range of {
		s, told := section{title: strings.TrimRight(h.Title, ". "), page: h.Page}, false
		for _, p := range pages {
			from, to := 0, len(p.text)
			if p.number == h.Page {
				from = h.End
			}
			if i+1 < len(of) && of[i+1].Page == p.number {
				to = of[i+1].At
			}
			if p.number < h.Page || i+1 < len(of) && p.number > of[i+1].Page || from >= to {
				continue
			}
			for _, st := range reading.Statements(p.text[from:to], false) {
				s.mayBegin(p.number, st)
				if !leads(st) {
					continue
				}
				good := informs(st.Text)
				if good {
					s.size += reading.Extent(st.Text)
				}
				if s.lead == "" || s.spare || good && !told {
					s.lead, s.page, s.spare, told = st.Text, p.number, false, good
				}
			}
		}
		if s.lead != "" && !reading.HasPhrase(s.title, boilerplate) && !reading.HasPhrase(s.title, apparatus) {
			all = append(all, s)
		}
	}
	return all
}

// mayBegin takes the first text that can stand for a section without a sentence.
func (s *section) mayBegin(page int, of reading.Statement) {
	for _, t := range append([]string{of.Text}, of.Items...) {
		if t = strings.TrimLeft(t, itemMarks); s.lead == "" && t != "" && of.Header != of.Text && !reading.TitleLike(t) && !reading.HasLeader(t) && !strings.HasPrefix(t, "```") && utf8.RuneCountInString(t) <= leadLength {
			s.lead, s.page, s.spare = t, page, true
		}
	}
}

// itemMarks open an item of a list.
const itemMarks = "-•*–◦▪ "

// informs reports whether a sentence says something of its matter: it is whole, needs none before it, and is not about the text itself.
func informs(sentence string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(sentence, `"”»)’'`))
	first, _, _ := strings.Cut(sentence, " ")
	return !reading.HasPhrase(first, pointsBack) && strings.ContainsRune(".!。", last) && !abbreviated.MatchString(sentence) && !strings.HasPrefix(sentence, "(") && !reading.HasPhrase(sentence, ofText)
}

// abbreviated is a text that ends in a short form, so that its full stop says nothing.
var abbreviated = reading.Lazy(`(?i)\b(?:v|inc|ltd|corp|co|llc|no|st|ft|mr|mrs|dr|jr)\.$`)

// apparatus are the titles of parts that say nothing of the matter.
const apparatus = `signature|signatures|exhibits|exhibit index|contents|cover|index|unterschriften|inhalt|inhaltsverzeichnis|stichwortverzeichnis|sommaire|indice`

// ofText is what texts say of themselves.
const ofText = `unless the context|unless otherwise|the terms|following table|table below|refer to|refers to|references to|see note|see item|herein by reference|should be read|read in conjunction|this annual report|this report|this form|this document|in this section|is set forth|are set forth|discussed below|described below|is included in|not applicable|siehe|im folgenden|dieser bericht|ce rapport|ci dessous|este informe|a continuacion`

// sectionsByTitle are the parts of pages under lines that look like titles.
func sectionsByTitle(pages []foundPage) []section {
	on := map[string]int{} // pages with a title
	for _, p := range pages {
		for _, l := range reading.TitleLines(p.text) {
			on[reading.FoldTitle(l)]++
		}
	}
	var all []section
	open := section{}
	flush := func() {
		if open.lead != "" && (open.title != "" || !open.spare) {
			all = append(all, open)
		}
	}
	for _, p := range pages {
		for i, s := range p.statements {
			title := strings.TrimLeft(s.Text, "#*_ ")
			if isTitle(s) && on[reading.FoldTitle(title)] <= 2 && names(title) && !goesOn(p.statements, i) {
				flush()
				open = section{title: title, page: p.number}
				continue
			}
			if open.page == 0 {
				open.page = p.number
			}
			open.mayBegin(p.number, s)
			if leads(s) {
				if open.lead == "" || open.spare {
					open.lead, open.page, open.spare = s.Text, p.number, false
				}
				open.size += reading.Extent(s.Text)
			}
		}
	}
	if flush(); len(all) > 1 {
		return all
	}
	if short := allOf(pages); short != nil {
		return short
	}
	all = nil
	for _, p := range pages {
		for _, s := range p.statements {
			if leads(s) {
				all = append(all, section{page: p.number, lead: s.Text, size: saysMuch(s.Text)})
			}
		}
	}
	return all
}

// names reports whether a title can say what a part is about. The end of a line in running text does not, nor do the heads
// of columns, nor what documents of a kind all begin with.
func names(title string) bool {
	words := rank.Words(title)
	if len(words) == 0 || reading.HasPhrase(title, boilerplate) || strings.HasSuffix(title, "-") || strings.ContainsAny(title, "☐☒□|\\$") || endsInFigure(title) ||
		strings.Count(title, "(") != strings.Count(title, ")") {
		return false
	}
	long := false
	for i, w := range words {
		long = long || utf8.RuneCountInString(w) >= 4 && !reading.AllDigits(w) || strings.ContainsFunc(w, func(c rune) bool { return unicode.Is(unicode.Lo, c) })
		if n := len(words); i+3 < n && w == words[i+2] && words[i+1] == words[i+3] {
			return false // "Year Ended Year Ended"
		}
	}
	first, last := words[0], words[len(words)-1]
	if running := len(words) >= 4 && reading.HasPhrase(first, opensSentence) && strings.ToLower(title[1:]) == title[1:]; running || brokenWord.MatchString(title) ||
		strings.Count(title, "”") > strings.Count(title, "“") {
		return false
	}
	return long && !rank.Stop(last) && !reading.HasPhrase(last, hangs) && !(strings.HasSuffix(title, "’s") || strings.HasSuffix(title, "'s"))
}

// endsInFigure reports whether a line ends in a number or a dash, as the row of a table does, and not in a year or the number of
// a part.
func endsInFigure(title string) bool {
	words := strings.Fields(title)
	last := strings.Trim(words[len(words)-1], "()%*")
	if last == "—" || last == "–" || last == "-" {
		return true
	}
	return len(words) > 2 && strings.Trim(last, "0123456789,.") == "" && !year.MatchString(last) && !reading.HasPhrase(words[len(words)-2], numberedParts)
}

// numberedParts are words that a number follows in a title.
const numberedParts = `part|item|note|chapter|section|article|appendix|annex|exhibit|schedule|figure|table|step|phase|volume|version|no|teil|kapitel|abschnitt|artikel|anhang|anlage|nr|partie|chapitre|titre|annexe|parte|capitulo|seccion|articulo|anexo`

var year = reading.Lazy(`^(?:19|20)\d\d$`)

// opensSentence are words that a sentence begins with, and hardly a title.
const opensSentence = pointsBack + `|although|while|because|we|which|that|there`

// pointsBack are those of a sentence that continues the one before.
const pointsBack = `however|consequently|they|it|this|these|those|rather|and|but|or|such`

// hangs are words at the end of a line whose sentence continues on the next.
const hangs = `also|just|while|because`

// brokenWord is a word that ended a line with a hyphen.
var brokenWord = reading.Lazy(`\pL- \pL`)

// goesOn reports whether the statement after a line continues its sentence.
func goesOn(all []reading.Statement, i int) bool {
	if i+1 >= len(all) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(all[i+1].Text)
	return unicode.IsLower(first)
}

// saysMuch is how much a sentence says: its characters, and as many again if it holds a figure.
func saysMuch(sentence string) int {
	if strings.ContainsAny(sentence, "0123456789") {
		return 2 * reading.Extent(sentence)
	}
	return reading.Extent(sentence)
}

// leads reports whether a statement can represent its section.
func leads(s reading.Statement) bool {
	return reading.Extent(s.Text) >= leastLead && utf8.RuneCountInString(s.Text) <= leadLength && !s.Row && !isTitle(s) && !strings.ContainsAny(s.Text[len(s.Text)-1:], ":,") && reading.Prose(s.Text) &&
		!reading.DirectsAssistant(s.Text) && !reading.IsQuestion(s.Text) && !reading.HasLeader(s.Text) && !reading.HasPhrase(s.Text, boilerplate) &&
		(!s.Broken || unicode.IsUpper([]rune(s.Text)[0]) || unicode.Is(unicode.Lo, []rune(s.Text)[0]))
}

func choose(all []section, n int) []section {
	bySize := slices.SortedStableFunc(slices.Values(all), func(a, b section) int { return cmp.Compare(b.size, a.size) })
	bySize = bySize[:min(n, len(bySize))]
	return slices.DeleteFunc(all, func(s section) bool { return !slices.Contains(bySize, s) })
}

// outline is the outline of documents, each sentence cited; "" if nothing of them can be read.
func (r *run) outline(ctx context.Context, of library) (string, []docs.Citation, error) {
	var parts []string
	reply := &Reply{}
	for _, d := range of[:min(len(of), 6)] {
		pages, err := r.pagesOf(ctx, d, 1, manyPages)
		if err != nil {
			return "", nil, fmt.Errorf("read %s: %w", d.Name, err)
		}
		extent, err := r.extent(ctx, d)
		if err != nil {
			return "", nil, err
		}
		given, err := r.Index.Outline(ctx, d.ID)
		if err != nil {
			return "", nil, err
		}
		text, err := r.outlined(ctx, reply, d, extent, choose(sectionsOf(pages, given), max(mostSentences, outlineSections/len(of))))
		if err != nil {
			return "", nil, err
		}
		parts = append(parts, text)
	}
	if len(reply.Citations) == 0 {
		return "", nil, nil
	}
	return strings.Join(parts, "\n\n"), reply.Citations, nil
}

// outlined is the outline of a part of a document, each sentence cited.
func (r *run) outlined(ctx context.Context, reply *Reply, d *memory.Document, part string, all []section) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, r.say.outline, "**"+plainName(d.Name)+"**", plainName(part))
	for _, s := range all {
		s.lead = strings.TrimLeft(s.lead, itemMarks)
		if !showable(s.title, r.request) || !showable(s.lead, r.request) {
			continue
		}
		mark, place, err := r.cite(ctx, reply, d, s.page, s.lead)
		if err != nil {
			return "", err
		}
		if mark == "" {
			continue
		}
		switch title := strings.Trim(plainName(s.title), " *"); {
		case title == "":
			place = upperFirst(place)
		case strings.Contains(place, title): // its heading
			place = "**" + title + "**"
		default:
			place = "**" + title + "** (" + place + ")"
		}
		fmt.Fprintf(&b, "\n- %s: %s%s", place, fenceLinks(reading.Unhyphenate(s.lead)), mark)
	}
	return b.String(), nil
}

// whichSummary asks which of several documents is meant by words such as "the report"; nil when it is clear.
func (r *run) whichSummary() *memory.Question {
	if !r.mayAsk() || len(r.library) < 2 || !r.sums(r.request) || reading.HasPhrase(r.request, several) || len(r.library.named(r.request)) > 0 {
		return nil
	}
	if last := r.turn.Messages[len(r.turn.Messages)-1]; len(r.turn.New) == 1 && r.turn.New[0].MessageID == last.ID {
		return nil // it came with the request
	}
	words := documentWords(r.request)
	if words == "" && len(partsOf(withoutPhrases(r.request, summing), false)) > 0 {
		return nil // of something else
	}
	about := cmp.Or(words, strings.TrimRight(r.request, "?!. "))
	var options []memory.Option
	for _, d := range slices.Backward(r.library) { // the newest is the likeliest
		if len(options) < maxOptions && !slices.ContainsFunc(options, func(o memory.Option) bool { return o.Label == d.Name }) {
			options = append(options, memory.Option{Label: d.Name, Query: strings.TrimRight(r.request, "?!. ") + " " + d.Name})
		}
	}
	if len(options) < 2 {
		return nil
	}
	if r.settled != nil && r.asBefore(options) {
		return nil
	}
	r.understanding.Reason = fmt.Sprintf(r.say.because.manyDocs, about, len(r.library))
	return r.question(fmt.Sprintf(r.say.whichDoc, reading.Shorten(about, 100)), options)
}

const (
	several  = `all|both|each|every|documents|reports|files|contracts|offers|alle|beide|jedes|dokumente|berichte|vertrage|tous|toutes|les deux|chaque|documents|rapports|todos|todas|ambos|cada|documentos|informes`
	theNouns = `the|this|that|my|our|der|die|das|den|dem|diese|dieses|diesen|le|la|les|ce|cette|l'|el|este|esta`
	anyNouns = `document|documents|doc|docs|report|reports|file|files|pdf|pdfs|paper|attachment|dokument|bericht|datei|anhang|rapport|fichier|documento|informe|archivo`
	docNouns = anyNouns + `|contract|agreement|manual|handbook|presentation|filing|guide|offer|invoice|lease|letter|minutes|policy|vertrag|handbuch|angebot|rechnung|contrat|offre|facture|contrato|oferta|factura`
)

// AboutFile reports whether a request names a file, or speaks of any.
func AboutFile(request, name string) bool {
	kinds := anyNouns + "|attachments|archive|archives|dateien|anhange|archiv|fichiers|piece jointe|pieces jointes|archivos|adjunto|adjuntos"
	if ending := filepath.Ext(name); len(ending) > 1 {
		kinds += "|" + strings.ToLower(ending[1:])
	}
	return name != "" && strings.Contains(rank.Fold(request), rank.Fold(name)) ||
		reading.HasPhrase(request, kinds) || AboutPicture(request)
}

// documentWords are the words of a request that point at one document without its name: "the report"; "" for none.
func documentWords(request string) string {
	words := strings.Fields(request)
	for i, w := range words {
		if i > 0 && reading.HasPhrase(w, docNouns) {
			for j := i - 1; j >= max(0, i-2); j-- {
				if reading.HasPhrase(words[j], theNouns) {
					return strings.Trim(strings.Join(words[j:i+1], " "), "?!.,;:")
				}
			}
		}
	}
	return ""
}

func withoutPhrases(text, phrases string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool { return reading.HasPhrase(w, phrases) }), " ")
}
