package figures

import (
	"encoding/json"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// text is that of a file whose parts are lines, in one piece, with the place of each line.
type text struct {
	string
	starts []int // of the lines
	places []Place
}

var lineLabel = reading.Lazy(`^lines? (\d+)(?:–(\d+))?$`)

// textOf joins the parts of a file. The numbers of its lines are not known where the labels do not say them.
func textOf(f File) *text {
	var b strings.Builder
	t := new(text)
	last := -1 // line of the end of the part before
	for _, p := range f.Parts {
		number, known := 0, false
		if m := lineLabel.FindStringSubmatch(p.Label); m != nil {
			number, _ = strconv.Atoi(m[1])
			known = true
		}
		for line := range strings.SplitSeq(p.Text, "\n") {
			if known && number == last { // more of a long line
				b.WriteString(line)
			} else {
				if len(t.starts) > 0 {
					b.WriteByte('\n')
				}
				t.starts = append(t.starts, b.Len())
				t.places = append(t.places, Place{From: number, To: number, Part: p.Number, Quote: strings.TrimSpace(line)})
				b.WriteString(line)
			}
			if last = number; known {
				number++
			}
		}
	}
	t.string = b.String()
	return t
}

// at is the place of the line in which a byte stands.
func (t *text) at(offset int) Place {
	i := sort.SearchInts(t.starts, offset+1) - 1
	if i < 0 {
		return Place{}
	}
	return t.places[i]
}

func (t *text) lines(yield func(line string, at Place) bool) {
	for i, start := range t.starts {
		end := len(t.string)
		if i+1 < len(t.starts) {
			end = t.starts[i+1] - 1
		}
		if !yield(strings.TrimSpace(t.string[start:end]), t.places[i]) {
			return
		}
	}
}

// leaf is a value of JSON below the names that lead to it.
type leaf struct {
	path  []string
	value string
	at    int // offset
}

const (
	mostLeaves = 200_000
	mostNames  = 4 // that lead to a value
)

// leaves are the values of JSON text, those of lists and those below more names than any report has left out; nil for other
// text.
func leaves(s string) []leaf {
	if !strings.HasPrefix(strings.TrimSpace(s), "{") {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var all []leaf
	var path []string
	lists := 0
	key := true // the next string is one
	add := func(value string) {
		if lists == 0 && len(path) <= mostNames {
			all = append(all, leaf{slices.Clone(path), value, int(d.InputOffset()) - 1})
		}
	}
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil || len(all) > mostLeaves {
			return nil
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '[':
				lists++
			case ']':
				lists--
			case '{':
				if lists == 0 {
					path, key = append(path, ""), true
				}
				continue
			case '}':
				if lists == 0 {
					path = path[:len(path)-1]
				}
			}
			key = true
		case string:
			if lists == 0 && key {
				path[len(path)-1], key = v, false
				continue
			}
			add(v)
			key = true
		default:
			value, _ := token.(json.Number)
			add(string(value))
			key = true
		}
	}
}
