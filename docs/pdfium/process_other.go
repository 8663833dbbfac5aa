//go:build !linux

package pdfium

import (
	"os/exec"
	"time"
)

// dieWithParent does nothing where the kernel cannot help: the worker ends when its stdin does.
func dieWithParent(*exec.Cmd) {}

// processorTime is not known here: a worker has its limit in waiting time.
func processorTime(int) (used time.Duration, known bool) { return 0, false }
