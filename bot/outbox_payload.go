package bot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// parcel is the payload of an outbox row: what is posted where, and for the
// answer of a turn what is recorded once it was.
type parcel struct {
	To     platform.Address  `json:"to"`
	Out    platform.Outgoing `json:"out"`
	Record *record           `json:"record,omitempty"`
}

// record is a memory.Answer in a form that survives a restart.
type record struct {
	Rows          []int64                        `json:"rows"`
	Interactions  []int64                        `json:"interactions,omitempty"`
	State         memory.InteractionState        `json:"state,omitempty"`
	Settle        memory.InboxState              `json:"settle,omitempty"`
	Text          string                         `json:"text"`
	ReplyTo       int64                          `json:"reply_to"`
	Interaction   int64                          `json:"interaction"`
	Understanding map[int64]memory.Understanding `json:"understanding,omitempty"`
	Ledger        memory.Ledger                  `json:"ledger"`
	Citations     []cited                        `json:"citations,omitempty"`
	Question      *memory.Question               `json:"question,omitempty"`
}

// cited is a memory.Citation with the id of its document.
type cited struct {
	N        int    `json:"n"`
	Document int64  `json:"document"`
	Page     int    `json:"page"`
	Quote    string `json:"quote"`
}

func (p parcel) encode() (string, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("bot: pack post: %w", err)
	}
	return string(b), nil
}

func decodeParcel(o *memory.Outbox) (parcel, error) {
	var p parcel
	if err := json.Unmarshal([]byte(o.Payload), &p); err != nil {
		return p, fmt.Errorf("bot: unpack post %d: %w", o.ID, err)
	}
	return p, nil
}

// giveUp makes r the record of an answer that nobody will see: it has failed and can be asked
// for again. Of a turn that was ended nobody waits for one.
func (r *record) giveUp() {
	if r.Settle == memory.InboxCancelled {
		return
	}
	r.Settle, r.State = memory.InboxDead, memory.InteractionFailed
	if r.Question != nil {
		r.Interactions, r.Question = append(r.Interactions, r.Question.InteractionID), nil
	}
}

// answer is what FinishTurn stores of r.
func (r record) answer(outbox int64, session *memory.Session, ref platform.Ref) memory.Answer {
	a := memory.Answer{Outbox: outbox, Ref: string(ref), Inbox: r.Rows, Interactions: r.Interactions, State: r.State, InboxState: r.Settle,
		Message: memory.Message{SessionID: session.ID, ChannelID: session.ChannelID, InteractionID: r.Interaction,
			Text: r.Text, ReplyTo: r.ReplyTo},
		Understanding: r.Understanding, Ledger: r.Ledger, Question: r.Question}
	for _, c := range r.Citations {
		a.Citations = append(a.Citations, memory.Citation{N: c.N, DocumentID: c.Document, Page: c.Page, Quote: c.Quote})
	}
	return a
}

// nonceOf names the post that answers an event: the same after a restart, short
// enough for every platform, and not to be guessed from outside.
func nonceOf(row *memory.Inbox) string { return nonce("%d/%s/%s", row.ID, row.Platform, row.EventID) }

func nonce(format string, args ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, format, args...))
	return "tk" + hex.EncodeToString(sum[:10])
}
