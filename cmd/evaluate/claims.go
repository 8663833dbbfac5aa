package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"threadkeeper/agent"
	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

type checks struct {
	Dir       string   `arg:"" type:"existingdir" help:"Folder of documents.txt (\"=== short name\", \"--- 1\" before each page), PDFs (called by their file name) and replies: every other .txt (\"=== right | documents | request | words of the claim that is wrong\")."`
	PDFs      string   `name:"pdfs" type:"existingdir" help:"Another folder of PDFs."`
	Replies   []string `help:"Only these files of replies."`
	Contested string   `type:"existingdir" help:"Folder to write what a judge would be asked: 001.txt for the first reply, if it has claims that could not be checked."`
	Verdicts  string   `type:"existingdir" help:"Folder of a judge's replies to these: 001.json. They are counted in."`
	JSON      bool     `name:"json" help:"Print one JSON object per reply, and the table last."`
}

// played is a reply with the outcome that is expected of it, and what became of it.
type played struct {
	File      string   `json:"file"`
	Expected  string   `json:"expected"` // "right" or "wrong"
	Documents []string `json:"documents"`
	Request   string   `json:"request"`
	Part      string   `json:"part,omitempty"` // of the claim that is wrong, "" for any
	Reply     string   `json:"reply"`
	Good      bool     `json:"good"`      // shown whole and unmarked; or left out or marked
	SentBack  bool     `json:"sent_back"` // it stops, and the model is asked to correct it
	LeftOut   bool     `json:"left_out"`  // if the model says it again
	Dropped   bool     `json:"dropped"`   // something is neither shown nor told as left out
	Claims    []judged `json:"claims"`
}

type judged struct {
	Text    string `json:"text"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
}

var outcomes = map[claims.Outcome]string{claims.Plain: "plain", claims.Verified: "verified", claims.Unchecked: "unchecked", claims.Contradicted: "contradicted"}

func (c *checks) Run(ctx context.Context) error {
	replies, err := c.replies()
	if err != nil {
		return err
	}
	store, closeStore, err := tempStore(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	engine := pdfium.New(pdfium.Options{})
	defer engine.Close()
	files, err := c.files()
	if err != nil {
		return err
	}
	shelf := shelf{ctx: ctx, index: &docs.Index{Store: store, Engine: engine}, files: files, ids: map[string]int64{}}
	room, err := open(ctx, store, memory.Key{Platform: "evaluate", Workspace: "w", Channel: "claims"}, memory.Private)
	if err != nil {
		return err
	}
	shelf.room = room
	for i := range replies {
		if err := replies[i].play(shelf, c.judge(i+1)); err != nil {
			return fmt.Errorf("%q: %w", replies[i].Reply, err)
		}
	}
	return c.report(os.Stdout, replies)
}

// replies reads the files of replies.
func (c *checks) replies() ([]played, error) {
	paths := c.Replies
	if paths == nil {
		all, err := filepath.Glob(filepath.Join(c.Dir, "*.txt"))
		if err != nil {
			return nil, err
		}
		paths = slices.DeleteFunc(all, func(p string) bool { return filepath.Base(p) == "documents.txt" })
	}
	var list []played
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, part := range strings.Split("\n"+strings.TrimSpace(string(data)), "\n=== ")[1:] {
			head, reply, _ := strings.Cut(part, "\n")
			fields := append(strings.Split(head, " | "), "")
			if len(fields) < 4 {
				return nil, fmt.Errorf("%s: no request in %q", path, head)
			}
			list = append(list, played{File: filepath.Base(path), Expected: fields[0], Documents: strings.Fields(fields[1]), Request: fields[2], Part: fields[3], Reply: reply})
		}
	}
	return list, nil
}

// files are the documents by what replies call them.
func (c *checks) files() (map[string]file, error) {
	all := map[string]file{}
	for _, dir := range []string{c.Dir, c.PDFs} {
		paths, err := filepath.Glob(filepath.Join(dir, "*.pdf"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			name := filepath.Base(path)
			all[strings.TrimSuffix(name, ".pdf")] = file{name, "application/pdf", func() (io.ReadCloser, error) { return os.Open(path) }}
		}
	}
	data, err := os.ReadFile(filepath.Join(c.Dir, "documents.txt"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		short, name, _ := strings.Cut(head, " ")
		d := pagedDocument{}
		for _, page := range strings.Split("\n"+body, "\n--- ")[1:] {
			_, page, _ = strings.Cut(page, "\n")
			d.Pages = append(d.Pages, page)
		}
		all[short] = file{strings.TrimSuffix(name, filepath.Ext(name)) + ".txt", "text/plain", func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(d.text())), nil }}
	}
	return all, nil
}

// judge returns what settles the contested claims of reply n: it writes the prompt, or reads the answer, as was asked for.
func (c *checks) judge(n int) func(*agent.Contest) error {
	return func(k *agent.Contest) error {
		if c.Contested != "" {
			text := ""
			for _, m := range k.Prompt("7d1f4ac0be92") {
				text += fmt.Sprintf("===== %s\n%v\n", m.Role, m.Parts[0])
			}
			if err := os.WriteFile(filepath.Join(c.Contested, fmt.Sprintf("%03d.txt", n)), []byte(text), 0o600); err != nil {
				return err
			}
		}
		if c.Verdicts == "" {
			return nil
		}
		answer, err := os.ReadFile(filepath.Join(c.Verdicts, fmt.Sprintf("%03d.json", n)))
		if errors.Is(err, os.ErrNotExist) { // the judge failed
			return nil
		}
		if err == nil {
			_, err = k.Settle(string(answer))
		}
		return err
	}
}

// play has a reply judged as the bot does, block by block, where the model says the same again when it is asked to correct it;
// then judge may settle what is contested.
func (p *played) play(s shelf, judge func(*agent.Contest) error) error {
	for _, name := range p.Documents {
		id, err := s.add(name)
		if err != nil {
			return err
		}
		s.library, s.names = append(s.library, id), append(s.names, s.files[name].name)
	}
	r := &claims.Reply{Request: p.Request, Source: s, Strict: true}
	var queue, all []*claims.Block
	written := map[*claims.Block]string{}
	advance := func(whole bool) {
		for len(queue) > 0 && !r.Judge(queue[0], whole) {
			b := queue[0]
			queue = queue[1:]
			for _, c := range b.Claims {
				p.SentBack = p.SentBack || c.Outcome == claims.Contradicted && (p.Expected == "right" || strings.Contains(c.Text, p.Part))
			}
			b.Doubt()
			all = append(all, b)
		}
	}
	for rest := p.Reply; rest != ""; {
		n := claims.NextBlock(rest, true)
		b, err := r.Add(rest[:n])
		if err != nil {
			return err
		}
		written[b] = claims.Bare(rest[:n], s.Named)
		rest, queue = rest[n:], append(queue, b)
		advance(false)
	}
	advance(true)
	if err := s.contest(r, all, judge); err != nil {
		return err
	}
	shown, told, worst, found := "", "", claims.Plain, claims.Plain
	for _, b := range all {
		text := b.Text(func(claims.Place) string { return "" }, func(c *claims.Claim) bool { return c.Outcome == claims.Contradicted }, nil)
		if shown += text; text == "" && b.Outcome() == claims.Contradicted {
			told += written[b] // all of it, with its heads
		}
		for _, c := range b.Claims {
			if c.Outcome == claims.Contradicted {
				told += c.Text
			}
			if worst = max(worst, c.Outcome); strings.Contains(c.Text, p.Part) {
				found = max(found, c.Outcome)
			}
			p.Claims = append(p.Claims, judged{c.Text, outcomes[c.Outcome], c.Reason.String()})
		}
	}
	p.LeftOut = found == claims.Contradicted
	if p.Good = found >= claims.Unchecked; p.Expected == "right" {
		p.Good, p.LeftOut = worst <= claims.Verified, worst == claims.Contradicted
	}
	p.Dropped = missesWords(claims.Bare(p.Reply, s.Named), working.ReplaceAllString(shown, "")+told)
	return nil
}

// missesWords reports whether a text holds fewer letters and digits than another.
func missesWords(written, shown string) bool {
	return len(notWord.ReplaceAllString(written, "")) > len(notWord.ReplaceAllString(shown, ""))
}

// working matches a computation as people see it.
var working = regexp.MustCompile(`\(= [\d\s.,+×/−–^()$€£%-]*\)`)

var notWord = regexp.MustCompile(`[^\pL\pN]+`)

// report prints what became of the replies, in all and by file.
func (c *checks) report(w io.Writer, all []played) error {
	var rows []row
	sum := func(name string, of func(played) bool) {
		m := newMean()
		n := 0
		for _, p := range all {
			if !of(p) {
				continue
			}
			n++
			m.add("dropped", one(p.Dropped))
			m.add(p.Expected+" sent back", one(p.SentBack))
			m.add(p.Expected+" left out", one(p.LeftOut))
			if p.Expected == "right" {
				m.add("right whole", one(p.Good))
			} else {
				m.add("wrong caught", one(p.Good))
			}
		}
		if n > 0 {
			r := m.row(name)
			r.Records = n
			rows = append(rows, r)
		}
	}
	sum("all", func(played) bool { return true })
	var files []string
	for _, p := range all {
		if !slices.Contains(files, p.File) {
			files = append(files, p.File)
		}
	}
	for _, f := range files {
		sum(f, func(p played) bool { return p.File == f })
	}
	if c.JSON {
		out := json.NewEncoder(w)
		var errs []error
		for _, p := range all {
			errs = append(errs, out.Encode(p))
		}
		return errors.Join(append(errs, out.Encode(rows))...)
	}
	for _, p := range all {
		if p.Good && !p.Dropped {
			continue
		}
		fmt.Fprintf(w, "%s, but: %s | %s\n%s\n", p.Expected, strings.Join(p.Documents, " "), p.Request, p.Reply)
		for _, j := range p.Claims {
			fmt.Fprintf(w, "   %s: %s  %s\n", j.Outcome, j.Text, j.Reason)
		}
		fmt.Fprintln(w)
	}
	return show(w, false, []string{"right whole", "right sent back", "right left out", "wrong caught", "wrong sent back", "wrong left out", "dropped"}, rows)
}
