package pdfium

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkPages reads the file that the environment variable PDF names, or the 120-page manual, from
// its bytes to the text of its last page. Best is the fastest run, which is what pdfjs.mjs reports.
func BenchmarkPages(b *testing.B) {
	path := os.Getenv("PDF")
	if path == "" {
		path = filepath.Join("..", "testdata", "manual.pdf")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			e, _ := newEngine(b, Options{Workers: workers})
			read := func() int {
				n, err := e.Pages(b.Context(), data, Limits{}, func(int, Page) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
				return n
			}
			total := read() // starts the workers
			best := time.Duration(math.MaxInt64)
			for b.Loop() {
				start := time.Now()
				read()
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(total), "pages")
			b.ReportMetric(float64(total)/best.Seconds(), "best-pages/s")
			b.ReportMetric(float64(total*b.N)/b.Elapsed().Seconds(), "pages/s")
		})
	}
}

// BenchmarkPicture draws one page with a highlight at 150 dpi.
func BenchmarkPicture(b *testing.B) {
	e, _ := newEngine(b, Options{})
	data := read(b, "sample.pdf")
	for b.Loop() {
		if _, found, err := e.Picture(b.Context(), data, 6, "Adopted with 7 votes to 1", 150); err != nil || !found {
			b.Fatal(found, err)
		}
	}
}
