package bot

import (
	"context"
	"errors"
	"fmt"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
)

// tellMuted tells the one whom a post of a session answers, directly and once for a channel, that
// it does not come because we may not write there; nobody, if err says something else or the
// post was not asked for.
func (b *Bot) tellMuted(ctx context.Context, session int64, c parcel, err error) {
	var muted *platform.MutedError
	if !errors.As(err, &muted) || muted.Asked == "" || c.To.Asker == "" || c.Out.Kind == platform.KindNotice {
		return
	}
	w, k := say.In(c.Out.Language), c.To.Key
	text, ok := w.Muted[k.Platform]
	if !ok {
		return
	}
	s, err := b.Store.Session(ctx, session)
	if err == nil {
		err = b.note(ctx, s, platform.Address{Key: k, EphemeralTo: c.To.Asker, Asker: c.To.Asker},
			platform.Outgoing{Nonce: nonce("muted/%q/%q/%q/%q", k.Platform, k.Workspace, k.Channel, c.To.Asker), Text: fmt.Sprintf(text, muted.Asked), Language: w.Code})
	}
	if err != nil {
		b.Log.Error("tell that there is no answer", "error", err)
	}
}
