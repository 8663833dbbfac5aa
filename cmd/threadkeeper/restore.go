package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"threadkeeper/bot/console"
	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// restoreCmd puts a backup in the place of the database.
type restoreCmd struct {
	File string `arg:"" help:"File that backup wrote."`
}

// Run takes the database alone, and keeps the one it replaces.
func (c *restoreCmd) Run(ctx context.Context, sys system, cfg *config.Config) error {
	path, backup := databaseFile(sys, cfg), fromDir(sys, c.File)
	if err := isThere(backup); err != nil {
		return err
	}
	r, err := memory.Restore(ctx, path, backup, memory.RestoreOptions{Local: console.Platform, Open: []memory.OpenOption{memory.ByVersion(version), memory.For("restore")}})
	if errors.Is(err, memory.ErrLocked) {
		return fmt.Errorf("%w\nStop the other process first", err)
	}
	if errors.Is(err, memory.ErrNotBackup) {
		return fmt.Errorf("%s is not a complete Threadkeeper backup: name a file that threadkeeper backup wrote (nothing was changed)", backup)
	}
	if err != nil {
		return err
	}
	until := ""
	if r.Until > 0 {
		until = " (as of " + time.UnixMilli(r.Until).Format("2006-01-02 15:04") + ")"
	}
	fmt.Fprintf(sys.Out, "Restored %s and %s from %s%s to %s\n", say.Counted(r.Messages, "message"), say.Counted(r.Documents, "document"), backup, until, path)
	if r.Aside != "" {
		fmt.Fprintf(sys.Out, "The old database is now %s; delete it when you no longer need it\n", r.Aside)
	}
	if r.Pending > 0 {
		fmt.Fprintf(sys.Out, "%d events and posts that were pending in the backup were closed: they may have been handled since\n", r.Pending)
	}
	if r.Erased > 0 {
		fmt.Fprintf(sys.Out, "%d messages and documents that were erased since were erased again\n", r.Erased)
	}
	if r.Unknown != nil {
		fmt.Fprintf(sys.Out, "Text that people made this program forget since the backup is back: %v\n", r.Unknown)
	}
	return nil
}
