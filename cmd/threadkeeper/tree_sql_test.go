package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sqliteWords are what only SQLite understands, in SQL and in the addresses of databases.
// SQL is written in capitals here, functions and tables in small letters.
var sqliteWords = regexp.MustCompile(`\bMATCH\b|\bfts5|_fts\b|\bbm25\b|\bjson_(each|extract|tree|array|object|group_array|valid)\b|->>|\bCROSS JOIN\b|\binstr\(` +
	`|\bREPLACE INTO\b|\b(INSERT|UPDATE) OR\b|\browid\b|\bPRAGMA\b|\bpragma_|_pragma=|_txlock=|\bsqlite_|\bINDEXED BY\b|\bGLOB\b` +
	`|\b(total_changes|changes|last_insert_rowid|strftime|julianday|unixepoch|ifnull|iif|group_concat|randomblob|typeof|unicode|quote)\(` +
	`|\b(MAX|MIN)\([^()]*,|\bAUTOINCREMENT\b|\bVACUUM\b|\bATTACH\b`)

// sqlitePackages are the engine and what comes with it.
var sqlitePackages = []string{"modernc.org/sqlite", "github.com/uptrace/bun/dialect/sqlitedialect"}

// TestSQLOfOneEngineHasItsOwnFiles looks for what only SQLite understands outside of
// files that are named *_sqlite.go.
func TestSQLOfOneEngineHasItsOwnFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	looked := 0
	for _, dir := range []string{"memory", "docs"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_sqlite.go") {
				continue
			}
			looked++
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range sqliteIn(t, path, src) {
				t.Errorf("%s: only SQLite understands this; put it behind the dialect, in a file named *_sqlite.go", found)
			}
		}
	}
	if looked < 30 {
		t.Errorf("only %d files looked at", looked)
	}
}

// sqliteIn are the places in a file where an import or a string is SQLite's.
func sqliteIn(t *testing.T, path string, src []byte) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(l.Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range sqliteWords.FindAllStringIndex(text, -1) {
			place := set.Position(l.Pos())
			place.Line += strings.Count(text[:at[0]], "\n")
			found = append(found, place.Filename+":"+strconv.Itoa(place.Line)+": "+text[at[0]:at[1]])
		}
		if text == "sqlite" || slices.ContainsFunc(sqlitePackages, func(p string) bool { return text == p || strings.HasPrefix(text, p+"/") }) {
			found = append(found, set.Position(l.Pos()).String()+": "+text)
		}
		return true
	})
	return found
}

// The words are found where they stand, and only in strings.
func TestSQLiteWordsAreFound(t *testing.T) {
	src := "package p\n\nimport _ \"modernc.org/sqlite/lib\"\n\n// A comment may say rowid and PRAGMA.\nvar instr = `SELECT 1\n\tFROM a CROSS JOIN b\n\tWHERE a_fts MATCH ?` + \"a match of one row\"\n"
	got := sqliteIn(t, "a.go", []byte(src))
	want := []string{"a.go:3:10: modernc.org/sqlite/lib", "a.go:7: CROSS JOIN", "a.go:8: _fts", "a.go:8: MATCH"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
