package pdfium

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// BenchmarkPages reads the file that the environment variable PDF names, or the 120-page manual, from
// its bytes to the text of its last page, as many at a time as there are workers.
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
			run := func(times int) (total int) {
				var all sync.WaitGroup
				for range workers {
					all.Go(func() {
						for range times {
							n, err := e.Pages(b.Context(), data, Limits{}, func(int, Page) error { return nil })
							if err != nil {
								b.Error(err)
								return
							}
							total = n
						}
					})
				}
				all.Wait()
				return total * times * workers
			}
			run(1) // start the workers
			b.ResetTimer()
			n := run(b.N)
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "pages/s")
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
