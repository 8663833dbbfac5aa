package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"threadkeeper/agent"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

const (
	silence      = 30 * time.Second // in which a download may bring nothing
	maxOpens     = 4                // attempts to download a file that the platform still has
	longestPause = 2 * time.Minute  // before another one
	laterTime    = time.Hour        // how long after its message each turn tries again
	defaultBytes = 50 << 20         // of one file where the index sets no limit
)

type attached struct {
	documents []*memory.Document
	failed    []string // a sentence each
	sentence  string   // failed, as one text
	unseen    []string // names of pictures that are not downloaded, because no model would see them
}

// fail adds a sentence, once: two files may have one name.
func (r *attached) fail(why string) {
	if !slices.Contains(r.failed, why) {
		r.failed = append(r.failed, why)
	}
}

// attachments reads the waiting files of the session, each once, and shows
// its progress. A file that cannot be read is mentioned; the turn continues. Files of an
// overheard turn wait for one that is not.
func (t *turn) attachments(ctx context.Context) (attached, error) {
	var r attached
	if t.overheard.Load() {
		return r, nil
	}
	if err := t.earlier(ctx, &r); err != nil {
		return r, err
	}
	files, err := t.bot.Store.WaitingFiles(ctx, t.session.ID)
	if err != nil {
		return r, wrap("look for files", err)
	}
	a, err := t.bot.audience(ctx, t.session.ID, t.person.ID)
	if err != nil {
		return r, err
	}
	closed := a.NoDocuments // to who asks
	if files, r.unseen, err = t.leavePictures(ctx, files); err != nil {
		return r, err
	}
	for _, f := range files {
		if closed { // it is left for a turn of somebody who may know about it
			barred, err := t.barred(ctx, f)
			if err != nil {
				return r, err
			}
			if !barred {
				continue
			}
		}
		beside, err := t.beside(ctx, f)
		if err != nil {
			return r, err
		}
		if beside && f.Reason != "" {
			continue
		}
		var d *memory.Document
		if f.Reason == "" {
			d, err = t.read(ctx, f)
		} else {
			err = say.FaultNamed(f.Reason)
		}
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if beside && (errors.Is(err, docs.ErrUnsupported) || errors.Is(err, docs.ErrPicture)) {
			id := int64(0)
			if d != nil {
				id = d.ID
			}
			if err := t.bot.Store.SetFileResult(ctx, f.ID, id, memory.FileWaiting, say.FaultCode(err)); err != nil {
				return r, err
			}
			continue
		}
		if err := t.record(ctx, f, d, err); err != nil {
			return r, err
		}
		if d != nil {
			r.documents = append(r.documents, d)
		}
		if err != nil {
			t.log.Info("could not read a file", "file", f.ID, "error", err)
			r.fail(say.ExplainFile(t.say, f.Name, err))
		}
	}
	if !closed {
		err = t.readOn(ctx, a, &r)
	}
	r.sentence = strings.Join(r.failed, "\n\n")
	if closed {
		r.documents, r.unseen = nil, nil
	}
	return r, err
}

// beside reports whether somebody else posted a file that the turn does not speak of: if its kind cannot be read, nothing is
// said of it before somebody asks, and why is kept until then.
func (t *turn) beside(ctx context.Context, f *memory.File) (bool, error) {
	if slices.ContainsFunc(t.messages, func(m *memory.Message) bool { return agent.AboutFile(m.Text, f.Name) }) {
		return false, nil
	}
	m, err := t.bot.Store.Message(ctx, f.MessageID)
	if err != nil {
		return false, wrap("find the file's message", err)
	}
	return m.PersonID != t.person.ID, nil
}

// readOn reads what is left of scans in the session, the last one first, for at most ScanWait.
func (t *turn) readOn(ctx context.Context, a memory.Audience, r *attached) error {
	index := t.bot.Index
	if t.bot.ScanWait <= 0 {
		return nil
	}
	list, err := index.List(ctx, a)
	if err != nil {
		return wrap("list documents", err)
	}
	wait, cancel := context.WithTimeout(ctx, t.bot.ScanWait)
	defer cancel()
	for _, d := range slices.Backward(list) {
		if d.SessionID != t.session.ID || d.State != memory.DocumentReady {
			continue
		}
		err := index.ReadOn(wait, d, t.readingPage)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			t.log.Info("could not read all of a scan", "document", d.ID, "error", err)
		}
		if d.State == memory.DocumentFailed {
			r.fail(say.ExplainFile(t.say, d.Name, err))
		}
		if i := slices.IndexFunc(r.documents, func(n *memory.Document) bool { return n.ID == d.ID }); i >= 0 {
			r.documents[i] = d
		}
	}
	return nil
}

func (t *turn) readingPage(p docs.Progress) {
	t.view.emit(agent.Progress{Status: fmt.Sprintf(t.say.ReadingPage, p.Document, p.Page, p.Pages)})
}

// leavePictures takes pictures out of waiting files if they are not needed now; another turn may need them. With a
// model that takes pictures, or if their text is read, these are earlier ones that the request is not about; without one all,
// whose names are unseen, the newest first.
func (t *turn) leavePictures(ctx context.Context, files []*memory.File) (wanted []*memory.File, unseen []string, err error) {
	if !slices.ContainsFunc(files, func(f *memory.File) bool { return docs.SeemsPicture(f.Name, f.Media) }) {
		return files, nil, nil
	}
	taken := t.looks(ctx) || t.bot.Index.ReadsScans()
	var fresh []int64
	about, earlier := false, 0
	for _, m := range t.messages {
		about = about || agent.AboutPicture(m.Text)
	}
	for _, f := range slices.Backward(files) {
		if !docs.SeemsPicture(f.Name, f.Media) {
			wanted = append(wanted, f)
			continue
		}
		if !taken {
			unseen = append(unseen, f.Name)
			continue
		}
		own := slices.ContainsFunc(t.messages, func(m *memory.Message) bool { return m.ID == f.MessageID })
		if !own && fresh == nil {
			if fresh, err = t.bot.Store.SaidBefore(ctx, t.messages[0], agent.FreshMessages); err != nil {
				return nil, nil, err
			}
		}
		if !own {
			if earlier == agent.MostPictures || !about && !slices.Contains(fresh, f.MessageID) {
				continue
			}
			earlier++
		}
		wanted = append(wanted, f)
	}
	slices.Reverse(wanted)
	return wanted, unseen[:min(len(unseen), agent.MostPictures)], nil
}

func (t *turn) looks(ctx context.Context) bool {
	chain, ok := t.bot.Chain.(interface {
		TakesPictures(ctx context.Context, model string) bool
	})
	return ok && chain.TakesPictures(ctx, t.model)
}

// barred reports whether a file must not be read, because of its author or its place.
func (t *turn) barred(ctx context.Context, f *memory.File) (bool, error) {
	m, err := t.bot.Store.Message(ctx, f.MessageID)
	if err != nil {
		return false, wrap("find the file's message", err)
	}
	a, err := t.bot.audience(ctx, t.session.ID, m.PersonID)
	return a.NoDocuments, err
}

// earlier adds what a previous attempt has read of the turn's messages.
func (t *turn) earlier(ctx context.Context, r *attached) error {
	var ids []int64
	for _, m := range t.messages {
		ids = append(ids, m.ID)
	}
	files, err := t.bot.Store.FilesOf(ctx, ids)
	if err != nil {
		return wrap("look for files", err)
	}
	for _, f := range files {
		if f.State == memory.FileFailed && t.resumed && f.Name != "" { // else it was deleted
			r.fail(say.ExplainFile(t.say, f.Name, say.FaultNamed(f.Reason)))
		}
		if f.State == memory.FileWaiting || f.DocumentID == 0 {
			continue
		}
		d, err := t.bot.Store.Document(ctx, f.DocumentID)
		if err == nil && d.RemovedAt == 0 {
			r.documents = append(r.documents, d)
		} else if err != nil && !gone(err) {
			return wrap("load document", err)
		}
	}
	return nil
}

// read gives a file to the index, downloading it again while the platform is
// unreachable.
func (t *turn) read(ctx context.Context, f *memory.File) (*memory.Document, error) {
	index := t.bot.Index
	if barred, err := t.barred(ctx, f); err != nil {
		return nil, err
	} else if barred {
		return nil, say.ErrBarred
	}
	limit := index.Limits.Bytes
	if limit <= 0 {
		limit = defaultBytes
	}
	if f.Size > limit {
		return nil, docs.ErrTooLarge
	}
	t.view.emit(agent.Progress{Status: fmt.Sprintf(t.say.Reading, f.Name)})
	coming := ctx
	if until, ok := ctx.Deadline(); ok { // else the turn would end without an answer, and so would the next ones
		var cancel context.CancelFunc
		coming, cancel = context.WithTimeout(ctx, time.Until(until)*3/4)
		defer cancel()
	}
	for try := 1; ; try++ {
		d, err := t.fetch(ctx, coming, f, limit)
		if !errors.Is(err, docs.ErrGone) || errors.Is(err, platform.ErrFileGone) || try == maxOpens || !sleep(coming, openPause(try, err)) {
			return d, err
		}
		t.log.Info("could not download a file", "file", f.ID, "error", err)
	}
}

func openPause(try int, err error) time.Duration {
	var later *platform.RetryError
	if errors.As(err, &later) {
		return min(later.After, longestPause)
	}
	return backoff(try)
}

// fetch downloads a file of at most limit bytes, as long as coming is not done, and gives it to the index. The error is
// docs.ErrGone if it cannot be downloaded, ErrFileGone as well if it never can.
func (t *turn) fetch(ctx, coming context.Context, f *memory.File, limit int64) (*memory.Document, error) {
	open, cancel := context.WithCancel(coming)
	defer cancel()
	alarm := time.AfterFunc(silence, cancel)
	body, err := t.platform.Open(open, *f)
	alarm.Stop()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", docs.ErrGone, err)
	}
	defer body.Close()
	in := docs.Upload{Session: t.session, MessageID: f.MessageID, Name: f.Name, Media: f.Media,
		Data: &arriving{r: body, left: limit, cancel: cancel}, Unseen: !t.looks(ctx)}
	if m, err := t.bot.Store.Message(ctx, f.MessageID); err == nil { // people drop a file at the top of a direct message and ask about it in the next thread
		in.PersonID, in.Shared = m.PersonID, t.request.Channel.Kind == memory.DM && m.PlatformID == t.session.Thread
	}
	return t.bot.Index.Add(ctx, in, t.readingPage)
}

// record stores the outcome of a file. One that could not be downloaded now waits for the next turn.
func (t *turn) record(ctx context.Context, f *memory.File, d *memory.Document, err error) error {
	state, reason, id := memory.FileRead, "", f.DocumentID
	if d != nil {
		id = d.ID
	}
	if err != nil {
		state, reason = memory.FileFailed, say.FaultCode(err)
	}
	if reason == say.FileUnreached {
		m, err := t.bot.Store.Message(ctx, f.MessageID)
		if err != nil {
			return wrap("find the file's message", err)
		}
		if t.bot.Store.Now()-m.At < laterTime.Milliseconds() {
			state, reason = memory.FileWaiting, ""
		}
	}
	return t.bot.Store.SetFileResult(ctx, f.ID, id, state, reason)
}

func (t *turn) wordless() bool {
	return !slices.ContainsFunc(t.messages, func(m *memory.Message) bool { return strings.TrimSpace(m.Text) != "" })
}

// arriving is a file on its way, which is cancelled once it brings nothing for a while. It fails with docs.ErrTooLarge once
// more than left bytes were read.
type arriving struct {
	r      io.Reader
	left   int64
	cancel func()
}

func (c *arriving) Read(p []byte) (int, error) {
	alarm := time.AfterFunc(silence, c.cancel)
	n, err := c.r.Read(p)
	alarm.Stop()
	c.left -= int64(n)
	if c.left < 0 {
		return n, docs.ErrTooLarge
	}
	return n, err
}
