package bot

import (
	"context"
	"slices"

	"threadkeeper/bot/say"
)

// lastWords is how many messages are looked at for the language they are in.
const lastWords = 20

// wordsIn are the words for a person in a session, by what they said last there, else by
// texts, else by what others said, else by a locale.
func (b *Bot) wordsIn(ctx context.Context, session, person int64, locale string, texts ...string) *say.Words {
	own, others, err := b.Store.LastTexts(ctx, session, person, lastWords)
	if err != nil && ctx.Err() == nil {
		b.Log.Warn("look for a language", "error", err)
	}
	return say.For(locale, slices.Concat(own, texts, others)...)
}
