package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"text/tabwriter"
	"time"

	"threadkeeper/docs/pdfium"
)

type digits struct {
	PDFs []string `arg:"" name:"pdf" type:"existingfile" help:"PDF files."`
	List bool     `help:"Print each place too."`
}

// gluedForms are what no page prints: two neighbours without the gap between them.
var gluedForms = []struct {
	name string
	form *regexp.Regexp
}{
	{"numbers", regexp.MustCompile(`\d{1,3}(?:,\d{3})+\d|\d{4,},\d{3}\b|\d\.\d{2}\d{1,3}\.\d{2}\b|\b(?:19|20)\d\d(?:19|20)\d\d\b|\d\)?\(\d{1,3}[,.]\d|\d\)\d|\d[—–]{2}|——`)},
	{"percentage", regexp.MustCompile(`\d ?%\)?\(?\d`)},
	{"currency", regexp.MustCompile(`\d\)?[$€£]`)},
	{"word", regexp.MustCompile(`\pL{3,}\(?[$€£]?\d{1,3}[,.]\d|\d,\d{3}\pL{3,}|\d%\pL{3,}|\)\d{1,3},\d{3}`)},
}

var yearEnd = regexp.MustCompile(`[a-z] \d\d?,(?:19|20)\d\d$`)

// Run counts in each file the digits that no printed number has.
func (d *digits) Run(ctx context.Context) error {
	engine := pdfium.New(pdfium.Options{FileTimeout: time.Minute})
	defer engine.Close()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "file\tpages\tpages/s\t")
	for _, f := range gluedForms {
		fmt.Fprintf(w, "%s\t", f.name)
	}
	fmt.Fprintln(w)
	var failed []error
	for _, path := range d.PDFs {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found := make([]int, len(gluedForms))
		start := time.Now()
		pages, err := engine.Pages(ctx, data, pdfium.Limits{}, func(_ int, p pdfium.Page) error {
			for i, f := range gluedForms {
				for _, at := range f.form.FindAllStringIndex(p.Text, -1) {
					if yearEnd.MatchString(p.Text[:at[1]]) { // "December 31,2015" is printed so
						continue
					}
					found[i]++
					if d.List {
						fmt.Fprintf(os.Stderr, "%s page %d %s: %q\n", filepath.Base(path), p.Number, f.name,
							p.Text[max(0, at[0]-20):min(len(p.Text), at[1]+20)])
					}
				}
			}
			return nil
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", path, err))
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%.0f\t", filepath.Base(path), pages, float64(pages)/time.Since(start).Seconds())
		for _, n := range found {
			fmt.Fprintf(w, "%d\t", n)
		}
		fmt.Fprintln(w)
	}
	return errors.Join(append(failed, w.Flush())...)
}
