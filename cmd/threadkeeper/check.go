package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"threadkeeper/agent"
	"threadkeeper/bot/console"
	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/docs"
	"threadkeeper/docs/testdata"
	"threadkeeper/memory"
)

// checkCmd checks a text against documents.
type checkCmd struct {
	Answer  string   `arg:"" optional:"" placeholder:"ANSWER.md" help:"The answer, as text or Markdown; - is standard input."`
	Files   []string `arg:"" optional:"" name:"file" help:"Documents to check it against."`
	JSON    bool     `name:"json" help:"Print one JSON object."`
	HTML    string   `name:"html" placeholder:"FILE" help:"Write a page with the answer, its marks and pictures of the quoted pages."`
	Example bool     `help:"Check an answer about the sample report that comes with the program."`
}

// Help returns what --help says below the summary.
func (*checkCmd) Help() string {
	return `Each sentence gets a mark: ✓ with the page and the words that say so, ✗ with what the page says instead, ? if it was not found. It does not matter who wrote the answer, or whether it cites anything. Nothing is kept.

Without a model, rules compare words and numbers, and nothing is sent anywhere. With one (MODEL, or JUDGE_MODEL), it then reads the statements beside the places found, sixteen to a call; these go to its provider. Its verdict counts only with words that stand on such a page. JUDGE_MODEL=off leaves it to the rules. A daily budget bounds each run by itself.

Exit status: 0 nothing is contradicted, 1 something is, 2 nothing could be checked: wrong use, a file that cannot be read, or another failure. With --json the object then has an "error": no_file (a file is missing, or you have no permission to read it), unreadable (its content cannot be read) or failed.`
}

// errContradicted says that something in an answer is contradicted, which was printed.
var errContradicted = errors.New("contradicted")

// unreadableFile says why a file that is there cannot be checked.
type unreadableFile string

func (e unreadableFile) Error() string { return string(e) }

const longestAnswerFile = 64 << 20 // bytes

// Run checks the answer with a database of its own, which is removed.
func (c *checkCmd) Run(ctx context.Context, sys system, cfg *config.Config) error {
	switch {
	case c.Example && c.Answer != "":
		return usageError("--example takes no files")
	case !c.Example && len(c.Files) == 0:
		return usageError("say which answer and which documents: threadkeeper check answer.md report.pdf (or --example)")
	}
	err := c.run(ctx, sys, cfg)
	if err == nil || errors.Is(err, errContradicted) || ctx.Err() != nil {
		return err
	}
	usage := usageError(plainError(err))
	if !c.JSON {
		return usage
	}
	o := checkedObject{Documents: []string{}, Statements: []checkedStatement{}, Error: "failed", Text: string(usage)}
	switch {
	case errors.As(err, new(usageError)):
		o.Error = "no_file"
	case errors.As(err, new(unreadableFile)):
		o.Error = "unreadable"
	}
	return errors.Join(json.NewEncoder(sys.Out).Encode(o), usage)
}

func (c *checkCmd) run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	dir, err := os.MkdirTemp("", "threadkeeper-check")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	text, err := c.read(sys, dir)
	if err != nil {
		return err
	}
	store, err := memory.Open(ctx, filepath.Join(dir, "check.db"))
	if err != nil {
		return err
	}
	log := newLog(sys, cfg)
	engine := newEngine(cfg, log)
	defer func() { err = errors.Join(err, engine.Close(), store.Close()) }()
	checker := agent.Checker{Index: newIndex(cfg, store, engine, log)}
	if err := c.add(ctx, sys, store, &checker); err != nil {
		return err
	}
	if err := judgeChecks(sys, cfg, store, &checker, log); err != nil {
		return err
	}
	checked, err := checker.Check(ctx, text)
	if err != nil {
		return err
	}
	if c.HTML != "" {
		if err := writeCheckedHTML(ctx, fromDir(sys, c.HTML), checker, checked); err != nil {
			return err
		}
	}
	if c.JSON {
		err = json.NewEncoder(sys.Out).Encode(newCheckedObject(checker, checked))
	} else {
		err = console.WriteChecked(sys.Out, checked, len(checker.Documents) > 1, sys.OutTerminal && !noColor(sys))
	}
	if err == nil && checked.Count(agent.Differs) > 0 {
		err = errContradicted
	}
	return err
}

// judgeChecks lets the model that judges answers judge the checked statements too, if there is one.
func judgeChecks(sys system, cfg *config.Config, store *memory.Store, checker *agent.Checker, log *slog.Logger) error {
	if cfg.Judge() == "" {
		return nil
	}
	m, err := openModel(cfg, log)
	if err != nil {
		return err
	}
	meter, err := newMeter(m, cfg)
	if err != nil {
		return err
	}
	if meter != nil {
		meter.Store = store
	}
	judge, err := openJudge(cfg, meter, log)
	if err != nil {
		return err
	}
	told := false
	checker.JudgeName = cfg.Judge()
	checker.Judge = func(ctx context.Context, k *agent.Contest) (string, error) {
		if !told {
			fmt.Fprintf(sys.Err, "threadkeeper: %s reads the statements beside the places found (JUDGE_MODEL=off: only rules do)\n", checker.JudgeName)
		}
		told = true
		reply, err := agent.AskJudge(ctx, judge, k)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(sys.Err, "threadkeeper: %s did not judge the statements: %v\n", checker.JudgeName, err)
			return "", nil
		}
		return reply, err
	}
	return nil
}

// read reads the answer. It writes the sample into dir if that is to be checked.
func (c *checkCmd) read(sys system, dir string) (string, error) {
	if c.Example {
		report, _, err := samples(dir)
		c.Files = []string{report}
		return testdata.Answer, err
	}
	in := sys.In
	if c.Answer != "-" {
		if err := isThere(fromDir(sys, c.Answer)); err != nil {
			return "", usageError(plainError(err))
		}
		f, err := os.Open(fromDir(sys, c.Answer))
		if err != nil {
			return "", usageError(plainError(err))
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, longestAnswerFile+1))
	switch {
	case err != nil:
		return "", unreadableFile(fmt.Sprintf("read %s: %v", c.Answer, err))
	case len(data) > longestAnswerFile:
		return "", unreadableFile(c.Answer + " is larger than 64 MB")
	case !utf8.Valid(data) || strings.ContainsRune(string(data), 0):
		return "", unreadableFile(c.Answer + " is not text: give the answer as text or Markdown, and documents after it")
	case strings.TrimSpace(string(data)) == "":
		return "", unreadableFile(c.Answer + " is empty")
	}
	return string(data), nil
}

// add reads the documents. One that cannot be read is an error; one that was read in part is said.
func (c *checkCmd) add(ctx context.Context, sys system, store *memory.Store, checker *agent.Checker) error {
	me := console.Me()
	session, person, err := store.Locate(ctx, console.Key(""), console.Channel(), memory.Person{PlatformID: me.ID, Name: me.Name})
	if err != nil {
		return err
	}
	if checker.Audience, err = store.Audience(ctx, session.ID, person.ID); err != nil {
		return err
	}
	names := make([]string, len(c.Files))
	for i, name := range c.Files {
		names[i] = fromDir(sys, name)
	}
	paths, err := console.Files(names)
	if err != nil {
		return usageError(err.Error())
	}
	for _, path := range paths {
		name := filepath.Base(path)
		f, err := os.Open(path)
		if err != nil {
			return usageError(plainError(err))
		}
		d, err := checker.Index.Add(ctx, docs.Upload{Session: session, PersonID: person.ID, Name: name, Data: f}, nil)
		f.Close()
		if err == nil {
			err = checker.Index.ReadOn(ctx, d, nil)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return err
		case err != nil:
			return unreadableFile(say.ExplainFile(say.In("en"), name, err))
		case d.Picture:
			return unreadableFile(name + " is a picture; check needs a document with text")
		case d.Reason != "" && !strings.HasPrefix(d.Reason, docs.ErrScanned.Error()): // what was left out of it
			fmt.Fprintf(sys.Err, "threadkeeper: %s: %s\n", say.Plain(d.Name), d.Reason)
		}
		checker.Documents = append(checker.Documents, d)
	}
	return nil
}

// checkedObject is what --json prints.
type checkedObject struct {
	Documents    []string           `json:"documents"`
	Stands       int                `json:"stands"`
	Contradicted int                `json:"contradicted"`
	NotFound     int                `json:"not_found"`
	Cut          bool               `json:"cut"`             // the answer is longer than what was checked
	Judge        string             `json:"judge,omitempty"` // the model that judged too
	Judged       int                `json:"judged"`          // statements of which its verdict counted
	Statements   []checkedStatement `json:"statements"`
	Error        string             `json:"error,omitempty"` // a code of what kept it from being checked: no_file, unreadable, failed
	Text         string             `json:"text,omitempty"`  // that error in words
}

// checkedStatement is a sentence or a row. For one that was not found, document, page, place and quote are the nearest.
type checkedStatement struct {
	Text     string `json:"text"`
	Block    int    `json:"block"`   // the paragraph, item or table it is of, from 0
	Finding  string `json:"finding"` // stands, contradicted, not_found, no_claim
	Document string `json:"document,omitempty"`
	Page     int    `json:"page,omitempty"`
	Place    string `json:"place,omitempty"` // as people are shown it: "page 6", "rows 12–14"
	Quote    string `json:"quote,omitempty"`
	Says     string `json:"says,omitempty"` // of one that is contradicted: what the page says
}

var findings = map[agent.Finding]string{agent.NoClaim: "no_claim", agent.Stands: "stands", agent.Differs: "contradicted", agent.NotFound: "not_found"}

func newCheckedObject(checker agent.Checker, c *agent.Checked) checkedObject {
	o := checkedObject{Stands: c.Count(agent.Stands), Contradicted: c.Count(agent.Differs), NotFound: c.Count(agent.NotFound), Cut: c.Cut, Judge: c.Judge, Judged: c.Judged,
		Documents: []string{}, Statements: []checkedStatement{}}
	for _, d := range checker.Documents {
		o.Documents = append(o.Documents, d.Name)
	}
	for _, s := range c.Statements {
		place := ""
		if s.At.Page > 0 {
			place = say.Place("en", s.At)
		}
		o.Statements = append(o.Statements, checkedStatement{Text: s.Text, Block: s.Block, Finding: findings[s.Finding],
			Document: s.At.Document, Page: s.At.Page, Place: place, Quote: s.At.Quote, Says: s.Says})
	}
	return o
}
