package pdfium

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkPages reads the file that the environment variable PDF names, or the 120-page manual, from
// its bytes to the text of its last page. Best pages and cpu-ms, the processor time of the workers and
// of this process, are of the best run, as in pdfjs.mjs.
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
			e, s := newEngine(b, Options{Workers: workers})
			read := func() int {
				n, err := e.Pages(b.Context(), data, Limits{}, func(int, Page) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
				return n
			}
			total := read() // starts the workers
			best, cpu := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			for b.Loop() {
				start, before := time.Now(), s.processorTime(b)
				read()
				best, cpu = min(best, time.Since(start)), min(cpu, s.processorTime(b)-before)
			}
			if cpu > 0 {
				b.ReportMetric(cpu.Seconds()*1000/float64(total), "cpu-ms/page")
			}
			b.ReportMetric(float64(total), "pages")
			b.ReportMetric(float64(total)/best.Seconds(), "best-pages/s")
			b.ReportMetric(float64(total*b.N)/b.Elapsed().Seconds(), "pages/s")
		})
	}
}

// processorTime is what the workers and this process have used, in steps of 10 ms; 0 where the
// system does not tell.
func (s *started) processorTime(b *testing.B) time.Duration {
	b.Helper()
	sum := 0
	for _, pid := range append([]int{os.Getpid()}, s.pids...) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		// After the name, which may hold anything: state is the third field, user and system time
		// are the 14th and 15th, in hundredths of a second.
		_, fields, _ := strings.Cut(string(stat), ") ")
		for _, f := range strings.Fields(fields)[11:13] {
			n, err := strconv.Atoi(f)
			if err != nil {
				b.Fatal(err)
			}
			sum += n
		}
	}
	return time.Duration(sum) * 10 * time.Millisecond
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
