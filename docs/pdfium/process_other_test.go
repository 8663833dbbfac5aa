//go:build !linux

package pdfium

func blockIfParent() {}
