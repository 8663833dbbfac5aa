package discord

import (
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
