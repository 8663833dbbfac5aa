package main

import (
	"cmp"
	"context"
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
	Days int `default:"7" placeholder:"N" help:"How many days back, today included (${default})."`
}

const (
	reportList       = 20  // entries of each list
	reportWeeklyList = 10  // those of the one that is sent
	reportQuote      = 120 // characters of a question
)

func (c *reportCmd) Read(ctx context.Context, sys system, _ *config.Config, store *memory.Store) error {
	if c.Days < 1 {
		return usageError("--days is at least 1")
	}
	text, _, err := reportText(ctx, store, c.Days, memory.ReportOf{Own: console.Platform, Limit: reportList}, say.In("en"))
	if err != nil {
		return err
	}
	_, err = io.WriteString(sys.Out, text)
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
		return reportText(ctx, store, 7, memory.ReportOf{Limit: reportWeeklyList, Platform: name, Reader: person}, w) // which leaves this machine
	}}, nil
}

// reportText is the report on the last days, today included, and what it quotes.
func reportText(ctx context.Context, store *memory.Store, days int, of memory.ReportOf, in *say.Words) (text string, shows memory.Shown, err error) {
	of.Since = memory.Day(store.Now()) - int64(days-1)*24*time.Hour.Milliseconds()
	r, err := store.Views.Report(ctx, of)
	if err != nil {
		return "", shows, err
	}
	usage, err := store.Views.Usage(ctx, memory.UsageOf{Since: of.Since})
	if err != nil {
		return "", shows, err
	}
	for _, a := range slices.Concat(r.Unanswered.Shown, r.Unhelpful.Shown) {
		for _, a := range append(a.Same, a) {
			if a.Message > 0 {
				shows.Messages = append(shows.Messages, a.Message)
			}
		}
	}
	w := in.Report
	var b strings.Builder
	fmt.Fprintf(&b, w.Since+"\n", time.UnixMilli(of.Since).UTC().Format(time.DateOnly))
	listAsked(&b, w.Unanswered, r.Unanswered, nil, in)
	listAsked(&b, w.Unhelpful, r.Unhelpful, r.Reasons, in)
	fmt.Fprintf(&b, "\n"+w.Helpful+"\n\n"+w.Documents, r.Helpful)
	if len(r.Documents.Shown) == 0 {
		b.WriteString(" " + w.None)
	}
	b.WriteString("\n")
	for _, d := range r.Documents.Shown {
		fmt.Fprintf(&b, "  %4d  %s\n", d.Answers, quoted(d.Name))
		shows.Documents = append(shows.Documents, d.Latest)
	}
	var calls, tokens, micros int64
	for _, u := range usage {
		calls, tokens, micros = calls+u.Calls, tokens+u.PromptTokens+u.CompletionTokens, micros+u.Micros
	}
	fmt.Fprintf(&b, "\n"+w.Spent, in.Count(in.Calls, int(calls)), tokens)
	if cost := spend.Money(micros); cost != "" {
		b.WriteString(", " + cost)
	}
	fmt.Fprintf(&b, " ("+w.Listed+")\n", "threadkeeper usage")
	return b.String(), shows, nil
}

// quoted is the beginning of a message on one line, without what cannot be seen.
func quoted(text string) string {
	return reading.Shorten(reading.CollapseSpace(reading.Visible(reading.CollapseSpace(text))), reportQuote)
}

func listAsked(b *strings.Builder, title string, l memory.Listed[memory.Asked], reasons map[string]int64, in *say.Words) {
	w := in.Report
	fmt.Fprintf(b, "\n%s: %d\n", title, l.Count)
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(b, "  %4d  %s\n", reasons[reason], cmp.Or(in.Reasons[reason], reason))
	}
	more := l.Count
	for _, a := range l.Shown {
		times := 1 + len(a.Same)
		more -= int64(times)
		fmt.Fprintf(b, "  %s  %s  %s", time.UnixMilli(a.At).UTC().Format(time.DateOnly), quoted(a.Channel), cmp.Or(quoted(a.Text), w.Erased))
		if times > 1 {
			fmt.Fprintf(b, " "+w.Times, times)
		}
		for i, reason := range a.Reasons {
			fmt.Fprintf(b, "%s%s", [2]string{"  – ", ", "}[min(i, 1)], cmp.Or(in.Reasons[reason], reason))
		}
		b.WriteString("\n")
	}
	if more > 0 {
		fmt.Fprintf(b, "  "+w.More+"\n", more)
	}
}
