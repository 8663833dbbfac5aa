package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/config"
	"threadkeeper/docs/pdfium"
	"threadkeeper/docs/testdata"
	"threadkeeper/memory"
)

// doctorCmd checks the set-up.
type doctorCmd struct{}

// check is one thing that is looked at. It returns what was found, and an error
// if it will not work.
type check struct {
	name string
	run  func(ctx context.Context) (string, error)
}

// Run looks at everything and then fails if anything will not work.
func (doctorCmd) Run(ctx context.Context, sys system, cfg *config.Config) error {
	checks := []check{
		{"database", func(ctx context.Context) (string, error) { return checkDatabase(ctx, sys, cfg) }},
		{"PDF engine", func(ctx context.Context) (string, error) { return checkEngine(ctx, sys, cfg) }},
		{"model", func(ctx context.Context) (string, error) { return checkModel(ctx, sys, cfg, cfg.Model) }},
	}
	if cfg.FallbackModel != "" {
		checks = append(checks, check{"fallback model", func(ctx context.Context) (string, error) {
			return checkModel(ctx, sys, cfg, cfg.FallbackModel)
		}})
	}
	failed := 0
	for _, c := range checks {
		found, err := c.run(ctx)
		mark := "ok  "
		if err != nil {
			mark, found = "FAIL", err.Error()
			failed++
		}
		fmt.Fprintf(sys.Out, "%s  %-14s  %s\n", mark, c.name, strings.ReplaceAll(found, "\n", "\n"+strings.Repeat(" ", 22)))
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, len(checks))
	}
	return nil
}

func checkDatabase(ctx context.Context, sys system, cfg *config.Config) (found string, err error) {
	path := databaseFile(sys, cfg)
	_, statErr := os.Stat(path)
	store, err := memory.Open(ctx, path)
	if errors.Is(err, memory.ErrLocked) {
		return "", fmt.Errorf("%w\nWhat reads only (export) works meanwhile", err)
	}
	if err != nil {
		return "", fmt.Errorf("%w\nNothing will work: give another file with --db or DATABASE_URL", err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if os.IsNotExist(statErr) {
		return path + ", new", nil
	}
	return path, nil
}

func checkEngine(ctx context.Context, sys system, cfg *config.Config) (found string, err error) {
	engine := newEngine(cfg, newLog(sys, cfg))
	defer func() { err = errors.Join(err, engine.Close()) }()
	began := time.Now()
	n, err := engine.Pages(ctx, testdata.Sample, pdfium.Limits{}, func(int, pdfium.Page) error { return nil })
	if err != nil {
		return "", fmt.Errorf("%w\nPDFs will not be read; text, Markdown, CSV, JSON and DOCX will", err)
	}
	return fmt.Sprintf("read %d pages of the sample in %d ms, start included", n, time.Since(began).Milliseconds()), nil
}

// checkModel makes one tiny call.
func checkModel(ctx context.Context, sys system, cfg *config.Config, name string) (string, error) {
	if name == "" {
		return notes(cfg)[0], nil
	}
	alone := *cfg
	alone.Model, alone.FallbackModel = name, ""
	m, err := openModel(&alone, newLog(sys, cfg))
	if err == nil {
		began := time.Now()
		_, err = m.GenerateContent(ctx, []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "Say OK.")}, llms.WithMaxTokens(16))
		if err == nil {
			return fmt.Sprintf("%s answered in %d ms", name, time.Since(began).Milliseconds()), nil
		}
	}
	return "", fmt.Errorf("%s: %w\nAnswers will be extracts until it can be reached", name, err)
}
