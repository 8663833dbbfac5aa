// Command picture draws what a terminal shows as SVG; -light draws it on white. Its input is text with
// colour changes, as in
//
//	tmux capture-pane -e -p | go run ./bot/console/testdata/picture > bot/console/testdata/conversation.svg
package main

import (
	"bufio"
	"flag"
	"fmt"
	"html"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

const (
	cell   = 8.4 // pixels of one character at 14 px
	height = 20.0
	margin = 18.0
)

// look is how characters are drawn.
type look struct {
	fill, line        string // line is under or through them
	bold, dim, italic bool
}

// paper and ink are the terminal's own colours.
var paper, ink = "#1e2127", "#d7dae0"

func main() {
	light := flag.Bool("light", false, "dark on white")
	flag.Parse()
	if *light {
		paper, ink = "#ffffff", "#24292f"
	}
	var lines []string
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		lines = append(lines, strings.TrimRight(in.Text(), " "))
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var body strings.Builder
	columns := 0
	now := look{}
	for i, l := range lines {
		columns = max(columns, draw(&body, l, margin+height*float64(i+1)-5, &now))
	}
	w, h := 2*margin+cell*float64(columns), 2*margin+height*float64(len(lines))
	fmt.Printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14">
<rect width="100%%" height="100%%" rx="10" fill="%s"/>
%s</svg>
`, w, h, w, h, paper, body.String())
}

// draw draws one line and returns how many cells it takes.
func draw(out *strings.Builder, line string, y float64, now *look) int {
	column := 0
	for line != "" {
		if rest, ok := strings.CutPrefix(line, "\x1b["); ok {
			end := strings.IndexByte(rest, 'm')
			if end < 0 {
				break
			}
			now.change(rest[:end])
			line = rest[end+1:]
			continue
		}
		end := strings.IndexByte(line, '\x1b')
		if end < 0 {
			end = len(line)
		}
		text := line[:end]
		n := uniseg.StringWidth(text)
		if strings.TrimSpace(text) != "" {
			fmt.Fprintf(out, `<text x="%.1f" y="%.1f" textLength="%.1f" xml:space="preserve"%s>%s</text>`+"\n",
				margin+cell*float64(column), y, cell*float64(n), now.attributes(), html.EscapeString(text))
		}
		column += n
		line = line[end:]
	}
	return column
}

func (l look) attributes() string {
	fill, more := l.fill, ""
	if fill == "" {
		fill = ink
	}
	if l.bold {
		more += ` font-weight="bold"`
	}
	if l.italic {
		more += ` font-style="italic"`
	}
	if l.line != "" {
		more += ` text-decoration="` + l.line + `"`
	}
	if l.dim {
		more += ` opacity="0.6"`
	}
	return ` fill="` + fill + `"` + more
}

// change applies the parameters of one colour change.
func (l *look) change(parameters string) {
	p := strings.Split(parameters, ";")
	for i := 0; i < len(p); i++ {
		n, _ := strconv.Atoi(p[i]) // an empty one is 0
		switch {
		case n == 0:
			*l = look{}
		case n == 1:
			l.bold = true
		case n == 2:
			l.dim = true
		case n == 3 || n == 23:
			l.italic = n == 3
		case n == 4:
			l.line = "underline"
		case n == 9:
			l.line = "line-through"
		case n == 24 || n == 29:
			l.line = ""
		case n == 22:
			l.bold, l.dim = false, false
		case n == 39:
			l.fill = ""
		case n >= 30 && n <= 37:
			l.fill = color(n - 30)
		case n >= 90 && n <= 97:
			l.fill = color(n - 82)
		case (n == 38 || n == 48) && i+2 < len(p) && p[i+1] == "5":
			if c, err := strconv.Atoi(p[i+2]); err == nil && n == 38 {
				l.fill = color(c)
			}
			i += 2
		}
	}
}

// color is a colour of the terminal's 256.
func color(n int) string {
	base := []string{"#3f4451", "#e05561", "#8cc265", "#d18f52", "#4aa5f0", "#c162de", "#42b3c2", "#d7dae0",
		"#6b7280", "#ff616e", "#a5e075", "#f0a45d", "#4dc4ff", "#de73ff", "#4cd1e0", "#e6e6e6"}
	switch {
	case n < 16:
		return base[n]
	case n < 232:
		level := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
}
