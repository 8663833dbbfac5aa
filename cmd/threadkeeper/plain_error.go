package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// plainError is an error as people read it: of a file, which one and why; of the database, what to do. From others it takes
// the names of the packages they came through.
func plainError(err error) string {
	var newer *memory.NewerError
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &newer):
		return newer.Error()
	case errors.As(err, &path):
		return fmt.Sprintf("cannot %s %s: %s", cmp.Or(operations[path.Op], path.Op), path.Path, why(path.Err))
	case errors.As(err, &link):
		return fmt.Sprintf("cannot write %s: %s", link.New, why(link.Err))
	}
	if i := strings.Index(err.Error(), memory.ErrDisk.Error()); i >= 0 { // where it was met helps nobody
		return err.Error()[i:]
	}
	return packages.ReplaceAllString(err.Error(), "")
}

// operations of the system, where people have another word for one.
var operations = map[string]string{"mkdir": "create", "mkdirat": "create", "stat": "open", "lstat": "open", "openat": "open", "remove": "delete"}

// packages stand before an error for the log.
var packages = reading.Lazy(`^(?:(?:memory|docs|agent|bot|console|slack|discord|manifest|backup): )+`)

// why is the system's reason in plain words.
func why(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "you have no permission"
	case errors.Is(err, syscall.EISDIR):
		return "it is a folder"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of its path is not a folder"
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full"
	case errors.Is(err, syscall.EROFS):
		return "this disk is read-only"
	}
	return err.Error()
}

// databaseError says why a database cannot be used, and what to do.
func databaseError(path string, err error) error {
	const another = "name another file with --db or DATABASE_URL"
	var newer *memory.NewerError
	switch {
	case err == nil, errors.As(err, &newer):
		return err
	case errors.Is(err, memory.ErrLocked):
		return fmt.Errorf("%w\nStop that process first, or use another file with --db", err)
	case errors.Is(err, memory.ErrForeign):
		return fmt.Errorf("%s is not a Threadkeeper database: %s", path, another)
	case memory.Remedy(err) != "":
		return fmt.Errorf("%s: %s, or %s", path, memory.Remedy(err), another)
	}
	return fmt.Errorf("%s; %s", plainError(err), another)
}

// checkedWriter remembers the first error of what it writes to: commands do not look at each line they print.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.err = cmp.Or(w.err, err)
	return n, err
}
