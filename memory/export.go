package memory

import (
	"context"
	"encoding/json"
	"io"
	"time"
)

// Lines of an export. Type tells them apart; times are RFC 3339 in UTC.
type (
	exportedSession struct {
		Type      string      `json:"type"` // "session"
		ID        int64       `json:"id"`
		Key       Key         `json:"key"`
		Title     string      `json:"title,omitempty"`
		Watermark int64       `json:"watermark"`
		Threshold int         `json:"threshold,omitempty"` // the conversation's own
		Forked    *exportedAt `json:"forked,omitempty"`
	}
	exportedAt struct { // where a fork begins; what was said before is in the export of that thread
		Thread  string `json:"thread"` // of the same channel
		Message int64  `json:"message"`
	}
	exportedMessage struct {
		Type          string         `json:"type"` // "message"
		ID            int64          `json:"id"`
		Interaction   int64          `json:"interaction"`
		Role          Role           `json:"role"`
		Author        string         `json:"author"`
		At            string         `json:"at"`
		Text          string         `json:"text"`
		Tokens        int            `json:"tokens"`
		Rev           int64          `json:"rev"`
		Erased        bool           `json:"erased"`
		ReplyTo       int64          `json:"reply_to,omitempty"`
		Segment       int            `json:"segment"` // 0: verbatim
		Files         []exportedFile `json:"files,omitempty"`
		Understanding *Understanding `json:"understanding,omitempty"`
		Ledger        *Ledger        `json:"ledger,omitempty"`
		Citations     []Citation     `json:"citations,omitempty"`
	}
	exportedFile struct { // without its content
		Name  string `json:"name"`
		Media string `json:"media,omitempty"`
		Size  int64  `json:"size,omitempty"`
		Link  string `json:"link,omitempty"`
	}
	exportedSegment struct {
		Type      string        `json:"type"` // "segment"
		Number    int           `json:"number"`
		From      int64         `json:"from"`
		To        int64         `json:"to"`
		Messages  int           `json:"messages"`
		Narrative string        `json:"narrative"`
		Tokens    int           `json:"tokens"`
		Method    SegmentMethod `json:"method"`
		Stale     bool          `json:"stale"`
	}
	exportedFact struct {
		Type         string           `json:"type"` // "fact"
		ID           int64            `json:"id"`
		Kind         FactKind         `json:"kind"`
		Subject      string           `json:"subject"`
		Slot         string           `json:"slot"`
		SlotName     string           `json:"slot_name,omitempty"`
		Text         string           `json:"text"`
		State        FactState        `json:"state"`
		Origin       string           `json:"origin"`
		At           string           `json:"at"`
		ValidTo      string           `json:"valid_to,omitempty"`
		SupersededBy int64            `json:"superseded_by,omitempty"`
		Pinned       bool             `json:"pinned,omitempty"`
		ForChannel   bool             `json:"for_channel,omitempty"`
		Weight       int              `json:"weight,omitempty"`
		Sources      []exportedSource `json:"sources"`
	}
	exportedSource struct {
		Message int64  `json:"message"`
		Quote   string `json:"quote"`
	}
	exportedSnapshot struct {
		Type      string          `json:"type"` // "snapshot"
		Version   int64           `json:"version"`
		Watermark int64           `json:"watermark"`
		Tokens    int             `json:"tokens"`
		Rendered  string          `json:"rendered"`
		Summary   json.RawMessage `json:"summary"`
	}
	exportedCompaction struct {
		Type string `json:"type"` // "compaction"
		Compaction
		DoneAt int64 `json:"done_at,omitempty"` // left out: a conversation that is taken in again is folded at another time
	}
)

// Export writes a session that an audience may see, else ErrNotFound, as JSON
// lines: the session, its messages with everything that belongs to them, segments, facts,
// the snapshot and the compactions. Import reads them.
func (v *Views) Export(ctx context.Context, a Audience, session int64, w io.Writer) error {
	view, err := v.Show(ctx, a, session)
	if err != nil {
		return err
	}
	lines, err := v.exported(ctx, view)
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for i := 0; i < len(lines) && err == nil; i++ {
		err = out.Encode(lines[i])
	}
	return wrap("export", err)
}

// exported are the lines of an export.
func (v *Views) exported(ctx context.Context, view *View) (lines []any, err error) {
	head := exportedSession{Type: "session", ID: view.Session.ID, Key: view.Session.Key, Title: view.Session.Title, Watermark: view.Session.Watermark, Threshold: view.Session.Threshold}
	if p := view.Session.ParentID; p != 0 {
		head.Forked = &exportedAt{Message: view.Session.ParentUpto}
		err := v.reader.NewSelect().Model((*Session)(nil)).Column("thread").Where("id = ?", p).Scan(ctx, &head.Forked.Thread)
		if err != nil {
			return nil, err
		}
	}
	lines = append(lines, head)
	for _, m := range view.Messages {
		line, err := v.exportedMessage(ctx, m)
		if err != nil {
			return nil, err
		}
		line.Segment = view.Segment(m.ID)
		lines = append(lines, line)
	}
	for i, sg := range view.Segments {
		lines = append(lines, exportedSegment{Type: "segment", Number: i + 1, From: sg.FromID, To: sg.ToID, Messages: sg.Messages,
			Narrative: sg.Narrative, Tokens: sg.Tokens, Method: sg.Method, Stale: sg.Stale})
	}
	facts, err := v.exportedFacts(ctx, view.Session.ID)
	if err != nil {
		return nil, err
	}
	lines = append(lines, facts...)
	if sn := view.Snapshot; sn != nil {
		lines = append(lines, exportedSnapshot{Type: "snapshot", Version: sn.Version, Watermark: sn.Watermark, Tokens: sn.Tokens,
			Rendered: sn.Rendered, Summary: json.RawMessage(sn.JSON)})
	}
	st, err := v.Status(ctx, view.Session.ID)
	if err != nil {
		return nil, err
	}
	for _, c := range st.Compactions {
		lines = append(lines, exportedCompaction{Type: "compaction", Compaction: c})
	}
	return lines, nil
}

func (v *Views) exportedMessage(ctx context.Context, m *Message) (line exportedMessage, err error) {
	line = exportedMessage{Type: "message", ID: m.ID, Interaction: m.InteractionID, Role: m.Role, Author: m.Author,
		At: stamp(m.At), Text: m.Text, Tokens: m.Tokens, Rev: m.Rev, Erased: m.ErasedAt > 0, ReplyTo: m.ReplyTo}
	files, err := v.memory.FilesOf(ctx, []int64{m.ID})
	if err != nil {
		return line, err
	}
	for _, f := range files {
		if f.Name != "" {
			line.Files = append(line.Files, exportedFile{f.Name, f.Media, f.Size, f.Link})
		}
	}
	u, err := v.memory.understandingOf(ctx, m.ID)
	if err == nil {
		line.Understanding = &u
	} else if orNone(err) != nil {
		return line, err
	}
	l, err := v.memory.ledgerOf(ctx, m.ID)
	if err == nil {
		l.Answers = "" // of this database's documents
		line.Ledger = &l
	} else if orNone(err) != nil {
		return line, err
	}
	line.Citations, err = v.memory.Citations(ctx, m.ID)
	return line, err
}

func (v *Views) exportedFacts(ctx context.Context, session int64) (lines []any, err error) {
	facts, err := v.memory.Facts(ctx, session)
	if err != nil {
		return nil, err
	}
	var sources []FactSource
	if err := v.reader.NewSelect().Model(&sources).Join("JOIN facts AS f ON f.id = fs.fact_id").
		Where("f.session_id = ?", session).Order("fs.fact_id", "fs.message_id").Scan(ctx); err != nil {
		return nil, err
	}
	of := map[int64][]exportedSource{}
	for _, src := range sources {
		of[src.FactID] = append(of[src.FactID], exportedSource{Message: src.MessageID, Quote: src.Quote})
	}
	for _, f := range facts {
		line := exportedFact{Type: "fact", ID: f.ID, Kind: f.Kind, Subject: f.Subject, Slot: f.Slot, SlotName: f.SlotName, Text: f.Text, State: f.State,
			Origin: f.Origin, At: stamp(f.AssertedAt), SupersededBy: f.SupersededBy, Pinned: f.Pinned, ForChannel: f.ForChannel, Weight: f.Weight, Sources: of[f.ID]}
		if f.ValidTo > 0 {
			line.ValidTo = stamp(f.ValidTo)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func stamp(at int64) string { return time.UnixMilli(at).UTC().Format(time.RFC3339Nano) }
