package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
)

// maxUpload is how large a file of a bot may be
// (https://discord.com/developers/docs/reference#uploading-files).
const maxUpload = 10 << 20

// fileTooLarge is the code of one file that is, beside that of the whole request.
const fileTooLarge = 50045

// Upload posts a file, below its text. Without permission, or if the file is too
// large for Discord, it says so instead. A file that somebody requested with a typed command is sent by
// direct message, if they accept any, and a line in the conversation says so.
func (a *Adapter) Upload(ctx context.Context, to platform.Address, f platform.Upload) (platform.Ref, error) {
	w, err := a.writerFor(ctx, to, platform.KindCommand, f.Nonce)
	if err != nil {
		return "", err
	}
	f.Name = uploadName(f.Name)
	instead := platform.Outgoing{Nonce: f.Nonce, Kind: platform.KindError, Error: "too_large",
		Text: fmt.Sprintf(say.In(f.Language).PostTooLarge, literal(f.Name, nameShown), float64(len(f.Data))/(1<<20), maxUpload>>20)}
	if len(f.Data) > maxUpload {
		return w.finish(ctx, instead)
	}
	err = w.write(ctx, func(mark) []message {
		all := messages(markup(f.Text), f.Nonce)
		last := &all[len(all)-1]
		last.file = &f
		return all
	})
	if typed(to) && hasCode(err, discordgo.ErrCodeCannotSendMessagesToThisUser) {
		return a.Upload(ctx, inTheOpen(to), f)
	}
	if hasCode(err, discordgo.ErrCodeMissingPermissions) {
		instead.Error, instead.Text = "no_files", fmt.Sprintf(say.In(f.Language).NoFiles, literal(f.Name, nameShown))
		return w.finish(ctx, instead)
	}
	var e *apiError
	if errors.As(err, &e) && (e.Status == http.StatusRequestEntityTooLarge || hasCode(err, discordgo.ErrCodeRequestEntityTooLarge, fileTooLarge)) {
		return w.finish(ctx, instead)
	}
	if err != nil {
		return "", err
	}
	a.finishInteraction(ctx, to, w.at)
	if typed(to) && w.at.guild == directly && to.Key.Workspace != directly {
		a.pointTo(ctx, to, f)
	}
	return w.ref(), nil
}

// pointTo says in the conversation that the requested file is in the person's direct messages.
func (a *Adapter) pointTo(ctx context.Context, to platform.Address, f platform.Upload) {
	m := platform.Outgoing{Nonce: f.Nonce + "-d", Kind: platform.KindCommand, Text: fmt.Sprintf(say.In(f.Language).Direct, literal(f.Name, nameShown))}
	if _, err := a.Post(ctx, to, m); err != nil {
		a.Log.Warn("could not link to a file", "error", err)
	}
}

// uploadName makes the name of a file of ours one that every header and file system takes.
func uploadName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune("/\\\"<>|:*?", r) {
			return '_'
		}
		return r
	}, plain(name))
	return strings.Trim(short(name, 100), ". ")
}
