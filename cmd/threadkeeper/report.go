package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"threadkeeper/agent/spend"
	"threadkeeper/bot"
	"threadkeeper/bot/console"
	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// reportCmd says what became of questions.
type reportCmd struct {
	Days int  `default:"7" placeholder:"N" help:"How many days back, today included (${default})."`
	JSON bool `name:"json" help:"Print one JSON object."`
}

const (
	reportList       = 20  // entries of each list
	reportWeeklyList = 10  // those of the one that is sent
	reportQuote      = 120 // characters of a question
)

// reported is what --json prints.
type reported struct {
	Since      string          `json:"since"` // a date in UTC
	Unanswered reportedAsked   `json:"unanswered"`
	Unhelpful  reportedAsked   `json:"unhelpful"`
	Helpful    int64           `json:"helpful"`
	Documents  []reportedAbout `json:"documents"`
	Spent      reportedSpent   `json:"spent"`
}

type reportedAsked struct {
	Count     int64              `json:"count"`
	Reasons   map[string]int64   `json:"reasons,omitempty"`
	Questions []reportedQuestion `json:"questions"` // from places that are reported with more than counts
}

type reportedQuestion struct {
	At       time.Time `json:"at"`
	Platform string    `json:"platform"`
	Channel  string    `json:"channel"`
	Reasons  []string  `json:"reasons,omitempty"`
	Question string    `json:"question"` // its beginning; "" if it is not stored any more
	Times    int       `json:"times"`    // that it was asked there, in these words; at is the last
}

type reportedAbout struct {
	Document string `json:"document"`
	Answers  int64  `json:"answers"`
}

type reportedSpent struct {
	Calls  int64 `json:"calls"`
	Tokens int64 `json:"tokens"`
	Micros int64 `json:"micros"` // millionths of the currency of MODEL_PRICES
}

// Run reads the database beside another process that may be writing it.
func (c *reportCmd) Run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	if c.Days < 1 {
		return usageError("--days is at least 1")
	}
	store, err := openReadOnly(ctx, sys, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	o, _, err := newReported(ctx, store, c.Days, memory.ReportOf{Own: console.Platform, Limit: reportList})
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(sys.Out).Encode(o)
	}
	_, err = io.WriteString(sys.Out, o.text(say.In("en")))
	return err
}

// weekly is the report that the person to gets each week ("slack/U024BE7LH"), nil if to is "".
func weekly(store *memory.Store, to string) (*bot.Report, error) {
	if to == "" {
		return nil, nil
	}
	name, person, ok := strings.Cut(to, "/")
	if !ok || titles[name] == "" || person == "" || strings.ContainsAny(person, "/ ,") {
		return nil, usageError("REPORT_TO must be slack/ID or discord/ID")
	}
	return &bot.Report{Platform: name, Person: person, Write: func(ctx context.Context, w *say.Words) (string, memory.Shown, error) {
		o, shows, err := newReported(ctx, store, 7, memory.ReportOf{Limit: reportWeeklyList, Platform: name, Reader: person}) // which leaves this machine
		if err != nil {
			return "", shows, err
		}
		return o.text(w), shows, nil
	}}, nil
}

// newReported reports on the last days, today included, and says what it quotes.
func newReported(ctx context.Context, store *memory.Store, days int, of memory.ReportOf) (o *reported, shows memory.Shown, err error) {
	of.Since = memory.Day(store.Now()) - int64(days-1)*24*time.Hour.Milliseconds()
	r, err := store.Views.Report(ctx, of)
	if err != nil {
		return nil, shows, err
	}
	usage, err := store.Views.Usage(ctx, memory.UsageOf{Since: of.Since})
	if err != nil {
		return nil, shows, err
	}
	for _, a := range slices.Concat(r.Unanswered.Shown, r.Unhelpful.Shown) {
		for _, a := range append(a.Same, a) {
			if a.Message > 0 {
				shows.Messages = append(shows.Messages, a.Message)
			}
		}
	}
	o = &reported{Since: time.UnixMilli(of.Since).UTC().Format(time.DateOnly), Unanswered: newReportedAsked(r.Unanswered), Unhelpful: newReportedAsked(r.Unhelpful),
		Helpful: r.Helpful, Documents: []reportedAbout{}}
	o.Unhelpful.Reasons = r.Reasons
	for _, d := range r.Documents.Shown {
		o.Documents = append(o.Documents, reportedAbout{quoted(d.Name), d.Answers})
		shows.Documents = append(shows.Documents, d.Latest)
	}
	for _, u := range usage {
		o.Spent.Calls += u.Calls
		o.Spent.Tokens += u.PromptTokens + u.CompletionTokens
		o.Spent.Micros += u.Micros
	}
	return o, shows, nil
}

func newReportedAsked(l memory.Listed[memory.Asked]) reportedAsked {
	r := reportedAsked{Count: l.Count, Questions: []reportedQuestion{}}
	for _, a := range l.Shown {
		r.Questions = append(r.Questions, reportedQuestion{time.UnixMilli(a.At).UTC(), a.Platform, quoted(a.Channel), a.Reasons, quoted(a.Text), 1 + len(a.Same)})
	}
	return r
}

// quoted is the beginning of a message on one line, without what cannot be seen.
func quoted(text string) string {
	return reading.Shorten(reading.CollapseSpace(reading.Visible(reading.CollapseSpace(text))), reportQuote)
}

// text is the report to be read.
func (o *reported) text(in *say.Words) string {
	w := in.Report
	var b strings.Builder
	fmt.Fprintf(&b, w.Since+"\n", o.Since)
	o.Unanswered.list(&b, w.Unanswered, in)
	o.Unhelpful.list(&b, w.Unhelpful, in)
	fmt.Fprintf(&b, "\n"+w.Helpful+"\n\n"+w.Documents, o.Helpful)
	if len(o.Documents) == 0 {
		b.WriteString(" " + w.None)
	}
	b.WriteString("\n")
	for _, d := range o.Documents {
		fmt.Fprintf(&b, "  %4d  %s\n", d.Answers, d.Document)
	}
	fmt.Fprintf(&b, "\n"+w.Spent, in.Count(in.Calls, int(o.Spent.Calls)), o.Spent.Tokens)
	if cost := spend.Money(o.Spent.Micros); cost != "" {
		b.WriteString(", " + cost)
	}
	fmt.Fprintf(&b, " ("+w.Listed+")\n", "threadkeeper usage")
	return b.String()
}

func (r *reportedAsked) list(b *strings.Builder, title string, in *say.Words) {
	w := in.Report
	fmt.Fprintf(b, "\n%s: %d\n", title, r.Count)
	for _, reason := range slices.Sorted(maps.Keys(r.Reasons)) {
		fmt.Fprintf(b, "  %4d  %s\n", r.Reasons[reason], cmp.Or(in.Reasons[reason], reason))
	}
	more := r.Count
	for _, q := range r.Questions {
		more -= int64(q.Times)
		fmt.Fprintf(b, "  %s  %s  %s", q.At.Format(time.DateOnly), q.Channel, cmp.Or(q.Question, w.Erased))
		if q.Times > 1 {
			fmt.Fprintf(b, " "+w.Times, q.Times)
		}
		for i, reason := range q.Reasons {
			fmt.Fprintf(b, "%s%s", [2]string{"  – ", ", "}[min(i, 1)], cmp.Or(in.Reasons[reason], reason))
		}
		b.WriteString("\n")
	}
	if more > 0 {
		fmt.Fprintf(b, "  "+w.More+"\n", more)
	}
}
