package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"threadkeeper/agent"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory/reading"
)

// checkMarks stand before statements that were checked.
var checkMarks = map[agent.Finding]string{agent.NoClaim: " ", agent.Stands: "✓", agent.Differs: "✗", agent.NotFound: "?"}

var checkColors = map[agent.Finding]string{agent.Stands: green, agent.Differs: "\x1b[31m", agent.NotFound: yellow}

// checkedQuote is how many characters of a quote are shown.
const checkedQuote = 160

// WriteChecked shows a checked text, each statement with its mark and what the documents say about it, as wide as
// out is if that is a terminal. several means that there is more than one document.
func WriteChecked(out io.Writer, c *agent.Checked, several, color bool) error {
	s := &screen{color: color, width: func() int { return 80 }}
	if f, ok := out.(*os.File); ok {
		s.width = newScreen(f, color).width
	}
	w := bufio.NewWriter(out)
	block := 0
	for i, st := range c.Statements {
		if i > 0 && st.Block != block {
			fmt.Fprintln(w)
		}
		block = st.Block
		mark := checkMarks[st.Finding]
		if color {
			mark = checkColors[st.Finding] + mark + reset
		}
		text := strings.Join(wrapped(reading.Shorten(plain(st.Text), 2_000), s.width()-3), "\n  ")
		if head := strings.TrimLeft(text, "# "); head != text {
			text = s.strong(head)
		}
		fmt.Fprintln(w, strings.TrimSpace(mark+" "+text))
		if said := checkedLine(st, several); said != "" {
			fmt.Fprintln(w, "    "+s.faint(strings.Join(wrapped(said, s.width()-5), "\n    ")))
		}
	}
	fmt.Fprintf(w, "\n%d supported, %d contradicted, %d not found (%s)\n", c.Count(agent.Stands), c.Count(agent.Differs), c.Count(agent.NotFound), plain(c.By()))
	if c.Cut {
		fmt.Fprintln(w, "The text is too long to check at once: the text after this was not checked.")
	}
	return w.Flush()
}

// checkedLine is what the documents say of a statement.
func checkedLine(st agent.Statement, several bool) string {
	quote := "“" + reading.Excerpt(plain(st.At.Quote), st.Text, checkedQuote) + "”"
	page := plain(say.Place("en", st.At))
	if several {
		page = plain(st.At.Document) + ", " + page
	}
	switch {
	case st.Finding == agent.NoClaim, st.At.Page == 0 && st.Finding != agent.NotFound:
		return ""
	case st.Finding == agent.Stands:
		return page + ": " + quote
	case st.Finding == agent.Differs:
		return page + " says: " + quote
	case st.At.Page == 0:
		return "not found"
	}
	return "not found; nearest is " + page + ": " + quote
}

// checking is the event of /check: the last answer is checked, or the text of the file that args name.
func (s *Seat) checking(id, args string) (platform.Event, error) {
	const request = "check this"
	words, err := splitArgs(args)
	if err != nil || len(words) == 0 {
		return s.message(id, request, nil), err
	}
	files, err := attachments(words, id)
	if err != nil {
		return platform.Event{}, err
	}
	if len(files) != 1 {
		return platform.Event{}, errors.New("say one file with the answer: /check answer.md")
	}
	if files[0].Size > maxText {
		return platform.Event{}, fmt.Errorf("%s is larger than 4 MB", files[0].Name)
	}
	text, err := os.ReadFile(files[0].Locator)
	if err != nil {
		return platform.Event{}, err
	}
	if !utf8.Valid(text) || strings.TrimSpace(string(text)) == "" {
		return platform.Event{}, fmt.Errorf("%s has no text to check; a document is attached with /attach", files[0].Name)
	}
	return s.message(id, request+":\n"+string(text), nil), nil
}

// wrapped are the lines of a text, of at most so many cells each.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && ansi.StringWidth(line)+1+ansi.StringWidth(word) > width {
			lines, line = append(lines, line), ""
		}
		pieces := strings.Split(ansi.Hardwrap(strings.TrimPrefix(line+" "+word, " "), width, false), "\n")
		lines, line = append(lines, pieces[:len(pieces)-1]...), pieces[len(pieces)-1]
	}
	return append(lines, line)
}
