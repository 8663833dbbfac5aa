package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"threadkeeper/agent"
	"threadkeeper/bot/console"
	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// importCmd takes in a conversation.
type importCmd struct {
	File   string `arg:"" help:"JSON lines with role, author, at, text and id, or a file from export; - for standard input."`
	Thread string `placeholder:"NAME" help:"Thread to put it in. Otherwise an export goes back to its own thread, and any other file into one named after it."`
}

// imported is one line. A line without an id is known by its content, so that the
// same file taken in twice changes nothing.
type imported struct {
	Type   string      `json:"type"` // of a line that export wrote
	Role   memory.Role `json:"role"`
	Author string      `json:"author"`
	At     moment      `json:"at"` // RFC 3339, or seconds or milliseconds since 1970 UTC
	Text   string      `json:"text"`
	ID     name        `json:"id"`
	Erased bool        `json:"erased"`
}

// skipped is true for lines of an export that say nothing: what is made of the messages is made again.
func (m *imported) skipped() bool {
	return slices.Contains([]string{"session", "segment", "fact", "snapshot", "compaction"}, m.Type) || m.Erased
}

// name is a text, or a number that stands for one.
type name string

func (n *name) UnmarshalJSON(b []byte) error {
	var number json.Number
	if b[0] != '"' && json.Unmarshal(b, &number) == nil {
		*n = name(number)
		return nil
	}
	if json.Unmarshal(b, (*string)(n)) != nil {
		return errors.New("id: want a text or a number")
	}
	return nil
}

// moment is a time in milliseconds since 1970 UTC; 0 when it is not said. A number below 1e11 in a file is in seconds.
type moment int64

func (m *moment) UnmarshalJSON(b []byte) error {
	var number json.Number
	if err := json.Unmarshal(b, &number); err == nil {
		at, err := number.Float64()
		if math.Abs(at) < 1e11 { // seconds: as milliseconds it would be before 1973-03-04
			at *= 1000
		}
		*m = moment(math.Round(at))
		if err == nil || number == "" {
			return nil
		}
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return errors.New("at: want RFC 3339 or Unix time")
	}
	if text == "" {
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return fmt.Errorf("at: %q is not RFC 3339 or Unix time", text)
	}
	*m = moment(t.UnixMilli())
	return nil
}

func (c *importCmd) Run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	in := sys.In
	if c.File != "-" {
		if err := isThere(fromDir(sys, c.File)); err != nil {
			return err
		}
		f, err := os.Open(fromDir(sys, c.File))
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	p, err := open(ctx, sys, cfg, memory.For("import"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if err := p.store.Queue.ResetLeases(ctx); err != nil {
		return err
	}
	r := bufio.NewReader(in)
	first, err := r.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read line 1: %w", err)
	}
	r = bufio.NewReader(io.MultiReader(bytes.NewReader(first), r))
	i := &importer{store: p.store, compactor: p.compactor, key: console.Key(c.into(first)), stored: map[saidLine]int{}, seen: map[string]int{}}
	err = memory.ErrNotEmpty
	if bytes.HasPrefix(first, []byte(exportHead)) {
		err = i.whole(ctx, r)
	}
	if errors.Is(err, memory.ErrNotEmpty) { // other lines, or an export whose messages join those that are there
		if err = i.lookUp(ctx); err == nil {
			err = i.lines(ctx, r)
		}
	}
	if err == nil && i.fresh+i.known == 0 && len(i.bad) > 0 {
		err = fmt.Errorf("%s holds no conversation: %w", c.File, i.bad[0])
	}
	if err != nil {
		return err
	}
	return i.report(ctx, sys)
}

// into is the thread that a file with this first line goes into.
func (c *importCmd) into(first []byte) string {
	if c.Thread != "" {
		return c.Thread
	}
	var head struct {
		Type string
		Key  memory.Key
	}
	if json.Unmarshal(first, &head) == nil && head.Type == "session" && head.Key == console.Key(head.Key.Thread) {
		return head.Key.Thread
	}
	if c.File == "-" {
		return "standard-input"
	}
	name := filepath.Base(c.File)
	return strings.Join(strings.Fields(reading.Visible(strings.TrimSuffix(name, filepath.Ext(name)))), " ")
}

// importer takes lines in, one by one, as if they were being said.
type importer struct {
	store     *memory.Store
	compactor *agent.Compactor
	key       memory.Key
	waiting   []memory.Incoming // lines that are not stored yet
	bytes     int               // of their texts
	stored    map[saidLine]int  // how often the thread holds it already, less those that came
	seen      map[string]int    // how often a line without id came, by its content, or one of an export, by that and its id
	session   int64
	fresh     int
	known     int
	bad       []error
}

// saidLine is a message as an export has it, whatever its id became.
type saidLine struct {
	role   memory.Role
	author string
	at     int64
	text   string
}

// lookUp notes what the thread holds already: an export may come back into its own thread.
func (i *importer) lookUp(ctx context.Context) error {
	session, err := i.store.SessionByKey(ctx, i.key)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	i.session = session.ID
	all, err := i.store.Messages(ctx, session.ID)
	for _, m := range all {
		i.stored[saidLine{m.Role, m.Author, m.At, m.Text}]++
	}
	return err
}

// exportHead begins what export wrote.
const exportHead = `{"type":"session",`

// whole takes in what export wrote as it was.
func (i *importer) whole(ctx context.Context, r io.Reader) error {
	session, err := i.store.Import(ctx, i.key, console.Channel(), author, r)
	if err != nil {
		return err
	}
	i.session = session.ID
	all, err := i.store.Messages(ctx, i.session)
	i.fresh = len(all)
	return errors.Join(err, i.compact(ctx))
}

// author is the person behind a name.
func author(name string) memory.Person {
	a := console.As(name)
	return memory.Person{PlatformID: a.ID, Name: a.Name, Kind: a.Kind, Admin: a.Admin}
}

// lines takes in every line. A bad one is kept for the report.
func (i *importer) lines(ctx context.Context, r *bufio.Reader) error {
	for n := 1; ; n++ {
		text, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read line %d: %w", n, err)
		}
		last := err != nil
		text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
		if len(text) > 0 {
			if m, err := readImported(text); err != nil {
				i.bad = append(i.bad, fmt.Errorf("line %d: %w", n, err))
			} else if m.skipped() {
				// nothing to be taken in
			} else if err := i.take(ctx, m); err != nil {
				return fmt.Errorf("line %d or shortly before: %w", n, err)
			}
		}
		if last {
			break
		}
	}
	if err := i.flush(ctx); err != nil || i.session == 0 {
		return err
	}
	return i.compact(ctx)
}

func readImported(text []byte) (imported, error) {
	var m imported
	if err := json.Unmarshal(text, &m); err != nil {
		var wrong *json.UnmarshalTypeError
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &wrong) && wrong.Field != "":
			err = fmt.Errorf("%s: want a %s, not this %s", wrong.Field, wrong.Type.Kind(), wrong.Value)
		case errors.As(err, &wrong), errors.As(err, &syntax):
			err = errors.New("this is not a JSON object")
		}
		return m, err
	}
	if m.skipped() {
		return m, nil
	}
	if m.Role != memory.User && m.Role != memory.Assistant {
		return m, fmt.Errorf("role: %q is not user or assistant", m.Role)
	}
	if strings.TrimSpace(m.Text) == "" {
		return m, errors.New("text is missing")
	}
	return m, nil
}

// Bounds of what is stored in one transaction.
const (
	batchLines = 24
	batchBytes = 48_000
)

// holds reports whether the thread holds a line of an export. Each message of the thread is one of them; the same line may come again.
func (i *importer) holds(m imported) bool {
	said := saidLine{m.Role, m.Author, int64(m.At), m.Text}
	line := fmt.Sprintf("%s\x00%v", m.ID, said)
	if i.seen[line]++; i.seen[line] > 1 {
		return true
	}
	i.stored[said]--
	return i.stored[said] >= 0
}

// take takes in a message; it is stored with those after it.
func (i *importer) take(ctx context.Context, m imported) error {
	if m.Type == "message" && m.ID != "" && i.holds(m) {
		i.known++
		return nil
	}
	id := string(m.ID)
	if id == "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", m.Role, m.Author, m.At, m.Text))
		id = hex.EncodeToString(sum[:16])
		i.seen[id]++
		id = fmt.Sprintf("%s-%d", id, i.seen[id])
	}
	id = "import:" + i.key.Thread + ":" + id
	in := memory.Incoming{Platform: i.key.Platform, EventID: id, Kind: "import", Key: i.key, Channel: console.Channel(),
		Message: &memory.Message{PlatformID: id, Role: m.Role, Author: m.Author, Text: m.Text, At: int64(m.At)}}
	if m.Role == memory.User {
		in.Person = author(m.Author)
	}
	i.waiting, i.bytes = append(i.waiting, in), i.bytes+len(m.Text)
	if len(i.waiting) < batchLines && i.bytes < batchBytes {
		return nil
	}
	return i.flush(ctx)
}

// flush stores what was taken in, and does the compactions it makes due.
func (i *importer) flush(ctx context.Context) error {
	for len(i.waiting) > 0 {
		received, err := i.store.Queue.ReceiveAll(ctx, i.waiting)
		if err != nil {
			return err
		}
		i.waiting = i.waiting[len(received):]
		for _, r := range received {
			i.session = r.Session.ID
			if r.Known || !r.New {
				i.known++
				continue
			}
			i.fresh++
			if r.Due {
				if err := i.compact(ctx); err != nil {
					return err
				}
			}
		}
	}
	i.waiting, i.bytes = nil, 0
	return nil
}

// compact does every compaction that is due.
func (i *importer) compact(ctx context.Context) error {
	for {
		worked, err := i.compactor.Next(ctx, "import")
		if err != nil || !worked {
			return err
		}
	}
}

// listedLines is how many bad lines are listed.
const listedLines = 20

// report says what was taken in and what was folded. Bad lines are an error.
func (i *importer) report(ctx context.Context, sys system) error {
	fmt.Fprintf(sys.Out, "thread %q: %s imported, %s already known, %s\n", i.key.Thread, say.Counted(i.fresh, "message"), say.Thousands(i.known), say.Counted(len(i.bad), "bad line"))
	if i.session != 0 {
		st, err := i.store.Views.Status(ctx, i.session)
		if err != nil {
			return err
		}
		for _, c := range st.Compactions {
			fmt.Fprintf(sys.Out, "compacted %s → %s tokens (messages %d to %d, %s)\n", say.Thousands(c.TokensBefore), say.Thousands(c.TokensAfter), c.FromID, c.ToID, c.Method)
		}
		fmt.Fprintf(sys.Out, "context %s / %s tokens, %s verbatim, %s in segments\n", say.Thousands(st.Context), say.Thousands(st.Threshold), say.Counted(st.Verbatim, "message"), say.Thousands(st.Compacted))
	}
	if len(i.bad) > 0 {
		shown := i.bad[:min(len(i.bad), listedLines)]
		if more := len(i.bad) - len(shown); more > 0 {
			shown = append(shown, fmt.Errorf("and %s more", say.Thousands(more)))
		}
		return fmt.Errorf("these lines were skipped:\n%w", errors.Join(shown...))
	}
	return nil
}
