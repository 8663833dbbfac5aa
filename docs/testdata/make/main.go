// Command make writes the PDF files of docs/testdata: the sample report of the tour, and small
// files that each contain one difficulty for a PDF reader. It always writes the
// same bytes.
//
//	go run ./docs/testdata/make [folder]
package main

import (
	"log"
	"os"
	"path/filepath"
)

var files = map[string]func() []byte{
	"sample.pdf":     sample,    // 8 pages: the tour's report
	"columns.pdf":    columns,   // a page in two columns
	"rotated.pdf":    rotated,   // pages that are shown turned by 90° and 270°
	"cropped.pdf":    cropped,   // one content shown through two page boxes
	"hyphens.pdf":    hyphens,   // words divided at line ends
	"scanned.pdf":    scanned,   // two pages that are images, one of them inside a form
	"stamped.pdf":    stamped,   // two more, with text on them: a stamp in the margin, a title
	"encrypted.pdf":  encrypted, // needs the user password "quay"
	"protected.pdf":  protected, // encrypted, but opens without a password
	"truncated.pdf":  truncated, // the first half of the sample
	"empty.pdf":      func() []byte { return nil },
	"not-a-pdf.pdf":  notPDF,       // a web page with a PDF's name
	"pagebreak.pdf":  pageBreak,    // a sentence that runs over the page's end
	"manual.pdf":     manual,       // 120 pages
	"injection.pdf":  injection,    // text that gives the reader orders
	"bomb-forms.pdf": bombForms,    // 10^9 times the same form in 2 KB, then an innocent page
	"bomb-box.pdf":   bombBox,      // a page a million points wide
	"bad-page.pdf":   badPage,      // the second of three pages is missing
	"controls.pdf":   controlChars, // text with terminal escapes
	"filled.pdf":     filled,       // form fields, comments and text typed onto the page, some of them not to be seen
	"statement.pdf":  statement,    // tables of a filing: invisible characters, footnotes, one on two pages
}

func main() {
	log.SetFlags(0)
	folder := filepath.Join("docs", "testdata")
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	for name, contents := range files {
		if err := os.WriteFile(filepath.Join(folder, name), contents(), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
