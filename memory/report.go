package memory

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/reading"
)

// ReportOf says what a report covers.
type ReportOf struct {
	Since int64  // milliseconds UTC
	Own   string // the owner's own platform: its messages are shown like public ones
	Limit int    // entries of each list

	// Reader is the platform id of the person on Platform whom it is sent to: public channels are those of workspaces in which
	// they have written and are no guest. Without, it stays with the owner.
	Platform, Reader string
}

// Report tells the owner of a database how its answers did. From direct messages, private channels, and
// channels that are shared with another workspace or were not compared with the platform, it holds counts only.
type Report struct {
	Unanswered Listed[Asked]      // requests that ended with nothing found
	Unhelpful  Listed[Asked]      // requests with an answer that somebody found unhelpful
	Helpful    int64              // answers that somebody found helpful
	Reasons    map[string]int64   // why answers were unhelpful: how often each reason was given
	Documents  Listed[AskedAbout] // those cited in most answers first
}

// Listed is a list; some of its entries are only counted.
type Listed[T any] struct {
	Count int64 // including those not in Shown; of requests, those of the same words singly
	Shown []T   // at most ReportOf.Limit
}

// Asked is a request, or several of the same words in one channel; then the latest is described.
type Asked struct {
	Answer   int64    // the id of the message that answers it
	Message  int64    // that of its own, 0 if it is not stored any more
	Same     []Asked  `bun:"-"` // the earlier ones
	Reasons  []string `bun:"-"` // why the answer was unhelpful, as far as people said
	At       int64    // of the answer
	Platform string
	Channel  string // its name, else its id
	Text     string // "" if it is not stored any more
}

// AskedAbout is a document, by its content.
type AskedAbout struct {
	Latest  int64  // the id of the one that was added last
	Name    string // of it
	Answers int64  // that cite any
}

// Report reads the outcome of requests since a time.
func (v *Views) Report(ctx context.Context, of ReportOf) (r Report, err error) {
	r.Unanswered, err = v.askedBefore(ctx, of, `EXISTS (SELECT 1 FROM ledgers AS l WHERE l.message_id = m.id AND l.not_found)
		AND NOT EXISTS (SELECT 1 FROM messages AS later WHERE later.interaction_id = m.interaction_id AND later.role = 'assistant' AND later.id > m.id AND later.erased_at = 0)`)
	if err == nil {
		r.Unhelpful, err = v.askedBefore(ctx, of, `EXISTS (SELECT 1 FROM feedback AS fe WHERE fe.message_id = m.id AND fe.value = 'unhelpful')`)
	}
	if err == nil {
		r.Reasons, err = v.reasons(ctx, of, r.Unhelpful.Shown)
	}
	if err == nil {
		r.Helpful, err = v.answersSince(of).Where("EXISTS (SELECT 1 FROM feedback AS fe WHERE fe.message_id = m.id AND fe.value = 'helpful')").Count(ctx)
	}
	if err == nil {
		r.Documents, err = v.askedAbout(ctx, of)
	}
	return r, wrap("report on answers", err)
}

// answersSince are our messages of the report's time.
func (v *Views) answersSince(of ReportOf) *bun.SelectQuery {
	return v.reader.NewSelect().TableExpr("messages AS m").Where("m.role = ? AND m.at >= ? AND m.erased_at = 0", Assistant, of.Since)
}

// told selects the channels that a report shows more than counts of.
func (v *Views) told(of ReportOf) *bun.SelectQuery {
	return v.reader.NewSelect().Table("channels").Column("id").Where("platform = ? OR kind = ? AND "+heldOpen+` AND (? = '' OR EXISTS (SELECT 1 FROM people AS p
		WHERE p.platform = channels.platform AND p.workspace = channels.workspace AND p.platform = ? AND p.platform_id = ? AND p.kind = ?))`,
		of.Own, Public, of.Reader, of.Platform, of.Reader, Human)
}

// askedBefore are the requests whose answers fulfil a condition, the latest first.
func (v *Views) askedBefore(ctx context.Context, of ReportOf, where string) (l Listed[Asked], err error) {
	if l.Count, err = v.answersSince(of).Where(where).Count(ctx); err != nil {
		return l, err
	}
	var rows []Asked
	err = v.answersSince(of).Where(where).
		ColumnExpr("m.id AS answer, COALESCE(asked.id, 0) AS message, m.at, c.platform, COALESCE(NULLIF(c.name, ''), c.channel) AS channel, COALESCE(asked.text, '') AS text").
		Join("JOIN channels AS c ON c.id = m.channel_id").Join("LEFT JOIN messages AS asked ON asked.id = m.reply_to").
		Where("m.channel_id IN (?)", v.told(of)).OrderExpr("m.id DESC").Limit(askedRead).Scan(ctx, &rows)
	l.Shown = together(rows, of.Limit)
	return l, err
}

// askedRead is how many requests are read for a list in which the same ones are one entry.
const askedRead = 1000

// together joins requests of the same words in the same channel, but for case, blanks and what ends them, and returns
// at most limit.
func together(rows []Asked, limit int) (joined []Asked) {
	at := make(map[string]int)
	for _, a := range rows {
		words := strings.TrimRight(strings.ToLower(reading.CollapseSpace(a.Text)), " ?!.")
		key := strings.Join([]string{a.Platform, a.Channel, words}, "\n")
		if i, again := at[key]; again && words != "" {
			joined[i].Same = append(joined[i].Same, a)
			continue
		}
		if len(joined) == limit {
			continue
		}
		at[key] = len(joined)
		joined = append(joined, a)
	}
	return joined
}

func (a *Asked) answers(answer int64) bool {
	return a.Answer == answer || slices.ContainsFunc(a.Same, func(s Asked) bool { return s.Answer == answer })
}

// reasons counts why answers were unhelpful, and says it of those shown.
func (v *Views) reasons(ctx context.Context, of ReportOf, shown []Asked) (map[string]int64, error) {
	var rows []struct {
		Answer int64
		Reason string
	}
	err := v.answersSince(of).Join("JOIN feedback AS fe ON fe.message_id = m.id").ColumnExpr("m.id AS answer, fe.reason").
		Where("fe.value = 'unhelpful' AND fe.reason <> ''").OrderExpr("fe.at, fe.person_id").Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	count := make(map[string]int64)
	for _, r := range rows {
		count[r.Reason]++
		i := slices.IndexFunc(shown, func(a Asked) bool { return a.answers(r.Answer) })
		if i >= 0 && !slices.Contains(shown[i].Reasons, r.Reason) {
			shown[i].Reasons = append(shown[i].Reasons, r.Reason)
		}
	}
	return count, nil
}

func (v *Views) askedAbout(ctx context.Context, of ReportOf) (l Listed[AskedAbout], err error) {
	cited := func() *bun.SelectQuery {
		return v.answersSince(of).Join("JOIN citations AS ci ON ci.message_id = m.id").Join("JOIN documents AS d ON d.id = ci.document_id").Where("d.removed_at = 0")
	}
	if err = cited().ColumnExpr("COUNT(DISTINCT d.content_id)").Scan(ctx, &l.Count); err != nil {
		return l, err
	}
	most := cited().ColumnExpr("MAX(d.id) AS latest, COUNT(DISTINCT m.id) AS answers").Where("d.channel_id IN (?)", v.told(of)).Group("d.content_id")
	err = v.reader.NewSelect().TableExpr("(?) AS most", most).Column("most.latest", "d.name", "most.answers").Join("JOIN documents AS d ON d.id = most.latest").
		OrderExpr("most.answers DESC, d.id DESC").Limit(int64(of.Limit)).Scan(ctx, &l.Shown)
	return l, err
}

// DirectChannel is where somebody last wrote to us with nobody else there; ErrNotFound if they never did. Its key has no
// thread.
func (v *Views) DirectChannel(ctx context.Context, platform, person string) (k Key, err error) {
	err = v.reader.NewSelect().TableExpr("messages AS m").Join("JOIN channels AS c ON c.id = m.channel_id").Join("JOIN people AS p ON p.id = m.person_id").
		ColumnExpr("c.platform, c.workspace, c.channel").Where("c.platform = ? AND c.kind = ? AND p.platform_id = ? AND m.role = ?", platform, DM, person, User).
		Where("NOT EXISTS (SELECT 1 FROM messages AS o WHERE o.channel_id = m.channel_id AND o.role = ? AND o.person_id <> m.person_id)", User).
		OrderExpr("m.id DESC").Limit(1).Scan(ctx, &k)
	return k, missing(err)
}
