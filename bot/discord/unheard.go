package discord

import (
	"context"
	"fmt"
	"net/http"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot"
)

// noRight are the codes of a message that we may not post where it belongs.
var noRight = []int{discordgo.ErrCodeMissingPermissions, discordgo.ErrCodeMissingAccess}

// unheard tells who asked that there is no answer, because we may write neither in a
// thread nor in the channel: directly, and once for each channel.
func (a *Adapter) unheard(ctx context.Context, to bot.Address) {
	channel := to.Key.Channel
	told := channel + "/" + to.Asker
	if _, known := a.muted.get(told); known || !isID(to.Asker) || to.Key.Workspace == directly {
		return
	}
	a.muted.set(told, true)
	a.Log.Warn("no right to answer: Discord does not let us write there", "channel", a.places.name(channel))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer cancel()
	p, err := a.direct(ctx, to.Asker)
	if err == nil {
		asked := jump(to.Key.Workspace, channel, to.ReplyTo)
		if to.Key.Thread != "" && to.Key.Thread != to.ReplyTo {
			asked = jump(to.Key.Workspace, to.Key.Thread, to.ReplyTo)
		}
		m := newMessage(fmt.Sprintf(bot.LabelsIn(to.Language).Muted, asked))
		err = a.call(ctx, http.MethodPost, "/channels/"+p.channel+"/messages", m, nil)
	}
	if err != nil {
		a.Log.Debug("tell that there is no answer", "error", err)
	}
}
