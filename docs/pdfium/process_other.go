//go:build !linux

package pdfium

import "os/exec"

// dieWithParent does nothing where the kernel cannot help: the worker ends when its stdin does.
func dieWithParent(*exec.Cmd) {}
