package discord

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestCitationsAreSmallPrint(t *testing.T) {
	m := platform.Outgoing{Nonce: "tk", Kind: platform.KindReply, Text: "Three years [1].", Feedback: true, Citations: []memory.Citation{
		{N: 1, Document: "re_port[1].pdf", Link: "https://discord.com/channels/1/2/3", Page: 6, Quote: "lasts *three*\nyears"},
		{N: 2, Document: "notes.txt", Link: "javascript:alert(1)", Page: 1},
		{N: 3, Letter: "B", Document: "re_port[1].pdf", Page: 6, Quote: "again"}}}
	all := render(m, mark{})
	want := "Three years [1].\n\n" +
		"-# [1] [re\\_port\\[1\\].pdf, page 6](https://discord.com/channels/1/2/3) · “lasts \\*three\\* years”\n" +
		"-# [2] notes.txt, page 1\n-# [B3] re\\_port\\[1\\].pdf, page 6 · “again”"
	if all[0].Content != want {
		t.Errorf("got\n%s\nwant\n%s", all[0].Content, want)
	}
	var ids []string
	for _, row := range buttons(t, all[0]) {
		ids = append(ids, strings.Join(row, " "))
	}
	if got := strings.Join(ids, " | "); got != "page:tk:1 page:tk:2 fb:tk:helpful fb:tk:unhelpful" {
		t.Errorf("buttons %s", got)
	}
}

// TestManySourcesAreALineForEachDocument: those of a long comparison or summary would fill message after message.
func TestManySourcesAreALineForEachDocument(t *testing.T) {
	var all []memory.Citation
	for n := range 40 {
		all = append(all, memory.Citation{N: n + 1, Letter: string(rune('A' + n%8)), DocumentID: int64(n%8 + 1), Document: fmt.Sprintf("Offer %d.pdf", n%8),
			Link: fmt.Sprintf("https://discord.com/channels/1/2/%d", n%8), Page: n + 2, Quote: strings.Repeat("The total price is due on delivery. ", 5)})
	}
	text := sources(all, "en")
	if first := "\n\n-# [Offer 0.pdf](https://discord.com/channels/1/2/0): [A1] page 2 · [A9] page 10 · [A17] page 18 · [A25] page 26 · [A33] page 34\n-# [Offer 1.pdf]("; !strings.HasPrefix(text, first) || !strings.Contains(text, "[H40] page 41") || strings.Contains(text, "due on") {
		t.Error(text)
	}
	if few := sources(all[:10], "en"); strings.Count(few, "due on delivery") < 10 {
		t.Error(few)
	}
}
