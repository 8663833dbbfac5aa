package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/agent"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

func (c *call) documents(ctx context.Context) ([]*memory.Document, error) {
	all, err := c.Bot.Index.List(ctx, c.Audience)
	return all, wrap("list documents", err)
}

func (c *call) showsDocuments(all []*memory.Document) {
	for _, d := range all {
		c.shows.Documents = append(c.shows.Documents, d.ID)
	}
}

func (c *call) documentLine(ctx context.Context, i int, d *memory.Document) string {
	line := fmt.Sprintf("%d. %s", i+1, say.Name(d.Name))
	switch d.State {
	case memory.DocumentFailed:
		return line + " – " + fmt.Sprintf(c.say.FailedFor, c.say.Flaw(say.FaultOf(d.Reason)).Why)
	case memory.DocumentReading:
		return line + " – " + c.say.BeingRead
	}
	line += c.extent(ctx, d)
	if d.Shared && c.Audience.Channel.Kind != memory.DM {
		line += ", " + c.say.SharedHere
	}
	return line
}

// extent says behind the name of a document how much of it was read, "" if that is not known.
func (c *call) extent(ctx context.Context, d *memory.Document) string {
	if d.Picture {
		return " – " + c.say.APicture
	}
	e, err := c.Bot.Index.Extent(ctx, d.ID)
	if err != nil {
		return ""
	}
	read := c.say.Count(c.say.Pages, e.Pages)
	if e.Read < e.Pages {
		read = fmt.Sprintf(c.say.PartlyRead, c.say.Number(e.Read), c.say.Number(e.Pages))
	}
	return " – " + strings.Join(append([]string{read}, agent.LeftOut(c.say.Code, e)...), ", ")
}

func docsList(ctx context.Context, c *call) (platform.Outgoing, error) {
	if c.Audience.NoDocuments {
		return commandText(c.say.NoDocuments)
	}
	all, err := c.documents(ctx)
	if err != nil {
		return platform.Outgoing{}, err
	}
	elsewhere, err := c.elsewhere(ctx)
	if err != nil {
		return platform.Outgoing{}, err
	}
	if len(all)+len(elsewhere) == 0 {
		return commandText(c.say.NoDocumentYet)
	}
	used, err := c.Bot.used(ctx, c.Session.ID)
	if err != nil {
		return platform.Outgoing{}, err
	}
	c.showsDocuments(all)
	lines := make([]string, len(all))
	for i, d := range all {
		lines[i] = c.documentLine(ctx, i, d)
		if slices.Contains(used, d.ID) {
			lines[i] += " (" + c.say.InUse + ")"
		}
	}
	if len(elsewhere) > 0 {
		lines = append(lines, "\n"+fmt.Sprintf(c.say.InThreads, c.typed("docs share")), "")
	}
	for i, d := range elsewhere {
		c.shows.Documents = append(c.shows.Documents, d.ID)
		name := say.Name(d.Name)
		if d.Link != "" {
			name = fmt.Sprintf("[%s](%s)", name, d.Link)
		}
		lines = append(lines, fmt.Sprintf("%d. %s%s", len(all)+i+1, name, c.extent(ctx, &d.Document)))
	}
	return commandText(strings.TrimSpace(strings.Join(lines, "\n")))
}

// elsewhere returns the documents of the channel's threads, oldest first, for a person who
// asks at the top of the channel: if a platform has no slash commands in threads they are shared and
// removed from there.
func (c *call) elsewhere(ctx context.Context) ([]memory.Shelved, error) {
	if overview, err := c.overview(ctx); err != nil || !overview {
		return nil, err
	}
	documents, err := c.Bot.Store.Views.Shelf(ctx, c.Audience, maxListed)
	slices.Reverse(documents)
	return slices.DeleteFunc(documents, func(d memory.Shelved) bool { return d.Shared || d.SessionID == c.Session.ID }),
		wrap("list documents", err)
}

func (c *call) listed(ctx context.Context) ([]*memory.Document, error) {
	all, err := c.documents(ctx)
	if err != nil {
		return nil, err
	}
	elsewhere, err := c.elsewhere(ctx)
	for i := range elsewhere {
		all = append(all, &elsewhere[i].Document)
	}
	return all, err
}

// pick returns the document that a number or a name means; without one the text says
// why.
func (c *call) pick(all []*memory.Document, what string) (*memory.Document, string) {
	what = strings.TrimSpace(what)
	if n, err := strconv.Atoi(strings.Trim(what, "#.")); err == nil {
		if n < 1 || n > len(all) {
			return nil, fmt.Sprintf(c.say.NoNumber, c.say.Number(n), c.typed("docs list"))
		}
		return all[n-1], ""
	}
	var named, near []*memory.Document
	for _, d := range all {
		switch {
		case strings.EqualFold(d.Name, what):
			named = append(named, d)
		case hearing.Likeness(what, d.Name) >= hearing.Similar, strings.Contains(strings.ToLower(d.Name), strings.ToLower(what)):
			near = append(near, d)
		}
	}
	if len(named) == 0 {
		named = near
	}
	switch len(named) {
	case 0:
		return nil, fmt.Sprintf(c.say.NoName, c.typed("docs list"))
	case 1:
		return named[0], ""
	}
	return nil, fmt.Sprintf(c.say.SeveralNames, c.typed("docs list"))
}

// useSetting stores the documents that answers of a session are limited to.
const useSetting = "docs.use"

func sessionScope(session int64) string { return fmt.Sprintf("session:%d", session) }

// used returns the documents chosen in a session that still exist; none means all.
func (b *Bot) used(ctx context.Context, session int64) ([]int64, error) {
	value, err := b.Store.Setting(ctx, sessionScope(session), useSetting)
	if err != nil || value == "" {
		return nil, wrap("read setting", err)
	}
	var ids []int64
	if err := json.Unmarshal([]byte(value), &ids); err != nil {
		return nil, wrap("read setting", err)
	}
	ids, err = b.Store.CurrentDocuments(ctx, ids)
	return ids, wrap("look up the documents chosen", err)
}

func docsUse(ctx context.Context, c *call) (platform.Outgoing, error) {
	scope := sessionScope(c.Session.ID)
	if strings.EqualFold(c.Args[0], "all") {
		if err := c.Bot.Store.SetSetting(ctx, scope, useSetting, ""); err != nil {
			return platform.Outgoing{}, wrap("store setting", err)
		}
		return commandText(c.say.UsesAll)
	}
	wanted := []string{c.Args[0]}
	if numbers := strings.FieldsFunc(c.Args[0], func(r rune) bool { return r == ',' || r == ' ' }); allNumbers(numbers) {
		wanted = numbers
	}
	if c.Audience.NoDocuments {
		return commandText(c.say.NoDocuments)
	}
	all, err := c.documents(ctx)
	if err != nil {
		return platform.Outgoing{}, err
	}
	var ids []int64
	var names []string
	for _, what := range wanted {
		d, problem := c.pick(all, what)
		if d == nil {
			return commandText(problem)
		}
		switch d.State {
		case memory.DocumentReading:
			return commandText(fmt.Sprintf(c.say.TryLater, say.Name(d.Name)))
		case memory.DocumentFailed:
			return commandText(say.ExplainFile(c.say, d.Name, say.FaultOf(d.Reason)))
		}
		ids, names = append(ids, d.ID), append(names, say.Name(d.Name))
	}
	c.shows.Documents = ids
	value, err := json.Marshal(ids)
	if err != nil {
		return platform.Outgoing{}, err
	}
	if err := c.Bot.Store.SetSetting(ctx, scope, useSetting, string(value)); err != nil {
		return platform.Outgoing{}, wrap("store setting", err)
	}
	return commandText(fmt.Sprintf(c.say.UsesOnly, strings.Join(names, ", "), c.typed("docs use all")))
}

func allNumbers(words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { _, err := strconv.Atoi(w); return err != nil })
}

func docsRemove(ctx context.Context, c *call) (platform.Outgoing, error) {
	defer c.Bot.erasures.ring()
	return c.change(ctx, c.say.Removed, c.say.MayNotRemove, func(ctx context.Context, a memory.Audience, id int64) error {
		if d, err := c.Bot.Store.Document(ctx, id); err == nil && d.RemovedAt > 0 { // by an earlier try
			return nil
		}
		err := c.Bot.Index.Remove(ctx, a, id)
		c.Bot.narrowed()
		return err
	})
}

func docsShare(ctx context.Context, c *call) (platform.Outgoing, error) {
	return c.change(ctx, c.say.Shared, c.say.MayNotShare, c.Bot.Index.Share)
}

// picked is the document that a command changes. Afterwards its number means another document,
// so the choice is stored first.
type picked struct {
	Document int64  `json:"document"`
	Name     string `json:"name"` // a removed document has none
}

// pickOnce returns the document that the argument means, the same in every attempt of the command;
// without one the text says why.
func (c *call) pickOnce(ctx context.Context) (*picked, string, error) {
	if c.picked != nil {
		return c.picked, "", nil
	}
	all, err := c.listed(ctx)
	if err != nil {
		return nil, "", err
	}
	d, problem := c.pick(all, c.Args[0])
	if d == nil {
		return nil, problem, nil
	}
	c.picked = &picked{d.ID, d.Name}
	c.row.Payload = request{Event: c.Event, Picked: c.picked}.encode() // for another attempt of this process, too
	_, err = c.Bot.Store.Queue.InboxSetPayload(ctx, c.row.ID, c.row.Payload)
	return c.picked, "", wrap("store what is changed", err)
}

// change applies a change to the document that the argument means, and says that it is done
// or not allowed.
func (c *call) change(ctx context.Context, done, barred string, do func(context.Context, memory.Audience, int64) error) (platform.Outgoing, error) {
	if c.Audience.NoDocuments {
		return commandText(c.say.NoDocuments)
	}
	p, problem, err := c.pickOnce(ctx)
	if err != nil {
		return platform.Outgoing{}, err
	}
	if p == nil {
		return commandText(problem)
	}
	d, err := c.Bot.Store.Document(ctx, p.Document)
	if err != nil {
		return platform.Outgoing{}, wrap("find a document", err)
	}
	a := c.Audience
	if d.SessionID != c.Session.ID && !d.Shared { // of a thread, requested at the top of its channel
		if a, err = c.Bot.audience(ctx, d.SessionID, a.Person); err != nil {
			return platform.Outgoing{}, err
		}
	}
	err = do(ctx, a, d.ID)
	if err == nil || errors.Is(err, docs.ErrNotYours) {
		if d, err := c.Bot.Store.Document(ctx, p.Document); err == nil && d.RemovedAt == 0 {
			c.shows.Documents = []int64{d.ID}
		}
	}
	if errors.Is(err, docs.ErrNotYours) {
		return commandText(fmt.Sprintf(barred, say.Name(p.Name)))
	}
	if err != nil { // a document of another channel is not found
		return platform.Outgoing{}, wrap("change a document", err)
	}
	return commandText(fmt.Sprintf(done, say.Name(p.Name)))
}
