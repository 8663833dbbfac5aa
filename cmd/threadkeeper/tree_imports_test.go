package main

import (
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// order is the direction of the house: a package imports only from rows above
// its own (see "The map" in CONTRIBUTING.md).
var order = [][]string{
	{"bot/platformtest/leaktest"}, // for tests alone
	{"docs/sandbox", "memory/rank"},
	{"docs/ocr"},
	{"docs/pdfium"},
	{"memory/reading"},
	{"docs/figures"},
	{"memory"},
	{"docs"},
	{"agent/claims"},
	{"agent/model", "agent/model/fakemodel"},
	{"agent/spend"},
	{"agent"},
	{"bot/platform"},
	{"bot/platform/kit"},
	{"bot/say", "bot/access"},
	{"bot/hearing"},
	{"bot"},
	{"bot/platformtest"},
	{"bot/slack/fakeslack", "bot/discord/fakediscord"},
	{"bot/slack/fakeslack/certify", "bot/discord/fakediscord/certify"},
	{"bot/slack", "bot/discord", "bot/console"},
	{"config"},
	{"cmd/threadkeeper", "cmd/evaluate", "cmd/load", "bot/slack/fakeslack/certify", "bot/discord/fakediscord/certify"},
}

// only says who else may import a package from outside this module.
var only = map[string][]string{
	"github.com/uptrace/bun":                     {"memory", "docs"},
	"modernc.org/sqlite":                         {"memory"},
	"github.com/tetratelabs/wazero":              {"docs/sandbox", "docs/ocr", "docs/pdfium"},
	"github.com/anthropics/anthropic-sdk-go":     {"agent/model"},
	"github.com/tmc/langchaingo/llms/openai":     {"agent/model"},
	"github.com/tmc/langchaingo/llms/googleai":   {},
	"github.com/tmc/langchaingo/documentloaders": {},
	"github.com/slack-go/slack":                  {"bot/slack"},
	"github.com/bwmarrin/discordgo":              {"bot/discord"},
	"github.com/gorilla/websocket":               {"bot/slack", "bot/slack/fakeslack", "bot/discord", "bot/discord/fakediscord"},
	"golang.org/x/time":                          {"bot/slack", "bot/discord"},
}

func TestImportsGoOneWay(t *testing.T) {
	root := filepath.Join("..", "..")
	rank := map[string]int{}
	for i, row := range order {
		for _, p := range row {
			rank[p] = i
		}
	}
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if n := d.Name(); path != root && (strings.HasPrefix(n, ".") || n == "testdata" || n == "node_modules" || n == "bin") {
			return filepath.SkipDir
		}
		p, err := build.ImportDir(path, 0)
		if err != nil {
			return nil // no Go files here
		}
		seen++
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		checkImports(t, filepath.ToSlash(name), p.Imports, rank)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 5 {
		t.Fatalf("only %d packages found", seen)
	}
}

func checkImports(t *testing.T, name string, imports []string, rank map[string]int) {
	mine, known := rank[name]
	if !known {
		t.Errorf("package %s has no place in the order", name)
	}
	for _, imp := range imports {
		if inner, ok := strings.CutPrefix(imp, "threadkeeper/"); ok {
			if theirs, ok := rank[inner]; (!ok && !strings.HasSuffix(inner, "testdata")) || theirs > mine || theirs == mine && inner != name && !sameFamily(name, inner) {
				t.Errorf("%s imports %s", name, inner)
			}
			if inner == "bot" && slices.Contains([]string{"bot/slack", "bot/discord", "bot/console"}, name) {
				t.Errorf("%s imports bot; an adapter stands on bot/platform", name)
			}
			if inner == "config" && !strings.HasPrefix(name, "cmd/") {
				t.Errorf("%s imports config; only cmd does", name)
			}
			continue
		}
		for outside, allowed := range only {
			if (imp == outside || strings.HasPrefix(imp, outside+"/")) && !slices.Contains(allowed, name) {
				t.Errorf("%s imports %s", name, imp)
			}
		}
	}
}

// sameFamily lets a package use the one it is a part of in the same row.
func sameFamily(name, inner string) bool {
	return strings.HasPrefix(name, inner+"/") || strings.HasPrefix(inner, name+"/")
}
