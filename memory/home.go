package memory

import (
	"context"
	"strings"
)

// ShownHome is a page about us that a platform shows a person until it is told another one. Print stands for what it
// holds, "" if that is not certain.
type ShownHome struct {
	Key           // platform and workspace
	Person string // platform id: the page outlives all that is stored of them
	Print  string
}

// homesScope is the scope in which the prints of a workspace's pages are kept, by person.
func homesScope(k Key) string { return "homes:" + k.Platform + "/" + k.Workspace }

// Homes returns the pages that a platform shows.
func (s *Store) Homes(ctx context.Context, platform string) ([]ShownHome, error) {
	var rows []struct{ Scope, Name, Value string }
	prefix := homesScope(Key{Platform: platform})
	err := s.reader.NewSelect().Table("settings").Column("scope", "name", "value").
		Where("scope >= ? AND scope < ?", prefix, prefix+"\U0010ffff").Order("scope", "name").Scan(ctx, &rows)
	homes := make([]ShownHome, len(rows))
	for i, r := range rows {
		homes[i] = ShownHome{Key{Platform: platform, Workspace: strings.TrimPrefix(r.Scope, prefix)}, r.Name, r.Value}
	}
	return homes, wrap("list shown pages", err)
}

// SetHome keeps what a page holds.
func (s *Store) SetHome(ctx context.Context, h ShownHome) error {
	return wrap("keep a shown page", s.SetSetting(ctx, homesScope(h.Key), h.Person, h.Print))
}

// DoubtHome makes it uncertain what a person's page holds, if they are shown one.
func (s *Store) DoubtHome(ctx context.Context, k Key, person string) error {
	return wrap("doubt a shown page", s.exec(ctx, "UPDATE settings SET value = '' WHERE scope = ? AND name = ?", homesScope(k), person))
}

// DropHomes forgets a page that is not shown any more, or shows nothing; without a person all of the workspace.
func (s *Store) DropHomes(ctx context.Context, k Key, person string) error {
	return wrap("forget a shown page", s.exec(ctx, "DELETE FROM settings WHERE scope = ?0 AND (?1 = '' OR name = ?1)", homesScope(k), person))
}
