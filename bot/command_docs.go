package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

// documents the person may use here, in the order of their numbers.
func (c *Call) documents(ctx context.Context) ([]*memory.Document, error) {
	if c.Bot.Index == nil {
		return nil, nil
	}
	all, err := c.Bot.Index.List(ctx, c.Audience)
	return all, wrap("list documents", err)
}

// documentLine is a document in one line.
func (c *Call) documentLine(ctx context.Context, i int, d *memory.Document) string {
	line := fmt.Sprintf("%d. %s", i+1, plain(d.Name))
	switch d.State {
	case memory.DocumentFailed:
		return line + " – " + fmt.Sprintf(c.say.failedFor, c.say.flaw(docsFault(d.Reason)).why)
	case memory.DocumentReading:
		return line + " – " + c.say.beingRead
	}
	if n, err := c.Bot.Index.Pages(ctx, d.ID); err == nil && n > 0 {
		line += " – " + c.say.count(c.say.pages, n)
	}
	if d.Shared && c.Audience.Channel.Kind != memory.DM {
		line += ", " + c.say.sharedHere
	}
	return line
}

func docsList(ctx context.Context, c *Call) (Outgoing, error) {
	if c.Audience.NoDocuments {
		return said(c.say.noDocuments)
	}
	all, err := c.documents(ctx)
	if err != nil {
		return Outgoing{}, err
	}
	elsewhere, err := c.elsewhere(ctx)
	if err != nil {
		return Outgoing{}, err
	}
	if len(all)+len(elsewhere) == 0 {
		return said(c.say.noDocumentYet)
	}
	used, err := c.Bot.used(ctx, c.Session.ID)
	if err != nil {
		return Outgoing{}, err
	}
	lines := make([]string, len(all))
	for i, d := range all {
		lines[i] = c.documentLine(ctx, i, d)
		if slices.Contains(used, d.ID) {
			lines[i] += " (" + c.say.inUse + ")"
		}
	}
	return said(strings.TrimSpace(strings.Join(append(lines, elsewhere...), "\n")))
}

// elsewhere are the documents of the channel's threads, a line each, for somebody
// who asks at its top.
func (c *Call) elsewhere(ctx context.Context) ([]string, error) {
	if overview, err := c.overview(ctx); err != nil || !overview {
		return nil, err
	}
	documents, err := c.Bot.Store.Shelf(ctx, c.Audience, maxListed)
	if err != nil {
		return nil, wrap("list documents", err)
	}
	var lines []string
	for _, d := range documents {
		if !d.Shared && d.SessionID != c.Session.ID {
			name := plain(d.Name)
			if d.Link != "" {
				name = fmt.Sprintf("[%s](%s)", name, d.Link)
			}
			lines = append(lines, fmt.Sprintf("- %s – %s", name, c.say.count(c.say.pages, d.Pages)))
		}
	}
	if len(lines) > 0 {
		lines = append([]string{"\n" + c.say.inThreads, ""}, lines...)
	}
	return lines, nil
}

// pick is the document that a number or a name means; without one the text says
// why.
func (c *Call) pick(ctx context.Context, what string) (*memory.Document, string, error) {
	if c.Audience.NoDocuments {
		return nil, c.say.noDocuments, nil
	}
	all, err := c.documents(ctx)
	if err != nil {
		return nil, "", err
	}
	what = strings.TrimSpace(what)
	if n, err := strconv.Atoi(strings.Trim(what, "#.")); err == nil {
		if n < 1 || n > len(all) {
			return nil, fmt.Sprintf(c.say.noNumber, c.say.number(n), c.typed("docs list")), nil
		}
		return all[n-1], "", nil
	}
	var named, near []*memory.Document
	for _, d := range all {
		switch {
		case strings.EqualFold(d.Name, what):
			named = append(named, d)
		case likeness(what, d.Name) >= similar, strings.Contains(strings.ToLower(d.Name), strings.ToLower(what)):
			near = append(near, d)
		}
	}
	if len(named) == 0 {
		named = near
	}
	switch len(named) {
	case 0:
		return nil, fmt.Sprintf(c.say.noName, c.typed("docs list")), nil
	case 1:
		return named[0], "", nil
	}
	return nil, fmt.Sprintf(c.say.severalNames, c.typed("docs list")), nil
}

// useSetting holds the documents that answers of a session are limited to.
const useSetting = "docs.use"

func sessionScope(session int64) string { return fmt.Sprintf("session:%d", session) }

// used are the documents chosen in a session, none for all.
func (b *Bot) used(ctx context.Context, session int64) ([]int64, error) {
	value, err := b.Store.Setting(ctx, sessionScope(session), useSetting)
	if err != nil || value == "" {
		return nil, wrap("read setting", err)
	}
	var ids []int64
	if err := json.Unmarshal([]byte(value), &ids); err != nil {
		return nil, wrap("read setting", err)
	}
	return ids, nil
}

func docsUse(ctx context.Context, c *Call) (Outgoing, error) {
	scope := sessionScope(c.Session.ID)
	if strings.EqualFold(c.Args[0], "all") {
		if err := c.Bot.Store.Set(ctx, scope, useSetting, ""); err != nil {
			return Outgoing{}, wrap("store setting", err)
		}
		return said(c.say.usesAll)
	}
	wanted := []string{c.Args[0]}
	if numbers := strings.FieldsFunc(c.Args[0], func(r rune) bool { return r == ',' || r == ' ' }); allNumbers(numbers) {
		wanted = numbers
	}
	var ids []int64
	var names []string
	for _, what := range wanted {
		d, problem, err := c.pick(ctx, what)
		if err != nil {
			return Outgoing{}, err
		}
		if d == nil {
			return said(problem)
		}
		switch d.State {
		case memory.DocumentReading:
			return said(fmt.Sprintf(c.say.tryLater, plain(d.Name)))
		case memory.DocumentFailed:
			return said(fileApology(c.say, d.Name, docsFault(d.Reason)))
		}
		ids, names = append(ids, d.ID), append(names, plain(d.Name))
	}
	value, err := json.Marshal(ids)
	if err != nil {
		return Outgoing{}, err
	}
	if err := c.Bot.Store.Set(ctx, scope, useSetting, string(value)); err != nil {
		return Outgoing{}, wrap("store setting", err)
	}
	return said(fmt.Sprintf(c.say.usesOnly, strings.Join(names, ", "), c.typed("docs use all")))
}

func allNumbers(words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { _, err := strconv.Atoi(w); return err != nil })
}

func docsRemove(ctx context.Context, c *Call) (Outgoing, error) {
	defer c.Bot.erasures.ring()
	return c.change(ctx, c.say.removed, c.say.mayNotRemove, func(id int64) error { return c.Bot.Index.Remove(ctx, c.Audience, id) })
}

func docsShare(ctx context.Context, c *Call) (Outgoing, error) {
	return c.change(ctx, c.say.shared, c.say.mayNotShare, func(id int64) error { return c.Bot.Index.Share(ctx, c.Audience, id) })
}

// change does something to the document that the argument means, and says that it is done
// or not allowed.
func (c *Call) change(ctx context.Context, done, barred string, do func(id int64) error) (Outgoing, error) {
	d, problem, err := c.pick(ctx, c.Args[0])
	if err != nil {
		return Outgoing{}, err
	}
	if d == nil {
		return said(problem)
	}
	err = do(d.ID)
	if errors.Is(err, docs.ErrNotYours) {
		return said(fmt.Sprintf(barred, plain(d.Name)))
	}
	if err != nil { // one of another channel is not found
		return Outgoing{}, wrap("change a document", err)
	}
	return said(fmt.Sprintf(done, plain(d.Name)))
}
