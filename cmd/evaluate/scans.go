package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"threadkeeper/docs/pdfium"
	"threadkeeper/docs/testdata"
)

type scans struct {
	PDFs   []string `arg:"" name:"pdf" type:"existingfile" help:"PDF files with text."`
	DPI    []int    `name:"dpi" default:"150,200,300" help:"Pixels an inch of the pictures that are made of their pages."`
	Pages  int      `default:"3" help:"Pages of each file, spread over it."`
	Words  int      `default:"60" help:"Words that a page must have."`
	Native string   `type:"existingdir" help:"Also run the program tesseract, with eng.traineddata of this folder."`
	JSON   bool     `name:"json" help:"Print a JSON array."`
}

type scan struct {
	name    string
	words   map[string]int // of its text
	picture *image.Gray
}

// Run makes pictures of pages, reads them as the pages of scanned PDFs are read, and compares with their text.
func (s *scans) Run(ctx context.Context) error {
	var rows []row
	for _, dpi := range s.DPI {
		pages, err := s.draw(ctx, dpi)
		if err != nil {
			return err
		}
		r, err := s.read(ctx, pages, dpi)
		if err != nil {
			return err
		}
		rows = append(rows, r)
		if s.Native != "" {
			if r, err = s.native(ctx, pages, dpi); err != nil {
				return err
			}
			rows = append(rows, r)
		}
	}
	return show(os.Stdout, s.JSON, []string{"word recall", "word precision", "worst page", "poor pages", "their recall", "CPU s/page", "MB"}, rows)
}

func (s *scans) draw(ctx context.Context, dpi int) ([]scan, error) {
	engine := pdfium.New(pdfium.Options{FileTimeout: time.Minute})
	defer engine.Close()
	var all []scan
	for _, path := range s.PDFs {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var fit []pdfium.Page
		if _, err := engine.Pages(ctx, data, pdfium.Limits{Pages: 150}, func(_ int, p pdfium.Page) error {
			if !p.Scanned && len(wordCounts(p.Text)) >= s.Words {
				fit = append(fit, p)
			}
			return nil
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for i := range min(s.Pages, len(fit)) {
			p := fit[(2*i+1)*len(fit)/(2*min(s.Pages, len(fit)))]
			img, _, err := engine.Picture(ctx, data, p.Number, "", dpi)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			all = append(all, scan{fmt.Sprintf("%s p. %d", filepath.Base(path), p.Number), wordCounts(p.Text), testdata.Grey(img)})
		}
	}
	return all, nil
}

func (s *scans) read(ctx context.Context, pages []scan, dpi int) (row, error) {
	before := childTime()
	engine := pdfium.New(pdfium.Options{FileTimeout: time.Minute})
	total := newMean()
	for _, p := range pages {
		text, err := engine.ReadScan(ctx, testdata.Scan(dpi, p.picture), 1)
		if err != nil {
			engine.Close()
			return row{}, fmt.Errorf("%s: %w", p.name, err)
		}
		found := s.compare(total, p, text.Text)
		if text.Poor() {
			total.add("poor", found)
		}
	}
	engine.Close()
	return s.row(fmt.Sprintf("%d dpi", dpi), total, len(pages), childTime()-before), nil
}

// native has them read by the program.
func (s *scans) native(ctx context.Context, pages []scan, dpi int) (row, error) {
	total := newMean()
	var spent time.Duration
	for _, p := range pages {
		var in, out, complaint bytes.Buffer
		if err := png.Encode(&in, p.picture); err != nil {
			return row{}, err
		}
		cmd := exec.CommandContext(ctx, "tesseract", "-", "-", "--tessdata-dir", s.Native, "-l", "eng", "--oem", "1", "--dpi", fmt.Sprint(dpi))
		cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &complaint
		if err := cmd.Run(); err != nil {
			return row{}, errors.Join(err, errors.New(complaint.String()))
		}
		spent += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		s.compare(total, p, out.String())
	}
	return s.row(fmt.Sprintf("%d dpi, native", dpi), total, len(pages), spent), nil
}

// compare adds a page as it was read, and returns the share of its words that were.
func (s *scans) compare(total *mean, p scan, text string) float64 {
	got := wordCounts(text)
	all, found, read := 0, 0, 0
	for w, n := range p.words {
		all += n
		found += min(n, got[w])
	}
	for _, n := range got {
		read += n
	}
	total.add("words", float64(all))
	total.add("found", float64(found))
	total.add("read", float64(read))
	share := float64(found) / float64(max(1, all))
	if worst, is := total.sum["worst page"]; !is || share < worst {
		total.sum["worst page"] = share
	}
	return share
}

func (s *scans) row(name string, total *mean, pages int, spent time.Duration) row {
	r := row{Name: name, Records: pages, Measures: map[string]float64{
		"word recall":    total.sum["found"] / max(1, total.sum["words"]),
		"word precision": total.sum["found"] / max(1, total.sum["read"]),
		"worst page":     total.sum["worst page"],
		"CPU s/page":     spent.Seconds() / float64(max(1, pages)),
		"MB":             float64(childMemory()),
	}}
	if n := total.n["poor"]; n > 0 {
		r.Measures["poor pages"], r.Measures["their recall"] = float64(n)/float64(pages), total.sum["poor"]/float64(n)
	}
	return r
}

// wordCounts are the words of a text, without case, accents and the marks around them, and how often each stands there.
func wordCounts(text string) map[string]int {
	counts := map[string]int{}
	text = strings.ReplaceAll(text, "-\n", "")
	for _, w := range strings.FieldsFunc(norm.NFKD.String(strings.ToLower(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	}) {
		counts[w]++
	}
	return counts
}
