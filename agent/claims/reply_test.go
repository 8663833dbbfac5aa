package claims

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"threadkeeper/memory/reading"
)

// shelf is a Source over documents of a test: each a name and its pages.
type shelf []struct {
	name  string
	pages []string
}

func (s shelf) Documents() int { return len(s) }

func (s shelf) Text(document, page int) (string, error) {
	if document < 1 || document > len(s) || page < 1 || page > len(s[document-1].pages) {
		return "", nil
	}
	return s[document-1].pages[page-1], nil
}

func (s shelf) Named(name string) int {
	for i, d := range s {
		if n := reading.Squash(name); len(n) > 5 && strings.HasPrefix(reading.Squash(d.name), n) {
			return i + 1
		}
	}
	return 0
}

func (s shelf) Find(document, page int, words string) (Place, bool, error) {
	if document < 1 || document > len(s) {
		return Place{}, false, nil
	}
	for away := range len(s[document-1].pages) + page {
		for _, n := range []int{page - away, page + away} {
			text, _ := s.Text(document, n)
			if q := reading.Squash(words); q != "" && strings.Contains(reading.Squash(text), q) {
				return Place{document, n, words}, true, nil
			}
		}
	}
	return Place{}, false, nil
}

// readShelf reads testdata/documents.txt by short name.
func readShelf(t *testing.T) map[string]shelf {
	data, err := os.ReadFile("testdata/documents.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]shelf{}
	for _, part := range strings.Split(string(data), "=== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		short, name, _ := strings.Cut(head, " ")
		pages := strings.Split(body, "--- ")[1:]
		for i := range pages {
			_, pages[i], _ = strings.Cut(pages[i], "\n")
		}
		all[short] = shelf{{name, pages}}
	}
	return all
}

func play(t *testing.T, source Source, request, reply string, chunk int) (blocks []*Block, shown string) {
	t.Helper()
	return playOn(t, nil, source, request, reply, chunk)
}

// playOn plays a reply on pages that were read before; nil for none.
func playOn(t *testing.T, pages map[[2]int]*reading.Page, source Source, request, reply string, chunk int) (blocks []*Block, shown string) {
	t.Helper()
	r := &Reply{Request: request, Source: source, Strict: true}
	if r.begin(); pages != nil {
		r.pages = pages
	}
	var queue []*Block
	judge := func(whole bool) {
		for len(queue) > 0 && !r.Judge(queue[0], whole) {
			shown += queue[0].Text(func(p Place) string { return fmt.Sprintf("[%d.%d]", p.Document, p.Page) }, func(*Claim) bool { return false }, nil)
			queue = queue[1:]
		}
	}
	buffer := ""
	for from := 0; from < len(reply); from += chunk {
		to := min(len(reply), from+chunk)
		buffer += reply[from:to]
		for buffer != "" {
			n := NextBlock(buffer, to == len(reply))
			if n == 0 {
				break
			}
			b, err := r.Add(buffer[:n])
			if err != nil {
				t.Fatal(err)
			}
			buffer = buffer[n:]
			blocks, queue = append(blocks, b), append(queue, b)
			judge(false)
		}
	}
	judge(true)
	return blocks, shown
}

func worst(blocks []*Block) (o Outcome) {
	for _, b := range blocks {
		o = max(o, b.Outcome())
	}
	return o
}

// Right replies come through whole and unmarked, wrong ones are contradicted or marked, and nothing is lost on the way.
func TestReplies(t *testing.T) {
	data := ""
	for _, name := range []string{"replies.txt", "held-out.txt", "everyday.txt", "kinds.txt", "roles.txt"} {
		file, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		data += string(file) + "\n"
	}
	shelves, read := readShelf(t), map[string]map[[2]int]*reading.Page{}
	var right, wrong, whole, caught, contradicted, lost int
	for i, part := range strings.Split("\n"+strings.TrimSpace(data), "\n=== ")[1:] {
		head, reply, _ := strings.Cut(part, "\n")
		reply = strings.TrimSpace(reply)
		fields := strings.Split(head, " | ")
		var source shelf
		for name := range strings.FieldsSeq(fields[1]) {
			source = append(source, shelves[name]...)
		}
		if read[fields[1]] == nil {
			read[fields[1]] = map[[2]int]*reading.Page{}
		}
		blocks, shown := playOn(t, read[fields[1]], source, fields[2], reply, len(reply))
		if i%5 == 0 {
			if _, again := playOn(t, read[fields[1]], source, fields[2], reply, 7); again != shown {
				t.Errorf("in chunks another text is shown:\n%s\n%s", again, shown)
			}
		}
		skeleton, _ := marksOf(reply, source.Named)
		if strings.Count(reading.Squash(skeleton), "") > strings.Count(reading.Squash(workings.ReplaceAllString(shown, "")), "") {
			lost++
			t.Errorf("lost: %s\nshown: %s", reply, shown)
		}
		var list []string
		found := Plain
		for _, b := range blocks {
			for _, c := range b.Claims {
				list = append(list, fmt.Sprintf("   %v %+v: %s", c.Outcome, c.Reason, c.Text))
				if len(fields) < 4 || strings.Contains(c.Text, fields[3]) {
					found = max(found, c.Outcome)
				}
			}
		}
		switch fields[0] {
		case "right":
			if right++; worst(blocks) <= Verified {
				whole++
			} else {
				t.Logf("right, but:\n%s\n%s", reply, strings.Join(list, "\n"))
			}
		case "wrong":
			wrong++
			switch found {
			case Contradicted:
				contradicted++
				caught++
			case Unchecked:
				caught++
			default:
				t.Logf("wrong, but:\n%s\n%s", reply, strings.Join(list, "\n"))
			}
		}
	}
	t.Logf("right: %d, whole and unmarked %.3f; wrong: %d, contradicted or marked %.3f (contradicted %d); lost %d",
		right, float64(whole)/float64(right), wrong, float64(caught)/float64(wrong), contradicted, lost)
	if float64(whole) < 0.935*float64(right) || float64(caught) < 0.765*float64(wrong) || lost > 0 {
		t.Error("the checks are worse than they were")
	}
}

// workings matches computations as people see them.
var workings = regexp.MustCompile(`\(= [\d\s.,+×/−–^()$€£%-]*\)`)

// What people said may be computed with, and today may be named.
func TestEarlierMessagesAreKnown(t *testing.T) {
	source := shelf{{"clinic.txt", []string{"The body mass index is weight divided by height squared, as of 3 March 2025."}}}
	for text, want := range map[string]Outcome{
		`Your body mass index is 26.1 [= 81 / 1.76^2] [d1 p1 "The body mass index is weight divided by height squared"].`:                                                       Verified,
		`Your body mass index is 27.1 [= 84 / 1.76^2] [d1 p1 "The body mass index is weight divided by height squared"].`:                                                       Unchecked,
		`As of 24 November 2026 the body mass index is weight divided by height squared [d1 p1 "The body mass index is weight divided by height squared, as of 3 March 2025"].`: Verified,
	} {
		r := &Reply{Request: "1.76 m", Known: []string{"I weigh 81 kg", "24 November 2026"}, Strict: true, Source: source}
		b, err := r.Add(text)
		if err != nil {
			t.Fatal(err)
		}
		if r.Judge(b, true); b.Outcome() != want {
			t.Errorf("%s: %v, want %v: %+v", text, b.Outcome(), want, b.Claims[0].Reason)
		}
	}
}

func TestSpacesInFrontOfSignsStay(t *testing.T) {
	if _, shown := play(t, shelf{}, "", "La Sécurité sociale ; les impôts : oui [d1p4] .\n", 1000); shown != "La Sécurité sociale ; les impôts : oui.\n" {
		t.Errorf("shown %q", shown)
	}
}

// What is left out at the end of an item takes no line break along.
func TestAnItemEndsItsLine(t *testing.T) {
	source := shelf{{"Harbour.txt", []string{"The harbour has 12 berths and 3 cranes."}}}
	const text = "- It has 12 berths [d1 p1 \"The harbour has 12 berths\"]. It has 40 cranes [d1 p1 \"12 berths and 3 cranes\"].\n- It has 3 cranes [d1 p1 \"12 berths and 3 cranes\"].\n"
	blocks, _ := play(t, source, "", text, len(text))
	shown := ""
	for _, b := range blocks {
		shown += b.Text(func(Place) string { return "" }, func(c *Claim) bool { return c.Outcome == Contradicted }, nil)
	}
	if shown != "- It has 12 berths.\n- It has 3 cranes.\n" {
		t.Errorf("%q", shown)
	}
}

func TestAComputationThatIsNotShownLeavesNoGap(t *testing.T) {
	_, shown := play(t, shelf{}, "", "Twelve is 3.0 times [= 12 / 4] four [= 2 + 2], and more.\n", 1000)
	if want := "Twelve is 3.0 times four, and more.\n"; shown != want {
		t.Errorf("shown %q, want %q", shown, want)
	}
}

// A reader sees what a figure was computed from: beside it, or in brackets behind it.
func TestAComputationIsShownUnlessItsNumbersStandBesideIt(t *testing.T) {
	for text, want := range map[string]string{
		"The average is $43,762.5 million [= (43,742+43,783)/2].":                                  "The average is $43,762.5 million (= (43,742 + 43,783) / 2).",
		"The average of $43,742 and $43,783 million is $43,762.5 million [= (43,742 + 43,783)/2].": "The average of $43,742 and $43,783 million is $43,762.5 million.",
		"It takes 93.9 days[= 365*29,980/116,517] to pay.":                                         "It takes 93.9 days (= 365 × 29,980 / 116,517) to pay.",
		"It grew by 12 % [= approved by the board, 1,200 / 10,000].":                               "It grew by 12 %.",
	} {
		if _, shown := play(t, shelf{}, "", text, 1000); shown != want {
			t.Errorf("shown %q, want %q", shown, want)
		}
	}
}

// TestInPlainTalkOnlyTheSumIsChecked: no document has the numbers.
func TestInPlainTalkOnlyTheSumIsChecked(t *testing.T) {
	for text, want := range map[string]Outcome{
		"260 units at 31 EUR each are 8,060 EUR [= 260 * 31].": Plain,
		"260 units at 31 EUR each are 8,600 EUR [= 260 * 31].": Contradicted,
		"260 units at 31 EUR each are 8,600 EUR.":              Plain,
	} {
		r := &Reply{Source: shelf{}}
		b, err := r.Add(text)
		if err != nil {
			t.Fatal(err)
		}
		if r.Judge(b, true); b.Outcome() != want {
			t.Errorf("%s: %v, want %v", text, b.Outcome(), want)
		}
	}
}
