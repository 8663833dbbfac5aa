package slack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
)

const uploadTime = 3 * time.Minute

// Upload posts a file. A file for one person only goes to their direct message with us, and its text stays in the
// conversation, with a line that says where the file is.
func (a *Adapter) Upload(ctx context.Context, to platform.Address, f platform.Upload) (platform.Ref, error) {
	at := spotOf(to)
	aside := to.EphemeralTo != "" && !at.private()
	var id string
	var err error
	if !aside {
		id, err = a.upload(ctx, at, f)
		aside = to.EphemeralTo != "" && errors.Is(err, platform.ErrUndeliverable)
	}
	if aside {
		if at, err = a.openDirect(ctx, to.EphemeralTo); err == nil {
			alone := f
			alone.Text = ""
			id, err = a.upload(ctx, at, alone)
		}
	}
	if err != nil {
		return "", err
	}
	if aside {
		a.pointOut(ctx, to, f)
	}
	return ref{Workspace: to.Key.Workspace, Channel: at.channel, Thread: at.thread, File: id}.String(), nil
}

// upload takes Slack's three steps: an address, the bytes, the message.
func (a *Adapter) upload(ctx context.Context, at spot, f platform.Upload) (string, error) {
	if len(f.Data) == 0 {
		return "", fmt.Errorf("slack: upload %s: nothing in it: %w", f.Name, platform.ErrUndeliverable)
	}
	title := plainLabel(f.Name)
	name := marked(title, f.Nonce)
	var target *slackapi.GetUploadURLExternalResponse
	err := retryUnanswered(ctx, func() error { // an address takes bytes once; a file that is not completed is seen by nobody
		err := a.call(ctx, "files.getUploadURLExternal", "", func(ctx context.Context) (err error) {
			target, err = a.api.GetUploadURLExternalContext(ctx, slackapi.GetUploadURLExternalParameters{FileName: name, FileSize: len(f.Data)})
			return err
		})
		if err != nil {
			return err
		}
		transfer, cancel := context.WithTimeout(ctx, uploadTime)
		defer cancel()
		return classify("upload", a.api.UploadToURL(transfer, slackapi.UploadToURLParameters{UploadURL: target.UploadURL, Reader: bytes.NewReader(f.Data), Filename: name}))
	})
	if err != nil {
		return "", err
	}
	err = a.call(ctx, "files.completeUploadExternal", "", func(ctx context.Context) error {
		_, err := a.api.CompleteUploadExternalContext(ctx, slackapi.CompleteUploadExternalParameters{Channel: at.channel, ThreadTimestamp: at.thread,
			Files: []slackapi.FileSummary{{ID: target.FileID, Title: title}}, InitialComment: kit.Shorten(markup(neutral(f.Text)), maxText)})
		return err
	})
	return target.FileID, err
}

// marked is a file's name with the mark of its nonce: a message with a file has no
// metadata to find it by. People see the title.
func marked(name, nonce string) string {
	ext := path.Ext(name)
	base := strings.NewReplacer("/", "_", "\\", "_").Replace(strings.TrimSuffix(name, ext))
	if nonce == "" {
		return base + ext
	}
	return base + "-" + mark(nonce) + ext
}

// mark is the part of a nonce in a file's name.
func mark(nonce string) string { return nonce[max(0, len(nonce)-10):] }

// pointOut says where a file is that was sent to the direct message. If it cannot be
// said, the file is there all the same.
func (a *Adapter) pointOut(ctx context.Context, to platform.Address, f platform.Upload) {
	text := strings.TrimSpace(f.Text + "\n\n📎 " + fmt.Sprintf(say.In(f.Language).Direct, "`"+strings.ReplaceAll(plainLabel(f.Name), "`", "'")+"`"))
	if _, err := a.postEphemeral(ctx, to, render(platform.Outgoing{Kind: platform.KindCommand, Text: text})); err != nil {
		a.Log.Warn("could not link to a file", "error", err)
	}
}

// removeFile deletes a file of ours and the messages with it, which show its name. It is fine if they are gone already.
func (a *Adapter) removeFile(ctx context.Context, r ref, withdraw func(context.Context, string) error) error {
	var answer struct {
		File file `json:"file"`
	}
	if err := a.read(ctx, "files.info", url.Values{"file": {r.File}}, &answer); err != nil && withheld(err) == "" {
		return err
	}
	for _, channels := range answer.File.Shares {
		for _, s := range channels[r.Channel] {
			if withdraw != nil {
				if err := withdraw(ctx, s.TS); err != nil {
					return err
				}
			}
			if err := a.deleteMessage(ctx, spot{r.Channel, r.Thread}, s.TS); err != nil {
				return err
			}
		}
	}
	err := a.call(ctx, "files.delete", "", func(ctx context.Context) error { return a.api.DeleteFileContext(ctx, r.File) })
	if word := errorCode(err); word == "file_not_found" || word == "file_deleted" {
		return nil
	}
	if errorCode(err) == "cant_delete_file" {
		return errors.Join(platform.ErrUndeliverable, err)
	}
	return err
}
