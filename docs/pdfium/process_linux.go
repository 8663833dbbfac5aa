package pdfium

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// dieWithParent has the kernel kill the worker when its parent dies, even in the middle of a file.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// processorTime is what a process has used so far, in steps of 10 ms.
func processorTime(pid int) (used time.Duration, known bool) {
	const tick = 10 * time.Millisecond // of /proc, on every architecture
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name before it may hold spaces
	const user, system = 11, 12
	if len(fields) <= system {
		return 0, false
	}
	for _, field := range fields[user : system+1] {
		ticks, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return 0, false
		}
		used += time.Duration(ticks) * tick
	}
	return used, true
}
