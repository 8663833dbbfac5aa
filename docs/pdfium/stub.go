package pdfium

type Engine struct{}
