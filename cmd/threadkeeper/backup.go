package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// backupCmd copies the database.
type backupCmd struct {
	File  string `arg:"" help:"File to write."`
	Force bool   `help:"Replace the file if it exists."`
}

func (c *backupCmd) Read(ctx context.Context, sys system, cfg *config.Config, store *memory.Store) error {
	path := fromDir(sys, c.File)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name a file", path)
	}
	held, err := store.Backup(ctx, path, c.Force)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists: choose another name, or use --force to replace it", path)
	}
	if remedy := memory.Remedy(err); remedy != "" {
		return fmt.Errorf("%s was not written: %s", path, remedy)
	}
	if err != nil {
		return err
	}
	_ = os.WriteFile(backupNote(databaseFile(sys, cfg)), []byte(path), 0o600) // for doctor only
	fmt.Fprintf(sys.Out, "%s holds %s and %s, and was checked\n", path, say.Counted(held.Messages, "message"), say.Counted(held.Documents, "document"))
	return nil
}
