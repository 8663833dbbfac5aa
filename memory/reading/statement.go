package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Statement is a sentence, a row of a table or a list with its opening, as on the page
// except that white space is collapsed.
type Statement struct {
	Text    string
	Items   []string // of the list that text opens
	Heading string   // the title it stands under
	Header  string   // of a row: the line that names its columns
	Before  string   // the statement before it in the same paragraph
	Row     bool
	Broken  bool // begins or ends inside a sentence
}

// Quote returns the statement with its list.
func (s Statement) Quote() string {
	return strings.Join(append([]string{s.Text}, s.Items...), " ")
}

// Statements reads a page as statements, in order. Lined says that no sentence continues on the next line.
func Statements(text string, lined bool) []Statement {
	var all []Statement
	heading, header, before := "", "", ""
	rows := false
	open := -1 // the statement that a list may follow
	for _, b := range blocksOf(text, lined) {
		switch {
		case b.row:
			opens := strings.HasSuffix(b.text, "{") || strings.HasSuffix(b.text, "[")
			if opens || !jsonLine.MatchString(b.text) && (isHeader(b.text) && !(rows && columns.MatchString(header)) || !rows && !strings.ContainsAny(b.text, "0123456789")) {
				header = b.text
			}
			if opens {
				heading = b.text
			}
			rows = true
			all = append(all, Statement{Text: b.text, Heading: heading, Header: header, Row: true})
			open = -1
			continue
		case item.MatchString(b.text) && open >= 0 && fits(all[open], b.text) && (strings.HasSuffix(all[open].Text, ":") || !TitleLike(b.text)):
			all[open].Items = append(all[open].Items, b.text)
		case TitleLike(b.text):
			heading, header = strings.TrimLeft(b.text, "# "), b.text
		case !Prose(b.text):
			header = ""
		}
		before, rows = "", false
		for _, s := range paragraphSentences(b.text) {
			all = append(all, Statement{Text: s, Heading: heading, Before: before, Broken: isBroken(s)})
			before = s
		}
		if !item.MatchString(b.text) || strings.HasPrefix(b.text, "#") {
			open = -1
			if n := len(all) - 1; n >= 0 && (strings.HasSuffix(all[n].Text, ":") || all[n].Broken && !TitleLike(all[n].Text)) {
				open = n
			}
		}
	}
	return all
}

// QuoteLength is the most runes of a quoted statement.
const QuoteLength = 400

// fits reports whether a list may take one more item and still be quoted.
func fits(s Statement, item string) bool {
	return utf8.RuneCountInString(s.Quote())+utf8.RuneCountInString(item) < QuoteLength
}

func isBroken(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLower(first) || !strings.ContainsRune(`.!?…:。！？"'”’»)]`, last)
}

// block is a paragraph, a title, an item of a list or a row of a table.
type block struct {
	text string
	row  bool
}

// blocksOf joins the lines of a page into blocks. Cells that stand on lines of their own are
// joined to the row they belong to.
func blocksOf(text string, lined bool) []block {
	lines := joinObjects(JoinCells(strings.Split(text, "\n")))
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l))
	}
	var all []block
	var open []string
	table := isTable(lines)
	flush := func() {
		if len(open) > 0 {
			all = append(all, block{text: strings.Join(open, " ")})
			open = nil
		}
	}
	for _, l := range lines {
		running := len(open) > 0 && !endsSentence(open[len(open)-1])
		if l == "" || item.MatchString(l) || !running && (isRow(l) || TitleLike(l)) {
			flush()
		}
		switch {
		case !strings.ContainsFunc(l, isWordRune):
		case table:
			all = append(all, block{text: l, row: true})
		case len(open) == 0 && isRow(l):
			all = append(all, block{text: l, row: true})
		default:
			open = append(open, l)
			if lined || utf8.RuneCountInString(l)*10 < width*6 || ofProgram(l) {
				flush()
			}
		}
	}
	flush()
	return all
}

// ofProgram reports whether a line ends as those of programs do, and is no prose with a semicolon at its end.
func ofProgram(l string) bool {
	return strings.HasSuffix(l, "{") || strings.HasSuffix(l, "}") || strings.HasSuffix(l, ";") && (strings.ContainsAny(l, "=()[]") || strings.Count(l, " ") < 4)
}

// joinObjects makes one line of the values of a JSON object that holds only values, if it can be quoted whole.
func joinObjects(lines []string) []string {
	var all []string
	for i := 0; i < len(lines); i++ {
		all = append(all, lines[i])
		if !strings.HasSuffix(lines[i], "{") {
			continue
		}
		values := slices.IndexFunc(lines[i+1:], func(l string) bool {
			return !jsonLine.MatchString(l) || strings.HasSuffix(l, "{") || strings.HasSuffix(l, "[")
		})
		if values > 1 && strings.HasPrefix(lines[i+1+values], "}") {
			if object := strings.Join(lines[i+1:i+1+values], " "); utf8.RuneCountInString(object) <= QuoteLength {
				all = append(all, object)
				i += values
			}
		}
	}
	return all
}

func endsSentence(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(`.!?:。！？`, last)
}

const cellLabel = 90 // characters of a row's first cell at most

// JoinCells collapses white space and joins lines that are only figures to the label above them. The page number,
// on the first or last line, is left out.
func JoinCells(lines []string) []string {
	var all []string
	joining := false
	for i, l := range lines {
		l = CollapseSpace(l)
		if AllDigits(l) && len(l) <= 4 && (strings.TrimSpace(strings.Join(lines[:i], "")) == "" || strings.TrimSpace(strings.Join(lines[i+1:], "")) == "") {
			l = ""
		}
		if n := len(all) - 1; n >= 0 && all[n] != "" && isCell(l) && (joining || utf8.RuneCountInString(all[n]) <= cellLabel && !endsSentence(all[n])) {
			all[n] += " " + l
			joining = true
			continue
		}
		all = append(all, l)
		joining = false
	}
	return all
}

// isCell reports whether a line is only figures, and no line of years.
func isCell(l string) bool {
	return l != "" && !yearLine.MatchString(l) && !strings.Contains(l, "|") && utf8.RuneCountInString(l) <= 40 && strings.ContainsAny(l, "0123456789$€£—–-") && !strings.ContainsFunc(l, unicode.IsLetter)
}

var yearLine = Lazy(`^(?:19|20)\d\d(?: (?:19|20)\d\d)+$`)

// isRow reports whether a line is a row of a table: words and two figures or more, too many of
// them for a sentence; or cells with marks between them.
func isRow(l string) bool {
	if strings.Count(l, "|") >= 2 || strings.Count(l, "\t") >= 2 || jsonLine.MatchString(l) {
		return true
	}
	fields := strings.Fields(l)
	figures := 0
	for i, f := range fields {
		if i == 0 && strings.HasSuffix(f, ".") { // "3. Fees for 2026"
			continue
		}
		if strings.ContainsAny(f, "0123456789") && !strings.ContainsFunc(f, unicode.IsLetter) {
			figures++
		}
	}
	return figures >= 2 && figures*10 >= len(fields)*3 && !endsSentence(l)
}

var jsonLine = Lazy(`^"[^"]+"\s*:`)

func isWordRune(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// isTable reports whether the lines of a page have cells: as many separators each as the first.
func isTable(lines []string) bool {
	for _, mark := range []string{";", ",", "|"} {
		cells, alike, filled := strings.Count(inQuotes.ReplaceAllString(lines[0], "x"), mark), 0, 0
		for _, l := range lines {
			l = inQuotes.ReplaceAllString(l, "x")
			if l != "" {
				filled++
			}
			if strings.Count(l, mark) == cells {
				alike++
			}
		}
		if cells >= 1 && filled >= 2 && alike*10 >= filled*9 && !endsSentence(lines[0]) {
			return true
		}
	}
	return false
}

// inQuotes matches a cell in quotation marks, which may hold separators.
var inQuotes = Lazy(`"(?:[^"]|"")*"`)

// Extent returns how much a text says: letters of scripts with a sign for each syllable or word count
// as three.
func Extent(s string) int { return max(utf8.RuneCountInString(s), len(s)*2/3) }

var yearOnly = Lazy(`(?:^|[\s,;|])(?:19|20)\d\d(?:$|[\s,*(])`)

// isHeader reports whether a row names columns: its figures are years.
func isHeader(row string) bool {
	years := len(yearOnly.FindAllString(strings.ReplaceAll(row, " ", "  "), -1))
	return years >= 2 && years*2 >= len(Figure.FindAllString(row, -1))
}

// columns matches names of columns without years: in the rows below them, years are values.
var columns = Lazy(`^\D*(?:[;|]|,\S)\D*$`)

// Figure matches a number as it is written.
var Figure = Lazy(`\d[\d.,]*`)

// HasLeader reports whether a line has the dots of a table of contents.
func HasLeader(text string) bool { return leader.MatchString(text) }

var leader = Lazy(`\.{4,}|(?:\. ){3,}|…{2,}|_{4,}`)

var lineHyphen = Lazy(`(\pL)[-‐] (\p{Ll}+)`)

// suspended are words before which a hyphen stands for the rest of a compound: "short- and long-term".
var suspended = WordSet(`and or to und oder bis et ou y o e en of`)

// Unhyphenate joins words that were divided at the end of a line.
func Unhyphenate(s string) string {
	return lineHyphen.ReplaceAllStringFunc(s, func(m string) string {
		part := lineHyphen.FindStringSubmatch(m)
		if suspended[part[2]] {
			return m
		}
		return part[1] + part[2]
	})
}
