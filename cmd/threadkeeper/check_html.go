package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image/png"
	"os"
	"slices"

	"threadkeeper/agent"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
)

// checkedPage is an answer that was checked, as a page: no script, nothing from elsewhere.
var checkedPage = template.Must(template.New("checked").Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checked answer</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
div.block { margin: 0 0 1em } p { margin: .3em 0 }
.mark { display: inline-block; width: 1.4em; font-weight: bold }
.stands .mark { color: #17803d } .contradicted .mark { color: #b91c1c } .not_found .mark { color: #a16207 }
.contradicted { background: #fef2f2 } .not_found { background: #fefce8 }
.said { margin-left: 1.4em; color: #555; font-size: .9em } .no_claim { color: #555 }
figure { margin: 2em 0 } figcaption { font-size: .9em; color: #555 } img { max-width: 100%; border: 1px solid #ccc }
</style></head><body>
<h1>Checked answer</h1>
<p>{{.Stands}} supported, {{.Contradicted}} contradicted, {{.NotFound}} not found, in {{range $i, $d := .Documents}}{{if $i}}, {{end}}{{$d}}{{end}} ({{.By}}).</p>
{{if .Cut}}<p>The answer is too long to check at once: the text after this was not checked.</p>{{end}}
{{range .Blocks}}<div class="block">{{range .}}
<p class="{{.Finding}}"><span class="mark">{{.Mark}}</span>{{.Text}}</p>{{if .Line}}
<p class="said">{{.Line}}{{if .Page}} “{{.Quote}}” {{if .Figure}}<a href="#page{{.Figure}}">see the page</a>{{end}}{{end}}</p>{{end}}{{end}}
</div>
{{end}}{{range .Figures}}<figure id="page{{.N}}"><figcaption>{{.Document}}, page {{.Page}}</figcaption><img alt="Page {{.Page}} of {{.Document}}, the quote marked" src="{{.Source}}"></figure>
{{end}}</body></html>
`))

type checkedFigure struct {
	N, Page  int
	Document string
	Source   template.URL
}

type checkedRow struct {
	checkedStatement
	Mark, Line string
	Figure     int // 0 for none
}

const (
	mostFigures = 60
	figureDPI   = 90
)

// writeCheckedHTML writes an answer that was checked into a file.
func writeCheckedHTML(ctx context.Context, path string, checker agent.Checker, c *agent.Checked) error {
	page := struct {
		checkedObject
		By      string
		Blocks  [][]checkedRow
		Figures []checkedFigure
	}{checkedObject: newCheckedObject(checker, c), By: c.By()}
	var drawn []docs.Citation
	for i, s := range page.Statements {
		row := checkedRow{checkedStatement: s, Mark: map[string]string{"stands": "✓", "contradicted": "✗", "not_found": "?"}[s.Finding]}
		at := c.Statements[i].At
		where := s.Document + ", " + s.Place
		switch {
		case s.Finding == "not_found" && s.Page == 0:
			row.Line = "Not found."
		case s.Finding == "not_found":
			row.Line = "Not found; nearest is " + where + ":"
		case s.Finding == "contradicted":
			row.Line = where + " says:"
		case s.Finding == "stands":
			row.Line = where + ":"
		}
		if s.Page > 0 {
			row.Figure = slices.Index(drawn, at) + 1
		}
		if s.Page > 0 && row.Figure == 0 && len(drawn) < mostFigures {
			source, err := drawPage(ctx, checker.Index, at)
			if err != nil {
				return err
			}
			if source != "" {
				drawn = append(drawn, at)
				row.Figure = len(drawn)
				page.Figures = append(page.Figures, checkedFigure{row.Figure, s.Page, s.Document, source})
			}
		}
		if i == 0 || s.Block != page.Statements[i-1].Block {
			page.Blocks = append(page.Blocks, nil)
		}
		last := len(page.Blocks) - 1
		page.Blocks[last] = append(page.Blocks[last], row)
	}
	var b bytes.Buffer
	if err := checkedPage.Execute(&b, page); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// drawPage is the picture of a quoted page, "" for a document that has no pictures.
func drawPage(ctx context.Context, index *docs.Index, at docs.Citation) (template.URL, error) {
	drawn, err := index.Picture(ctx, at, figureDPI)
	if errors.Is(err, docs.ErrUnsupported) || errors.Is(err, pdfium.ErrNoPage) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("draw page %d of %s: %w", at.Page, at.Document, err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, drawn); err != nil {
		return "", err
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}
