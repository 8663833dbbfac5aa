package discord

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// permission is something a bot must be allowed in a channel, and what does not
// work without it (https://discord.com/developers/docs/topics/permissions).
type permission struct {
	Name  string
	Bit   uint64
	Costs string
}

var permissions = []permission{
	{"View Channels", viewChannel, "the bot does not see the channel"},
	{"Send Messages", sendMessages, "it cannot answer in the channel itself"},
	{"Attach Files", 1 << 15, "no page pictures or exports"},
	{"Read Message History", readHistory, "it does not know what was said before a mention, does not answer what was said while it was away, and its replies do not show what they reply to"},
	{"Create Public Threads", createThreads, "a mention cannot open a thread, so it is answered in the channel"},
	{"Send Messages in Threads", sendInThreads, "it cannot answer in threads and forum posts; a mention is answered in the channel"},
}

const (
	sendMessages  = 1 << 11
	createThreads = 1 << 35
	readHistory   = 1 << 16
	sendInThreads = 1 << 38
)

// matters reports whether the permission is of use in a channel of this kind: in a forum
// the bot opens no posts, and only text and announcement channels have threads beside
// (https://discord.com/developers/docs/topics/threads#permissions).
func (p permission) matters(c wireChannel) bool {
	switch p.Bit {
	case sendMessages:
		return !c.posts()
	case createThreads:
		return c.opens()
	}
	return true
}

// privileged is the intent that must be turned on by hand, on the app's page "Bot".
const privileged = "Message Content Intent"

// Invite returns the link that adds the bot to a server with all it needs. client is the
// application's id, digits.
func Invite(client string) (string, error) {
	if !isSnowflake(client) {
		return "", fmt.Errorf("discord: %q is not an application's id, which is 15 to 20 digits", client)
	}
	var bits uint64
	for _, p := range permissions {
		bits |= p.Bit
	}
	query := url.Values{"client_id": {client}, "scope": {"bot applications.commands"}, "permissions": {fmt.Sprint(bits)}}
	return "https://discord.com/oauth2/authorize?" + query.Encode(), nil
}

// Intents says what must be enabled by hand besides the invitation, and why.
func Intents() string {
	return `On the app's page "Bot", turn on "` + privileged + `": without it the bot can read only direct messages and messages that mention it, so threads need a mention too.`
}

// ClientID returns our application's id, from Discord or, if Discord cannot be
// reached, from the token; "" if neither has one: then it is not a Discord token.
func (a *Adapter) ClientID(ctx context.Context) string {
	var app struct{ ID string }
	if err := a.call(ctx, http.MethodGet, "/applications/@me", nil, &app); err == nil && isSnowflake(app.ID) {
		return app.ID
	}
	return tokenID(a.Token)
}

// tokenID returns the id in the first part of a bot's token, "" if there is none. It is
// the bot's user id, which is the application's too unless that was made before 2016.
func tokenID(token string) string {
	first, _, _ := strings.Cut(token, ".")
	id, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(first, "="))
	if err != nil || !isSnowflake(string(id)) {
		return ""
	}
	return string(id)
}

func isSnowflake(s string) bool {
	return len(s) >= 15 && isID(s)
}
