package docs

import (
	"strings"
	"testing"
)

func TestReadHTML(t *testing.T) {
	tests := []struct{ name, page, want string }{
		{"paragraphs", "<!doctype html><title>Plan</title><h1>One</h1><p>Two\n <b>three</b>,four</p>five<br>six", "Plan\n\nOne\n\nTwo three,four\n\nfive\nsix"},
		{"a title that is the heading", "<!doctype html><title>Leave\n policy</title><h1>Leave <i>policy</i></h1><p>28 days", "Leave policy\n\n28 days"},
		{"lists", "<ul><li>a<li>b <a href='https://x.example/'>c</a></ul>", "- a\n- b c"},
		{"tables", "<table><tr><th>Item<th>Price<tr><td><p>Roaster</p><p>new</p><td>38&nbsp;700</table>", "Item | Price |\nRoaster new | 38\u00a0700 |"},
		{"code", "<pre>if x {\n\ty()\n}</pre>", "if x {\n\ty()\n}"},
		{"scripts and styles", "a<script>document.write('x')</script><style>p{}</style><template>t</template><noscript>n</noscript>b", "ab"},
		{"hidden", "<p>seen<p hidden>1<p style='display : NONE'>2</p><span style='opacity:0'>3</span><span style='opacity:0.9'>faint</span><div style=visibility:hidden>4</div><dialog>5</dialog>", "seen\n\nfaint"},
		{"hidden by size, colour and place", "<p>seen<p style='font-size:1px'>1<p style='color: transparent'>2<p style='position:absolute; left:-9999px'>3<p style='clip:rect(0,0,0,0)'>4<p style='font-size:1.2em; left:-2px; opacity:.5'>too", "seen\n\ntoo"},
		{"hidden inside", "<div style='display:none'><p>1</p><div>2</div></div>after", "after"},
		{"a filled form", "<label>Name <input value='Ada'></label><input type=hidden value=secret><input type=password value=pw>", "Name Ada"},
		{"comments", "a<!-- b -->c", "ac"},
		{"invisible characters", "pass\u200bword", "password"},
		{"no markup", "just text", "just text"},
	}
	for _, tt := range tests {
		text, _, err := readHTML(tt.page)
		if got := clean(text); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestReadHTMLIsBounded(t *testing.T) {
	_, _, err := readHTML(strings.Repeat("<div>", 100_000))
	is(t, err, ErrDamaged)
	_, _, err = readHTML(strings.Repeat("x", maxHTML+1))
	is(t, err, ErrTooLarge)
}

func TestAPageOfTheWebIsKnown(t *testing.T) {
	page := "<!DOCTYPE html><html><body>x"
	for name, want := range map[string]kind{"a.html": kindHTML, "a.HTM": kindHTML, "page": kindHTML, "a.md": kindText, "a.vue": kindText, "a.txt": kindText} {
		if got, err := kindOf([]byte(page), name, ""); got != want || err != nil {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	if got, _ := kindOf([]byte("<p>x"), "download", "text/html; charset=utf-8"); got != kindHTML {
		t.Errorf("by its media type it is %s", got)
	}
}

// TestADateAndALinkAreTwoWords, though a page has no white space between them; a mark behind a link belongs to it.
func TestADateAndALinkAreTwoWords(t *testing.T) {
	text, _, err := readHTML(`<p><time>3 March 2026</time><a href="/x">Release 2.1</a><a href="/y">Notes</a>. See <a href="/z">here</a>, <b>un</b>changed.</p>`)
	if want := "3 March 2026 Release 2.1 Notes. See here, unchanged."; err != nil || strings.TrimSpace(text) != want {
		t.Errorf("%q, %v", text, err)
	}
}
