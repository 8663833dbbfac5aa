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
	leastLead       = 22  // characters that one says at least
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

// mostSentences is how many sections of each of several documents are shown.
const mostSentences = 6

// sectionsOf are the parts of a document's pages, in order: those of its own headings, else those of lines that look like titles,
// of a text without titles its sentences.
func sectionsOf(pages []foundPage, given []docs.Heading) (all []section) {
	own := slices.DeleteFunc(slices.Clone(given), func(h docs.Heading) bool { return h.Level > 0 })
	lines := slices.DeleteFunc(slices.Clone(given), func(h docs.Heading) bool { return !names(h.Title) || !reading.TitleLike(h.Title) })
	for _, headings := range [][]docs.Heading{own, lines, titlesIn(pages)} {
		if all = sectionsUnder(pages, headings); len(all) >= leastOwn {
			return all
		}
	}
	if len(all) > 1 {
		return all
	}
	all = nil
	for _, p := range pages {
		heading := ""
		for _, s := range p.statements {
			if !leads(s) {
				continue
			}
			all = append(all, section{page: p.number, lead: s.Text, size: reading.Extent(s.Text)})
			if s.Heading != heading {
				heading, all[len(all)-1].title = s.Heading, s.Heading
			}
		}
	}
	return all
}

// titlesIn are the lines of pages that look like titles and do not stand on many of them, below the beginning of the text.
func titlesIn(pages []foundPage) (all []docs.Heading) {
	on := map[string]int{} // pages with a title
	for _, p := range pages {
		for _, l := range reading.TitleLines(p.text) {
			on[reading.FoldTitle(l)]++
		}
	}
	for _, p := range pages {
		if all == nil {
			all = []docs.Heading{{Page: p.number}}
		}
		at := 0
		for line := range strings.Lines(p.text) {
			title := strings.Trim(reading.CollapseSpace(line), "#*_ ")
			at += len(line)
			next, _ := utf8.DecodeRuneInString(strings.TrimSpace(p.text[at:]))
			if n := on[reading.FoldTitle(title)]; n > 0 && n <= 2 && reading.TitleLike(title) && names(title) && !unicode.IsLower(next) {
				all = append(all, docs.Heading{Title: title, Page: p.number, At: at - len(line), End: at})
			}
		}
	}
	return all
}

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
		if s.lead != "" && (s.title != "" || !s.spare) && !reading.HasPhrase(s.title, boilerplate) && !reading.HasPhrase(s.title, apparatus) {
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
	return !reading.HasPhrase(first, pointsBack) && strings.ContainsRune(".!。", last) && !strings.HasPrefix(sentence, "(") && !reading.HasPhrase(sentence, ofText)
}

// apparatus are the titles of parts that say nothing of the matter.
const apparatus = `signature|signatures|exhibits|exhibit index|contents|cover|index|unterschriften|inhalt|inhaltsverzeichnis|stichwortverzeichnis|sommaire|indice`

// ofText is what texts say of themselves.
const ofText = `unless the context|unless otherwise|the terms|following table|table below|refer to|refers to|references to|see note|see item|herein by reference|should be read|read in conjunction|this annual report|this report|this form|this document|in this section|is set forth|are set forth|discussed below|described below|is included in|not applicable|siehe|im folgenden|dieser bericht|ce rapport|ci dessous|este informe|a continuacion`

// names reports whether a title can say what a part is about. The end of a line in running text does not, nor do the heads
// of columns, nor what documents of a kind all begin with.
func names(title string) bool {
	words := rank.Words(title)
	if len(words) == 0 || reading.HasPhrase(title, boilerplate) || strings.HasSuffix(title, "-") || strings.ContainsAny(title, "☐☒□|\\$") || endsInFigure(title) ||
		strings.Count(title, "(") != strings.Count(title, ")") {
		return false
	}
	long := func(w string) bool {
		return utf8.RuneCountInString(w) >= 4 && !reading.AllDigits(w) || reading.Packed(w)
	}
	return slices.ContainsFunc(words, long) && !rank.Stop(words[len(words)-1])
}

// pointsBack are words of a sentence that continues the one before.
const pointsBack = `that|er|sie|es|il|elle|ella|however|consequently|they|it|this|these|those|rather|and|but|or|such`

// endsInFigure reports whether a line ends in a number or a dash, as the row of a table does, and not in a year or the number of
// a part.
func endsInFigure(title string) bool {
	words := strings.Fields(title)
	last := strings.Trim(words[len(words)-1], "()%*")
	year := len(last) == 4 && (strings.HasPrefix(last, "19") || strings.HasPrefix(last, "20"))
	return strings.Trim(last, "—–-") == "" || len(words) > 2 && strings.Trim(last, "0123456789,.") == "" && !year && numberedIn(title) == nil
}

// leads reports whether a statement can represent its section.
func leads(s reading.Statement) bool {
	return reading.Extent(s.Text) >= leastLead && utf8.RuneCountInString(s.Text) <= leadLength && !s.Row && !isTitle(s) && !strings.ContainsAny(s.Text[len(s.Text)-1:], ":,") && (reading.Prose(s.Text) || informs(s.Text)) &&
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
	if len(options) < 2 || r.settled != nil && r.asBefore(options) {
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
