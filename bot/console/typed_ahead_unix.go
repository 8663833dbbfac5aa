//go:build unix

package console

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// quiet has a terminal neither echo what is typed nor wait for the end of a line; Ctrl-C still interrupts.
func quiet(terminal *os.File) (restore func(), err error) {
	fd := int(terminal.Fd())
	before, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, err
	}
	t := *before
	t.Iflag &^= unix.ICRNL
	t.Lflag &^= unix.ECHO | unix.ICANON
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, setTermios, &t); err != nil {
		return nil, err
	}
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, before) }, nil // a terminal that is gone has no state
}

// arrived returns what a terminal has sent, nil if it sends nothing for as long as wait.
func arrived(terminal *os.File, wait time.Duration) []byte {
	fd := int(terminal.Fd())
	var all []byte
	for part := make([]byte, 1024); ; wait = 0 {
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if n, err := unix.Poll(ready, int(wait.Milliseconds())); err != nil || n == 0 || ready[0].Revents&unix.POLLIN == 0 {
			return all
		}
		n, err := unix.Read(fd, part)
		if err != nil || n <= 0 {
			return all
		}
		all = append(all, part[:n]...)
	}
}
