// Command look draws the messages of ../bodies as Discord shows them in its dark
// theme, as HTML on standard output:
//
//	go run ./testdata/look conversation >look.html
//	chromium --headless --screenshot=testdata/conversation.png --window-size=760,1300 look.html
package main

import (
	"encoding/json"
	"fmt"
	"html"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type body struct {
	Content    string `json:"content"`
	Components []struct {
		Components []component `json:"components"`
	} `json:"components"`
	Attachments []struct {
		Filename string `json:"filename"`
	} `json:"attachments"`
	Reference *struct{} `json:"message_reference"`
}

type component struct {
	Type        int    `json:"type"`
	Style       int    `json:"style"`
	Label       string `json:"label"`
	Disabled    bool   `json:"disabled"`
	Placeholder string `json:"placeholder"`
	Emoji       struct {
		Name string `json:"name"`
	} `json:"emoji"`
}

// scenes are what is drawn: what Ada, or who is named, says, and after it bodies by their names.
var scenes = map[string][]step{
	"conversation": {
		{"@Threadkeeper How long is the warranty, and for which parts? 📎 warranty.pdf", []string{"create"}},
		{"Bob: Good. Lunch at noon?", []string{"create-8"}},
		{"when can we cancel the contract?", []string{"create-2"}},
		{"/memory status", []string{"original"}},
		{"and the one with Bolt?", []string{"create-5"}},
	},
	"more": {
		{"(adds the bot to the server)", []string{"create-11"}},
		{"when can we cancel the contract? (and picks an answer)", []string{"edit-2"}},
		{"@Threadkeeper Wie lange gilt die Garantie?", []string{"create-12"}},
		{"and this report? 📎 annual report.pdf", []string{"create-15"}},
		{"/docs list", []string{"original-4"}},
		{"how do I renew it?", []string{"create-13", "create-14"}},
	},
}

type step struct {
	said string
	ours []string
}

const style = `<!doctype html><meta charset="utf-8"><style>
body{margin:0;background:#313338;color:#dbdee1;font:16px/1.375 "gg sans","Noto Sans","Helvetica Neue",Helvetica,Arial,sans-serif;padding:12px 16px;width:728px;box-sizing:border-box}
.m{display:grid;grid-template-columns:56px 1fr;margin:14px 0 0}.a{width:40px;height:40px;border-radius:50%;display:grid;place-items:center;font-weight:700;color:#fff}
.n{font-weight:600;color:#f2f3f5}.n small{color:#949ba4;font-weight:400;font-size:12px;margin-left:6px}.t{background:#5865f2;color:#fff;font-size:10px;padding:1px 5px;border-radius:4px;margin-left:6px;vertical-align:2px}
pre{background:#2b2d31;border:1px solid #1e1f22;border-radius:4px;padding:8px;margin:6px 0;font:14px/1.3 "DejaVu Sans Mono",monospace;max-width:90%}code{background:#2b2d31;border-radius:3px;padding:0 3px;font:85% monospace}
.s{font-size:13px;color:#949ba4;line-height:1.4}a{color:#00a8fc;text-decoration:none}.r{display:flex;gap:8px;margin-top:8px}
.b{background:#4e5058;color:#fff;border-radius:4px;padding:6px 14px;font-size:14px;font-weight:500}.b1{background:#5865f2}.b3{background:#248046}.offtrue{opacity:.5}.sel{background:#1e1f22;border-radius:4px;padding:9px;width:380px;color:#949ba4}
.f{width:300px;height:120px;background:#f7f7f4;border-radius:8px;margin-top:6px;color:#333;font-size:9px;padding:12px;box-sizing:border-box;line-height:1.7}mark{background:#ffe066}.th{color:#949ba4;font-size:13px;border-bottom:1px solid #3f4147;padding-bottom:8px}.gap{height:5px}
</style>`

var (
	bold  = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	code  = regexp.MustCompile("`([^`]+)`")
	link  = regexp.MustCompile(`\[((?:\\.|[^\]\\])*)\]\([^)]*\)`)
	slash = regexp.MustCompile(`\\([^0-9A-Za-z\s])`)
	fence = regexp.MustCompile("(?s)```\\w*\n(.*?)```\n?")
)

// icons stand for emoji, which not every machine has a font for.
var icons = strings.NewReplacer(
	"📎", icon("#b5bac1", "M7 3v7a2 2 0 0 0 4 0V4a3 3 0 0 0-6 0v7a4 4 0 0 0 8 0V5", true),
	"📄", icon("#e3e5e8", "M4 1h5l3 3v9H4z", false),
	"⚠️", icon("#f0b232", "M8 1l7 13H1z", false),
	"👁", icon("#949ba4", "M1 8q7-8 14 0q-7 8-14 0M8 6a2 2 0 1 0 .1 0", true),
	"🧵", icon("#b5bac1", "M3 4h10M3 8h10M3 12h6", true),
	"⏹️", icon("#e3e5e8", "M3 3h10v10H3z", false),
	"👍", icon("#fcc21b", "M2 7h3v7H2zM6 7l3-6q2 0 1 5h4l-1 8H6z", false),
	"👎", icon("#fcc21b", "M2 9h3V2H2zM6 9l3 6q2 0 1-5h4l-1-8H6z", false))

func icon(colour, path string, line bool) string {
	paint := `fill="` + colour + `"`
	if line {
		paint = `fill="none" stroke-width="1.5" stroke="` + colour + `"`
	}
	return `<svg width="16" height="16" viewBox="0 0 16 16" style="vertical-align:-2px"><path d="` + path + `" ` + paint + `/></svg>`
}

func inline(s string) string {
	s = link.ReplaceAllString(html.EscapeString(s), "<a>$1</a>")
	s = bold.ReplaceAllString(code.ReplaceAllString(s, "<code>$1</code>"), "<b>$1</b>")
	return slash.ReplaceAllString(s, "$1")
}

func prose(s string) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.Trim(s, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "-# "):
			b.WriteString(`<div class="s">` + inline(line[3:]) + "</div>")
		case strings.HasPrefix(line, "# "):
			b.WriteString(`<div style="font-size:24px;font-weight:700;margin:6px 0">` + inline(line[2:]) + "</div>")
		case strings.HasPrefix(line, "    "):
			b.WriteString(`<div style="padding-left:24px">` + inline(line[4:]) + "</div>")
		case strings.HasPrefix(line, "- "):
			b.WriteString("<div>•&nbsp; " + inline(line[2:]) + "</div>")
		case line == "":
			b.WriteString(`<div class="gap"></div>`)
		default:
			b.WriteString("<div>" + inline(line) + "</div>")
		}
	}
	return b.String()
}

func markdown(s string) string {
	var b strings.Builder
	from := 0
	for _, at := range fence.FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(prose(s[from:at[0]]) + "<pre>" + html.EscapeString(strings.TrimRight(s[at[2]:at[3]], "\n")) + "</pre>")
		from = at[1]
	}
	return b.String() + prose(s[from:])
}

func message(who, letter, colour, tag, inner string) {
	fmt.Print(icons.Replace(fmt.Sprintf(`<div class="m"><div class="a" style="background:%s">%s</div><div><div class="n">%s%s<small>Today at 10:24</small></div>%s</div></div>`, colour, letter, who, tag, inner)))
}

// answer is the last one with sources: what a picture replies to.
var answer string

func ours(name string) error {
	raw, err := os.ReadFile(filepath.Join("testdata", "bodies", name+".json"))
	if err != nil {
		return err
	}
	var m body
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	inner := markdown(m.Content)
	if m.Reference != nil {
		inner = `<div class="s">↱ <b>@Threadkeeper</b> ` + inline(answer) + "</div>" + inner
	} else if text, _, cited := strings.Cut(m.Content, "\n"); cited {
		answer = text
	}
	for range m.Attachments {
		inner += `<div class="f">§ 4 Warranty<br>The warranty lasts <mark>three years from the day of delivery</mark>.<br>Claims are sent to the office in Lyon with the receipt.</div>`
	}
	for _, row := range m.Components {
		inner += `<div class="r">`
		for _, c := range row.Components {
			if c.Type == 3 {
				inner += `<div class="sel">` + html.EscapeString(c.Placeholder) + " ⌄</div>"
			} else {
				inner += fmt.Sprintf(`<div class="b b%d off%t">%s</div>`, c.Style, c.Disabled, strings.TrimSpace(c.Emoji.Name+" "+html.EscapeString(c.Label)))
			}
		}
		inner += "</div>"
	}
	if strings.HasPrefix(name, "followup") || strings.HasPrefix(name, "original") {
		inner += `<div class="s">👁 Only you can see this</div>`
	}
	message("Threadkeeper", "T", "#5865f2", `<span class="t">APP</span>`, inner)
	return nil
}

func main() {
	if len(os.Args) != 2 || scenes[os.Args[1]] == nil {
		log.Fatal("usage: look conversation|more")
	}
	fmt.Print(style, icons.Replace(`<div class="th">🧵 &nbsp;<b style="color:#f2f3f5">How long is the warranty, and for which parts?</b> &nbsp;·&nbsp; #general</div>`))
	for _, s := range scenes[os.Args[1]] {
		who, said, colour := "Ada", s.said, "#23a55a"
		if text, bobs := strings.CutPrefix(said, "Bob: "); bobs {
			who, said, colour = "Bob", text, "#e67e22"
		}
		message(who, who[:1], colour, "", prose(said))
		for _, name := range s.ours {
			if err := ours(name); err != nil {
				log.Fatal(err)
			}
		}
	}
}
