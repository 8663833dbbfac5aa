package main

import "golang.org/x/sys/windows"

// diskFree is how many bytes may still be written where a folder is.
func diskFree(folder string) (free uint64, err error) {
	name, err := windows.UTF16PtrFromString(folder)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	}
	return free, err
}
