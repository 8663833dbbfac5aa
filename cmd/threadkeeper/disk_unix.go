//go:build !windows

package main

import "golang.org/x/sys/unix"

// diskFree is how many bytes may still be written where a folder is.
func diskFree(folder string) (uint64, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return 0, err
	}
	return uint64(disk.Bavail) * uint64(disk.Bsize), nil
}
