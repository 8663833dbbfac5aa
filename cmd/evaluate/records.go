package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// readRecords reads a file of one JSON value per line, compressed if its name ends in .gz.
func readRecords[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var records []T
	d := json.NewDecoder(bufio.NewReaderSize(r, 1<<20))
	for {
		var record T
		if err := d.Decode(&record); errors.Is(err, io.EOF) {
			return records, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: record %d: %w", path, len(records)+1, err)
		}
		records = append(records, record)
	}
}
