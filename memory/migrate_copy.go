package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// upgradeCopy is in the names of copies, between the database's name and the copy's schema.
	upgradeCopy     = ".before-upgrade-"
	keepUpgradeCopy = 7 * 24 * time.Hour
)

// copyBeforeUpgrade leaves a copy of the database beside it: an older program reads nothing else
// once the migrations have run. Its name says which version and schema it is of. Of a database in which
// nobody has spoken there is none: a first start that was killed leaves tables without rows, not all of them.
func (s *Store) copyBeforeUpgrade(ctx context.Context, schema int) error {
	used, err := s.writer.NewSelect().Table("sessions").ColumnExpr("1").Exists(ctx)
	if err != nil || !used {
		return err
	}
	version, err := s.migratedBy(ctx)
	if err != nil {
		return err
	}
	path := fmt.Sprintf("%s%sof-%s-schema-%d", s.path, upgradeCopy, url.PathEscape(cmp.Or(version, "unknown")), schema)
	if _, err := s.writeCopy(ctx, path); err != nil {
		return fmt.Errorf("copy the database before its upgrade: %w", err)
	}
	return nil
}

// RemoveUpgradeCopies removes copies from before upgrades that were made seven days ago or earlier.
func (s *Store) RemoveUpgradeCopies() error {
	return s.removeUpgradeCopies(time.UnixMilli(s.Now()).Add(-keepUpgradeCopy))
}

// removeUpgradeCopies removes those that were made until a time.
func (s *Store) removeUpgradeCopies(until time.Time) error {
	files, err := os.ReadDir(filepath.Dir(s.path))
	if err != nil {
		return fmt.Errorf("memory: look for copies: %w", err)
	}
	var errs []error
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), filepath.Base(s.path)+upgradeCopy) {
			continue
		}
		info, err := f.Info()
		if err == nil && !info.ModTime().After(until) {
			err = os.Remove(filepath.Join(filepath.Dir(s.path), f.Name()))
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("memory: remove a copy: %w", err))
		}
	}
	return errors.Join(errs...)
}
