// Command picture draws messages of Block Kit as a page, so that their look can be
// judged by eye. Each argument is a message somebody said ("Ada: How long is it?")
// or a file of testdata/look, as in
//
//	go run ./bot/slack/testdata/picture 'Ada: How long is the warranty?' bot/slack/testdata/look/answer.json > conversation.html
//	chromium --headless --hide-scrollbars --screenshot=bot/slack/testdata/conversation.png --window-size=760,1080 conversation.html
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"log"
	"os"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

func main() {
	fmt.Print(head)
	for _, arg := range os.Args[1:] {
		if who, text, ok := strings.Cut(arg, ": "); ok && !strings.HasSuffix(arg, ".json") {
			message(who, false, "<p>"+mrkdwn(text)+"</p>")
			continue
		}
		file, err := os.ReadFile(arg)
		if err != nil {
			log.Fatal(err)
		}
		var parts []struct{ Blocks []block }
		if err := json.Unmarshal(file, &parts); err != nil {
			log.Fatal(err)
		}
		for _, p := range parts {
			var body strings.Builder
			for _, b := range p.Blocks {
				body.WriteString(b.draw())
			}
			message("Threadkeeper", true, body.String())
		}
	}
	fmt.Print("</body></html>\n")
}

func message(who string, app bool, body string) {
	badge, picture := "", strings.ToUpper(who[:1])
	if app {
		badge, picture = `<span class="badge">APP</span>`, "T"
	}
	fmt.Printf(`<div class="message"><div class="picture">%s</div><div class="body"><div class="who">%s %s<span class="at">10:24</span></div>%s</div></div>`+"\n",
		picture, html.EscapeString(who), badge, body)
}

// block is a block or an element of one, with the fields that are drawn.
type block struct {
	Type     string
	Text     json.RawMessage
	Elements []block
}

// said is the text of a block: plain, or inside a text object.
func (b block) said() string {
	var s string
	if json.Unmarshal(b.Text, &s) == nil {
		return s
	}
	var o struct{ Text string }
	if err := json.Unmarshal(b.Text, &o); err != nil {
		log.Fatal(err)
	}
	return o.Text
}

func (b block) draw() string {
	inner := ""
	for _, e := range b.Elements {
		inner += e.draw()
	}
	switch b.Type {
	case "markdown":
		var out bytes.Buffer
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(b.said()), &out); err != nil {
			log.Fatal(err)
		}
		return `<div class="text">` + out.String() + `</div>`
	case "header":
		return `<h3>` + html.EscapeString(b.said()) + `</h3>`
	case "section":
		return `<div class="text"><p>` + mrkdwn(b.said()) + `</p></div>`
	case "context":
		return `<div class="context">` + inner + `</div>`
	case "mrkdwn":
		return mrkdwn(b.said())
	case "actions", "context_actions":
		return `<div class="actions">` + inner + `</div>`
	case "button":
		return `<span class="button">` + html.EscapeString(b.said()) + `</span>`
	case "feedback_buttons":
		return fmt.Sprintf(`<span class="thumb">%s</span><span class="thumb">%s</span>`, fmt.Sprintf(thumb, 0), fmt.Sprintf(thumb, 180))
	case "divider":
		return `<hr>`
	}
	log.Fatalf("a block of type %q cannot be drawn", b.Type)
	return ""
}

// thumb is a hand, turned by some degrees: few machines have a font with it.
const thumb = `<svg width="14" height="14" viewBox="0 0 16 16" style="transform:rotate(%ddeg);vertical-align:-2px" fill="none" stroke="#616061" stroke-width="1.3">` +
	`<path d="M1.5 7.5h2.5v6.5h-2.5zM4 8l3-6c1.5 0 2 .8 2 2l-.5 2.5h4.500c1 0 1.500.8 1.300 1.700l-1 4.500c-.2.8-.7 1.300-1.500 1.300h-7.800"/></svg>`

var forms = []struct {
	pattern *regexp.Regexp
	html    string
}{
	{regexp.MustCompile("(?s)```\n?(.*?)```"), "<pre>$1</pre>"},
	{regexp.MustCompile("`([^`]+)`"), "<code>$1</code>"},
	{regexp.MustCompile(`<(https?://[^|>]+)\|([^>]+)>`), `<a href="$1">$2</a>`},
	{regexp.MustCompile(`<!date\^[^|>]+\|([^>]+)>`), "$1"},
	{regexp.MustCompile(`<@[^>]+>`), "<a>@Threadkeeper</a>"},
	{regexp.MustCompile(`(^|\W)\*([^*\n]+)\*`), "$1<b>$2</b>"},
	{regexp.MustCompile(`(^|\W)_([^_\n]+)_`), "$1<i>$2</i>"},
	{regexp.MustCompile("\n"), "<br>"},
}

// mrkdwn is Slack's format as HTML; it is escaped already.
func mrkdwn(text string) string {
	for _, f := range forms {
		text = f.pattern.ReplaceAllString(text, f.html)
	}
	return text
}

const head = `<!DOCTYPE html><html><head><meta charset="utf-8"><style>
body { font: 15px/1.46 Lato, "Noto Sans", "DejaVu Sans", "Noto Color Emoji", sans-serif; color: #1d1c1d; background: #fff; width: 720px; margin: 12px 16px }
.message { display: flex; margin: 14px 0 }
.picture { width: 36px; height: 36px; border-radius: 8px; background: #e8eef7; flex: none; text-align: center; line-height: 36px; font-weight: 700; margin-right: 10px; color: #44546a }
.who { font-weight: 900 } .badge { background: #e8e8e8; color: #5d5d5d; font-size: 10px; border-radius: 3px; padding: 1px 3px; vertical-align: 2px; margin-right: 6px }
.at { font-weight: 400; font-size: 12px; color: #616061; margin-left: 4px } .body { flex: 1; min-width: 0 }
p { margin: 2px 0 6px } ul, ol { margin: 4px 0; padding-left: 24px } h2, h3 { font-size: 18px; margin: 8px 0 }
code { background: #f6f6f6; border: 1px solid #ddd; border-radius: 3px; color: #c01343; font: 12px "DejaVu Sans Mono", monospace; padding: 2px 3px }
pre { background: #f8f8f8; border: 1px solid #ddd; border-radius: 4px; padding: 8px; font: 12px "DejaVu Sans Mono", monospace } pre code { border: 0; padding: 0; color: inherit; background: none }
table { border-collapse: collapse; margin: 6px 0 } td, th { border: 1px solid #ddd; padding: 4px 10px; text-align: left }
.context { font-size: 13px; color: #616061; margin: 4px 0 } a { color: #1264a3; text-decoration: none }
.actions { margin: 6px 0 } .button { display: inline-block; border: 1px solid #c4c4c6; border-radius: 4px; padding: 4px 12px; font-weight: 700; font-size: 13px; margin: 0 8px 6px 0 }
.thumb { border: 1px solid #ddd; border-radius: 12px; padding: 2px 8px; margin-right: 6px; font-size: 13px } hr { border: 0; border-top: 1px solid #ddd; margin: 8px 0 }
</style></head><body>
`
