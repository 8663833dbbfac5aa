package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"threadkeeper/config"
	"threadkeeper/docs/ocr"
	"threadkeeper/docs/pdfium"
	"threadkeeper/docs/testdata"
	"threadkeeper/memory"
)

// doctorCmd checks the set-up.
type doctorCmd struct {
	Quick bool `help:"Only check that a program is using the database: for health checks."`
}

// Run checks everything and then fails if anything will not work.
func (d *doctorCmd) Run(ctx context.Context, sys system, cfg *config.Config) error {
	if d.Quick {
		return checkSign(sys, cfg)
	}
	looked, failed := 0, 0
	report := func(name, found string, err error) {
		mark := "ok  "
		if err != nil {
			mark, found = "FAIL", err.Error()
			failed++
		}
		looked++
		fmt.Fprintf(sys.Out, "%s  %-15s  %s\n", mark, name, strings.ReplaceAll(found, "\n", "\n"+strings.Repeat(" ", 23)))
	}
	about := func(name string) func(string, error) {
		return func(found string, err error) { report(name, found, err) }
	}
	about("database")(checkDatabase(ctx, sys, cfg))
	about("PDF engine")(checkEngine(ctx, sys, cfg))
	about("model")(checkModel(ctx, sys, cfg, cfg.Model))
	if cfg.FallbackModel != "" {
		about("fallback model")(checkModel(ctx, sys, cfg, cfg.FallbackModel))
	}
	switch judge := cfg.Judge(); {
	case cfg.Model == "":
	case judge == "":
		report("judge", "off: what the rules cannot check stays marked", nil)
	case judge == cfg.Model:
		report("judge", judge+", one more call for an answer from documents (JUDGE_MODEL)", nil)
	default:
		about("judge model")(checkModel(ctx, sys, cfg, judge))
	}
	for _, name := range namesOf(cfg.Models) {
		if name != cfg.Model {
			about("model of a channel")(checkModel(ctx, sys, cfg, name))
		}
	}
	switch err := cfg.Slack(); {
	case err != nil:
		report("Slack", "", err)
	case cfg.SlackBotToken == "":
		report("Slack", "not set (SLACK_BOT_TOKEN)", nil)
	default:
		newSlack(cfg, newLog(sys, cfg)).Check(ctx, report)
	}
	if cfg.DiscordToken == "" {
		report("Discord", "not set (DISCORD_TOKEN)", nil)
	} else {
		newDiscord(cfg, newLog(sys, cfg)).Check(ctx, report)
	}
	about("clock")(checkClock(ctx, sys, cfg))
	about("disk")(checkDisk(sys, cfg))
	about("backup")(checkBackup(sys, cfg))
	report("log", "ask, and chat in a terminal, log to "+logFile(sys, cfg), nil)
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, looked)
	}
	return nil
}

// signEvery is how often a program that works gives a sign of it, at least.
const signEvery = time.Minute

// checkSign fails unless a program is at work with the database.
func checkSign(sys system, cfg *config.Config) error {
	path := databaseFile(sys, cfg)
	at, err := memory.LastSign(path)
	switch {
	case err != nil:
		return err
	case at.IsZero():
		return fmt.Errorf("no program is using %s", path)
	case time.Since(at) > signEvery:
		return fmt.Errorf("no program has used %s since %s", path, at.Format(time.RFC3339))
	}
	fmt.Fprintf(sys.Out, "%s is in use\n", path)
	return nil
}

func checkDatabase(ctx context.Context, sys system, cfg *config.Config) (found string, err error) {
	path := databaseFile(sys, cfg)
	_, statErr := os.Stat(path)
	store, err := memory.Open(ctx, path, memory.ByVersion(version), memory.For("doctor"))
	locked := err
	if errors.Is(err, memory.ErrLocked) { // look whether a newer program has it
		store, err = memory.OpenReadOnly(ctx, path, memory.ByVersion(version))
	}
	var newer *memory.NewerError
	switch {
	case errors.As(err, &newer):
		return "", newer
	case errors.Is(locked, memory.ErrLocked):
		if err == nil {
			_ = store.Close() // only read
		}
		return plainError(locked) + "\nThat is normal while serve or chat runs; stop it for import, rebuild, erase and restore", nil
	case err != nil:
		return "", fmt.Errorf("%w\nNothing works until this is fixed", databaseError(path, err))
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
		return "", fmt.Errorf("%w\nPDFs will not be read; text, Markdown, CSV, JSON and Office documents will", err)
	}
	found = fmt.Sprintf("read %d pages of the sample in %d ms, including start-up", n, time.Since(began).Milliseconds())
	switch err := engine.CanReadScans(); {
	case errors.Is(err, ocr.ErrNoEngine):
		return found + "; scans are not read: " + err.Error(), nil
	case err != nil:
		return found, fmt.Errorf("scans will not be read: %w", err)
	}
	return found + "; scans are read in " + cfg.OCRLanguages, nil
}
