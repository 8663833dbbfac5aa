package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEveryPatternCompiles: a pattern that is compiled at its first use, and cannot be, would end the program on somebody's message.
// Those that are put together by functions are left to the tests that use them.
func TestEveryPatternCompiles(t *testing.T) {
	root := filepath.Join("..", "..")
	set := token.NewFileSet()
	folders := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch n := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(n, ".") || n == "testdata" || n == "node_modules" || n == "bin"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(n) != ".go" || strings.HasSuffix(n, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	compiled := 0
	for _, files := range folders {
		texts := textsOf(files)
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 || !makesPattern(call.Fun) {
					return true
				}
				if expr, ok := texts.value(call.Args[0]); ok {
					compiled++
					if _, err := regexp.Compile(expr); err != nil {
						t.Errorf("%s: %v", set.Position(call.Pos()), err)
					}
				}
				return true
			})
		}
	}
	if compiled < 200 {
		t.Errorf("only %d patterns", compiled)
	}
}

func makesPattern(f ast.Expr) bool {
	if s, ok := f.(*ast.SelectorExpr); ok {
		f = s.Sel
	}
	name, ok := f.(*ast.Ident)
	return ok && (name.Name == "Lazy" || name.Name == "NewPattern")
}

// texts are the expressions of a package's constants and variables, by name.
type texts map[string]ast.Expr

func textsOf(files []*ast.File) texts {
	all := texts{}
	for _, file := range files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
					for i, name := range v.Names {
						all[name.Name] = v.Values[i]
					}
				}
			}
		}
	}
	return all
}

// value is a text made of literals and of what has a name; ok is false for any other.
func (t texts) value(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.ParenExpr:
		return t.value(e.X)
	case *ast.BinaryExpr:
		left, ok := t.value(e.X)
		right, also := t.value(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	case *ast.Ident:
		if named, known := t[e.Name]; known {
			return t.value(named)
		}
	}
	return "", false
}
