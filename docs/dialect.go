package docs

import (
	"context"

	"github.com/uptrace/bun"
)

// dialect is the SQL that only one database engine understands. Each engine has a
// file of its own for it (dialect_sqlite.go); all other SQL of this package is portable.
type dialect interface {
	// holds reports whether any passage of the contents has the term.
	holds(ctx context.Context, contents []int64, term string) (bool, error)

	// keepBytes stores the bytes of a file under their hash, unless they are there.
	keepBytes(ctx context.Context, tx bun.Tx, sha256 string, data []byte) error
}

// dialect is that of the store's engine, which is SQLite.
func (x *Index) dialect() dialect { return sqlite{x.Store.Read()} }
