package slack

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

var update = flag.Bool("update", false, "write testdata/look anew")

// looks are posts of every kind, as testdata/look keeps them and testdata/picture
// draws them.
var looks = map[string]platform.Outgoing{
	"answer": {Kind: platform.KindReply, Nonce: "tk01", Feedback: true,
		Text: "The warranty lasts **three years** from the day of delivery [1]. It covers parts and labour, with two exceptions [2]:\n\n" +
			"- damage by liquids\n- wear of the battery below 80 %\n\nA claim goes to the office in Lyon, within 30 days [3].",
		Citations: []memory.Citation{
			{N: 1, Document: "warranty.pdf", Link: "https://threadworks.slack.com/files/U1/F1/warranty.pdf", Page: 6, Quote: "The warranty period is thirty-six (36) months from the date of delivery."},
			{N: 2, Document: "warranty.pdf", Link: "https://threadworks.slack.com/files/U1/F1/warranty.pdf", Page: 7, Quote: "This warranty does not extend to damage caused by liquids, nor to a battery whose capacity falls below 80 % of its nominal value through use"},
			{N: 3, Document: "Terms & conditions 2026.pdf", Page: 12, Quote: "Claims shall be sent to our office in Lyon within thirty days."},
		}},
	"eight-citations": {Kind: platform.KindReply, Nonce: "tk02", Feedback: true, Text: "Sales rose in every region [1–8].", Citations: eight()},
	"question": {Kind: platform.KindReply, Nonce: "tk03", Text: "Which contract do you mean?", Question: &platform.Question{Text: "Which contract do you mean?", Options: []platform.Button{
		{Label: "The lease of the office in Lyon", Action: "q:a:0"}, {Label: "The service contract with Acme", Action: "q:a:1"},
		{Label: "Something else", Action: "q:a:-3"}, {Label: "Just answer", Action: "q:a:-2"}}}},
	"error": {Kind: platform.KindError, Nonce: "tk04", Error: "overloaded", Text: "The model's service is having trouble at the moment. Please try again in a minute.",
		Buttons: []platform.Button{{Label: "Retry", Action: "retry"}}},
	"answered": {Kind: platform.KindReply, Nonce: "tk03", Text: "Which contract do you mean?\n\n→ The lease of the office in Lyon"},
	"status": {Kind: platform.KindCommand, Nonce: "tk05", Text: say.In("en").Gauge(11_520, 32_000) + "\n\n- Messages I have word for word: 18; older ones, as a summary: 42\n- Documents: 2\n    1. warranty.pdf – 14 pages\n    2. Terms & conditions 2026.pdf – 31 pages\n" +
		"- In numbers: 11,520 of 32,000 tokens\n    - instructions 1,204, summary 812, messages 10,708, documents 3,094; 20,480 free\n    - 21 requests\n    - Folds: 1\n        - 20 November 2026 14:05: messages 1 to 42, 14,210 → 812 tokens (model; over its threshold)\n    - Next: above 32,000 tokens, everything older than the latest requests is folded"},
	"threads": {Kind: platform.KindCommand, Nonce: "tk09", Text: "My conversations here, the latest first:\n\n" +
		"- [How long is the warranty?](https://threadworks.slack.com/archives/C1/p1) – memory 36 % full ▓▓▓░░░\n" +
		"- [Wie lange gilt die Garantie?](https://threadworks.slack.com/archives/C1/p2) – memory 3 % full ▓░░░░░"},
	"docs":   {Kind: platform.KindCommand, Nonce: "tk10", Text: "1. warranty.pdf – 14 pages, shared with the channel\n2. Terms & conditions 2026.pdf – 31 pages (in use)\n3. scan.pdf – not read: the pages are pictures without text"},
	"notice": {Kind: platform.KindNotice, Nonce: "tk11", Text: say.In("en").Notice},
	"german": {Kind: platform.KindReply, Nonce: "tk12", Feedback: true, Language: "de", Text: "**Bob:** Die Gewährleistung beträgt **drei Jahre** ab Lieferung [1].", Citations: []memory.Citation{
		{N: 1, Document: "Gewährleistung für Röstmaschinen.pdf", Link: "https://threadworks.slack.com/files/U1/F3/g.pdf", Page: 6, Quote: "Die Gewährleistungsfrist beträgt sechsunddreißig (36) Monate ab Lieferung."}}},
	"welcome": {Kind: platform.KindNotice, Nonce: "tk06", Text: say.In("en").Welcome + "\n\n" + say.In("en").Notice},
	"erased":  {Kind: platform.KindErased, Nonce: "tk07", Text: "[erased]"},
	"long": {Kind: platform.KindReply, Nonce: "tk08", Feedback: true, Text: "## Comparison\n\n| Year | Sales | Growth |\n|---|--:|--:|\n" + strings.Repeat("| 2025 | 1,204,000 | 9 % |\n", 300) +
		"\n## How it was computed\n\n```python\n" + strings.Repeat("total += row['sales'] * (1 + growth)\n", 200) + "```\n\nThat is all."},
}

func eight() []memory.Citation {
	var all []memory.Citation
	for n := range 8 {
		all = append(all, memory.Citation{N: n + 1, Document: fmt.Sprintf("report-%d.pdf", n/3+1), Link: fmt.Sprintf("https://threadworks.slack.com/files/U1/F%d", n/3+1),
			Page: 3*n + 2, Quote: fmt.Sprintf("In region %d, sales rose by %d percent over the year before.", n+1, n+3)})
	}
	return all
}

// home is a person's overview.
var home = platform.Home{
	Threads: []platform.HomeThread{
		{Channel: memory.Channel{Kind: memory.Public, Name: "purchasing"}, Title: "How long is the warranty?", Gauge: say.In("en").Gauge(11_520, 32_000), Post: ref{Channel: "C1", Messages: []string{"1795236923.475165"}}.String(), At: 1_795_236_923_000},
		{Channel: memory.Channel{Kind: memory.DM}, Title: "Wie lange gilt die Garantie?", Gauge: say.In("en").Gauge(811, 32_000), At: 1_795_236_001_000},
	},
	Documents: []platform.HomeDocument{{Name: "warranty.pdf", Pages: 14, Link: "https://threadworks.slack.com/files/U1/F1/warranty.pdf", At: 1_795_236_000_000}, {Name: "Terms & conditions 2026.pdf", Pages: 1, At: 1_795_235_000_000}},
}

// TestASourceOfAComparisonHasItsLetter, as in the text.
func TestASourceOfAComparisonHasItsLetter(t *testing.T) {
	c := memory.Citation{N: 2, Letter: "B", Document: "offer.pdf", Page: 6}
	if got := citationLine(c, "en"); got != "[B2] offer.pdf, page 6" {
		t.Errorf("got %q", got)
	}
}

// TestASourceKeepsItsUnderscores, which Slack would read as emphasis.
func TestASourceKeepsItsUnderscores(t *testing.T) {
	if got := citationLine(memory.Citation{N: 1, Document: "__init__.py", Page: 1, Place: "line 3"}, "en"); got != "[1] `__init__.py`, line 3" {
		t.Errorf("got %q", got)
	}
}

// TestManySourcesAreALineEach document, none left out: of a long comparison quotes would leave no room for the last ones.
func TestManySourcesAreALineEach(t *testing.T) {
	out := platform.Outgoing{Kind: platform.KindReply, Nonce: "tk1", Text: "Compared.", Feedback: true}
	for n := range 48 {
		out.Citations = append(out.Citations, memory.Citation{N: n + 1, Letter: string(rune('A' + n%8)), DocumentID: int64(n%8 + 1), Document: fmt.Sprintf("Offer of company %d.pdf", n%8),
			Link: fmt.Sprintf("https://threadworks.slack.com/archives/C0123456789/p17952%011d?thread_ts=1795236923.475165", n%8), Page: n + 2, Quote: strings.Repeat("The total price is due on delivery. ", 5)})
	}
	blocks, err := json.Marshal(render(out).extras())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"|Offer of company 0.pdf>: [A1] page 2 · [A9] page 10 · ", "|Offer of company 7.pdf>: [H8] page 9 · ", "[H48] page 49"} {
		want = strings.ReplaceAll(want, ">", `\u003e`)
		if !strings.Contains(string(blocks), want) {
			t.Errorf("%q is missing in %s", want, blocks)
		}
	}
}

// payload is what one message says on the wire; a page has blocks only.
type payload struct {
	Text   string           `json:"text,omitempty"`
	Blocks []slackapi.Block `json:"blocks"`
}

func TestLook(t *testing.T) {
	a := &Adapter{self: self{known: identity{User: "U1", URL: "https://threadworks.slack.com/"}}}
	all := map[string][]payload{"home": {{Blocks: a.homeBlocks(home, "U1")}}}
	for name, out := range looks {
		r := render(out)
		for i := range r.parts {
			all[name] = append(all[name], payload{r.text(i, formFull, maxText), r.blocks(i, formFull)})
		}
	}
	for name, parts := range all {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			e := json.NewEncoder(&got)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			if err := e.Encode(parts); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "look", name+".json")
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s looks different now; -update writes it anew, testdata/picture shows it\n%s", path, got.Bytes())
			}
		})
	}
}
