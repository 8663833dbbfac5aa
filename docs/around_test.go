package docs

import (
	"slices"
	"strings"
	"testing"
)

// What is shown around words: neighbours, but no long ones, and the head of a table however far above.
func TestAround(t *testing.T) {
	long := strings.Repeat("far too long to help ", 20)
	page := "Harbour report\n\nA\nB\nThe quay was\npainted in May.\n" + long + "\nBalance sheet\n(in thousands)\n2024 2023\nCash 1,200 900\nShips 4,000 3,800\nCranes 2,100 2,200\nLand 9,000 9,000\nTotal assets 16,300 15,900\nEnd"
	for words, want := range map[string]string{
		"The quay was painted in May.": "A|B|The quay was|painted in May.",
		"Total assets 16,300":          "Balance sheet|(in thousands)|2024 2023|Cranes 2,100 2,200|Land 9,000 9,000|Total assets 16,300 15,900|End",
		"The quay was sold.":           "",
		"…":                            "",
	} {
		var shown []string
		for _, n := range Around(page, words) {
			shown = append(shown, strings.Split(page, "\n")[n])
		}
		if got := strings.Join(shown, "|"); got != want {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
	if all := Around(page, page); !slices.Contains(all, 0) || !slices.Contains(all, strings.Count(page, "\n")) {
		t.Errorf("of a whole page: %v", all)
	}
}
