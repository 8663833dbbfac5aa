package pdfium

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel kill the worker when its parent dies, even in the middle of a file.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
