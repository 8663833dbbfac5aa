package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/memory"
)

const (
	littleDisk = 1 << 30 // bytes that should be free: a backup and an upgrade each write a copy
	oldBackup  = 8 * 24 * time.Hour
	wrongClock = 2 * time.Minute // behind what was stored before
)

// checkDisk says how much room there is beside the database.
func checkDisk(sys system, cfg *config.Config) (string, error) {
	folder := filepath.Dir(databaseFile(sys, cfg))
	free, err := diskFree(folder)
	if err != nil {
		return "", fmt.Errorf("cannot tell how much disk space is free: %w", err)
	}
	return roomFound(free, folder)
}

// roomFound is what is said of so many free bytes.
func roomFound(free uint64, folder string) (string, error) {
	found := fmt.Sprintf("%.1f GB free in %s", float64(free)/1e9, folder)
	if free < littleDisk {
		return "", fmt.Errorf("%s\nFree some: when the disk is full, no message can be stored", found)
	}
	return found, nil
}

// checkClock looks whether the clock shows an earlier time than when something was last stored.
func checkClock(ctx context.Context, sys system, cfg *config.Config) (found string, err error) {
	now := time.Now()
	store, err := memory.OpenReadOnly(ctx, databaseFile(sys, cfg), memory.ByVersion(version))
	if err != nil {
		return now.Format(time.RFC3339), nil // the check of the database says what is wrong
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	last, err := store.LastActivity(ctx)
	if err != nil {
		return "", err
	}
	if behind := time.UnixMilli(last).Sub(now); behind > wrongClock {
		return "", fmt.Errorf("it shows %s, but something was stored %s later\nSet the clock: until then dates in answers are wrong, and retries wait", now.Format(time.RFC3339), behind.Round(time.Second))
	}
	return now.Format(time.RFC3339), nil
}

// backupNote is a file whose time is that of the last backup.
func backupNote(database string) string { return database + ".last-backup" }

// checkBackup says how old the last backup is. Without one there is nothing wrong: people copy the file, too.
func checkBackup(sys system, cfg *config.Config) (string, error) {
	path := backupNote(databaseFile(sys, cfg))
	note, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "none yet; threadkeeper backup FILE makes one", nil
	}
	if err != nil {
		return "", err
	}
	where, _ := os.ReadFile(path)
	age := time.Since(note.ModTime())
	found := "made today: " + string(where)
	if days := int(age.Hours() / 24); days > 0 {
		found = fmt.Sprintf("%s old: %s", say.Counted(days, "day"), where)
	}
	if age > oldBackup {
		found += "\nMake another one: threadkeeper backup FILE"
	}
	return found, nil
}
