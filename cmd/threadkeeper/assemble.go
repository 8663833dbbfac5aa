package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
	"threadkeeper/agent/spend"
	"threadkeeper/bot"
	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/docs"
	"threadkeeper/docs/ocr"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// parts are the pieces of the program, joined.
type parts struct {
	store     *memory.Store
	engine    *pdfium.Engine
	index     *docs.Index
	model     llms.Model   // nil without one
	meter     *spend.Meter // what model is, nil without one
	name      string       // of the model
	chain     *agent.Chain
	compactor *agent.Compactor
	log       *slog.Logger
}

// open joins everything. The caller closes it. Without memory.Shared no other process may have the database.
func open(ctx context.Context, sys system, cfg *config.Config, options ...memory.OpenOption) (*parts, error) {
	log := newLog(sys, cfg)
	m, err := openModel(cfg, log)
	if err != nil {
		return nil, err
	}
	loadTables()
	meter, err := newMeter(m, cfg)
	if err != nil {
		return nil, err
	}
	store, err := openStore(ctx, sys, cfg, options...)
	if err != nil {
		return nil, err
	}
	if meter != nil {
		meter.Store, m = store, meter
	}
	store.Queue.Withdrawn = bot.Withdrawn
	store.Phrases = memory.PhraseTerms(agent.Phrases(), say.All())
	p := &parts{store: store, model: m, meter: meter, name: cfg.Model, log: log, engine: newEngine(cfg, log)}
	p.index = newIndex(cfg, store, p.engine, log)
	p.chain = &agent.Chain{Store: store, Index: p.index, Model: m, Name: cfg.Model, JudgeName: cfg.Judge(), Log: log, Clarify: agent.Clarify(cfg.Clarify),
		Asking: new(agent.Asking), Callbacks: &agent.Trace{Log: log},
		Budget: agent.Budget{Usual: cfg.TurnTokens, Turn: cfg.TurnTokensMax}}
	if p.chain.Models, err = openModels(cfg, meter, log); err != nil {
		return nil, errors.Join(err, p.close())
	}
	if p.chain.Judge, err = openJudge(cfg, meter, log); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.compactor = &agent.Compactor{Store: store, Model: m, Name: cfg.Model, Log: log}
	return p, nil
}

// loadTables begins to load what a first answer needs beside what else a start does.
func loadTables() {
	go memory.Count("a") // the vocabulary
	go reading.Synonyms("a")
	go agent.LoadPatterns()
}

func (p *parts) close() error { return errors.Join(p.engine.Close(), p.store.Close()) }

func newEngine(cfg *config.Config, log *slog.Logger) *pdfium.Engine {
	return pdfium.New(pdfium.Options{Workers: cfg.PDFWorkers, FileTimeout: cfg.PDFTimeout, CacheDir: cfg.CacheDir, Log: log,
		Languages: ocr.Languages{Names: cfg.OCRLanguages, Folder: cfg.OCRFolder}})
}

func newIndex(cfg *config.Config, store *memory.Store, engine *pdfium.Engine, log *slog.Logger) *docs.Index {
	return &docs.Index{Store: store, Engine: engine, Log: log,
		Limits: docs.Limits{Bytes: int64(cfg.MaxFileMB) << 20, Pages: cfg.MaxPages, Chars: 10_000_000}}
}

func openModel(cfg *config.Config, log *slog.Logger) (llms.Model, error) {
	m, err := model.Open(model.Options{Model: cfg.Model, Fallback: cfg.FallbackModel,
		OpenAIKey: string(cfg.OpenAIAPIKey), OpenAIBaseURL: cfg.OpenAIBaseURL,
		AnthropicKey: string(cfg.AnthropicAPIKey), AnthropicBaseURL: cfg.AnthropicBaseURL,
		Window: cfg.ModelWindow, Timeout: cfg.ModelTimeout, Log: log})
	if err != nil {
		return nil, usageError(err.Error())
	}
	return m, nil
}

// withModel are settings in which another model answers.
func withModel(cfg config.Config, name string) *config.Config {
	if name != cfg.Model {
		cfg.Model, cfg.ModelWindow = name, 0 // the window is that of MODEL
	}
	return &cfg
}

// namesOf are the models of a list.
func namesOf(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// openModels are those of MODELS, by name, within the budgets of a meter.
func openModels(cfg *config.Config, meter *spend.Meter, log *slog.Logger) (map[string]llms.Model, error) {
	all := make(map[string]llms.Model)
	for _, name := range namesOf(cfg.Models) {
		if meter == nil {
			return nil, usageError("MODELS needs MODEL, the one that answers where none was chosen")
		}
		if name == cfg.Model {
			continue
		}
		m, err := openModel(withModel(*cfg, name), log)
		if err != nil {
			return nil, fmt.Errorf("MODELS: %w", err)
		}
		all[name] = meter.With(m, name)
	}
	return all, nil
}

// openJudge is the model that judges answers within the budgets of a meter, nil without one. No other answers in its place: what it
// does not judge stays as it is.
func openJudge(cfg *config.Config, meter *spend.Meter, log *slog.Logger) (llms.Model, error) {
	name := cfg.Judge()
	if name == "" {
		return nil, nil
	}
	if meter == nil {
		return nil, usageError("JUDGE_MODEL needs MODEL, whose statements it judges")
	}
	judge := withModel(*cfg, name)
	judge.FallbackModel = ""
	m, err := openModel(judge, log)
	if err != nil {
		return nil, fmt.Errorf("JUDGE_MODEL: %w", err)
	}
	return meter.With(m, name), nil
}

// newMeter is a model within the budgets, which waits for its store; nil without a model.
func newMeter(m llms.Model, cfg *config.Config) (*spend.Meter, error) {
	prices, err := spend.ParsePrices(cfg.ModelPrices)
	if err != nil {
		return nil, usageError("MODEL_PRICES: " + err.Error())
	}
	meter := &spend.Meter{Model: m, Name: cfg.Model, Prices: prices}
	for _, b := range []struct {
		name, text string
		limit      *spend.Limit
	}{
		{"BUDGET_PERSON", cfg.BudgetPerson, &meter.Budgets.Person},
		{"BUDGET_CHANNEL", cfg.BudgetChannel, &meter.Budgets.Channel},
		{"BUDGET_ALL", cfg.BudgetAll, &meter.Budgets.All},
	} {
		if *b.limit, err = spend.ParseLimit(b.text); err != nil {
			return nil, usageError(b.name + ": " + err.Error())
		}
		for _, model := range append(namesOf(cfg.Models), cfg.Model, cfg.FallbackModel, cfg.Judge()) {
			if _, known := prices[model]; b.limit.Micros > 0 && model != "" && !known {
				return nil, usageError(fmt.Sprintf("%s is in money, and MODEL_PRICES has no price of %s", b.name, model))
			}
		}
	}
	if m == nil {
		return nil, nil
	}
	return meter, nil
}

// openStore opens the database for writing, or says who has it.
func openStore(ctx context.Context, sys system, cfg *config.Config, options ...memory.OpenOption) (*memory.Store, error) {
	waits := memory.TellWait(func(holder string, most time.Duration) {
		fmt.Fprintf(sys.Err, "threadkeeper: the database is %v: %s; waiting up to %v for it\n", memory.ErrLocked, holder, most)
	})
	store, err := memory.Open(ctx, databaseFile(sys, cfg), append(options, memory.ByVersion(version), waits)...)
	if err != nil {
		return nil, databaseError(databaseFile(sys, cfg), err)
	}
	store.Policy = memory.DefaultPolicy(cfg.TokenThreshold)
	store.Policy.Window = cfg.WindowInteractions
	return store, nil
}

// openReadOnly opens the database to be read beside a process that may write it.
func openReadOnly(ctx context.Context, sys system, cfg *config.Config) (*memory.Store, error) {
	path := databaseFile(sys, cfg)
	store, err := memory.OpenReadOnly(ctx, path, memory.ByVersion(version))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no database yet: %s", path)
	}
	return store, databaseError(path, err)
}

// databaseFile is the database; a relative name counts from where the program was started.
func databaseFile(sys system, cfg *config.Config) string {
	return fromDir(sys, cfg.DatabaseURL)
}

// isThere fails unless there is a file, or something that is read like one, of this name.
func isThere(name string) error {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError("there is no file " + name)
	}
	if err == nil && info.IsDir() {
		return usageError(name + " is a folder")
	}
	return err
}

// fromDir is a file whose relative name counts from where the program was started.
func fromDir(sys system, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(sys.Dir, name)
}
