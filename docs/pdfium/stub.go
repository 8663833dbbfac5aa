package pdfium

import "errors"

type Engine struct{}

var ErrNoEngine = errors.New("the PDF engine is not part of this build: run `make` to obtain it and build again")
