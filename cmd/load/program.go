package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// database is the file that the program keeps everything in.
const database = "load.db"

type program struct {
	cmd   *exec.Cmd
	dir   string
	log   bytes.Buffer // to be read after it has ended
	ended chan error
}

func start(path string, environ []string) (*program, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "threadkeeper-load-")
	if err != nil {
		return nil, err
	}
	p := &program{cmd: exec.Command(path, "serve", "--db", filepath.Join(dir, database)), dir: dir, ended: make(chan error, 1)}
	p.cmd.Dir = dir
	p.cmd.Env = append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "FOLLOW=mention", "MESSAGES_PER_MINUTE=0", "TURNS_PER_PERSON=0", "QUEUE_PER_PERSON=0", "LOG_LEVEL=error"}, environ...)
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	go func() { p.ended <- p.cmd.Wait() }()
	return p, nil
}

func (p *program) gone() bool {
	select {
	case err := <-p.ended:
		p.ended <- err
		return true
	default:
		return false
	}
}

// stop ends the program in order, or by force when it does not.
func (p *program) stop() error {
	force := time.AfterFunc(time.Minute, func() { _ = p.cmd.Process.Kill() })
	defer force.Stop()
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended, which Wait then says
	if err := <-p.ended; err != nil {
		return fmt.Errorf("the program did not end in order: %w: %s", err, &p.log)
	}
	return nil
}

func (p *program) remove() error { return os.RemoveAll(p.dir) }

func (p *program) worked() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// size is how large its database is, in bytes, with the journal.
func (p *program) size() (n int64) {
	for _, name := range []string{database, database + "-wal"} {
		if info, err := os.Stat(filepath.Join(p.dir, name)); err == nil {
			n += info.Size()
		}
	}
	return n
}

// memory is what the program has in RAM, in bytes; 0 where the system does not say (it does on Linux).
func (p *program) memory() int64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if kib, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(kib), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}
