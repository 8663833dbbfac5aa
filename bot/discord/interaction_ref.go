package discord

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// deferral is how an interaction was acknowledged, which decides how it is answered.
type deferral string

const (
	deferredUnknown deferral = ""
	deferredPrivate deferral = "private" // "thinking…", for the one who gave the command (type 5 with flag 64)
	deferredClick   deferral = "click"   // nothing shown (type 6): the original is the message with the button
	deferredBeside  deferral = "beside"  // something is shown already; later posts are separate, for everybody
)

type interaction struct {
	App      string
	ID       string
	Token    string
	Deferral deferral
}

// String returns the form used in platform.Address: "app/id/token/deferral".
func (i interaction) String() string {
	return strings.TrimSuffix(strings.Join([]string{i.App, i.ID, i.Token, string(i.Deferral)}, "/"), "/")
}

// readInteraction reads what String wrote; the deferral may be missing.
func readInteraction(s string) (interaction, bool) {
	parts := strings.Split(s, "/")
	if len(parts) == 3 {
		parts = append(parts, "")
	}
	if len(parts) != 4 || !isID(parts[0]) || !isID(parts[1]) || !isToken(parts[2]) {
		return interaction{}, false
	}
	return interaction{parts[0], parts[1], parts[2], deferral(parts[3])}, true
}

// name is the form it has in a ref, which is kept for longer than a token is of use:
// "app/id//deferral".
func (i interaction) name() string {
	i.Token = ""
	return i.String()
}

// readName reads what name wrote. The token is the one that Address named for it, "" if
// none did since the program began.
func (a *Adapter) readName(s string) (interaction, bool) {
	app, rest, _ := strings.Cut(s, "/")
	id, rest, _ := strings.Cut(rest, "/")
	_, d, _ := strings.Cut(rest, "/")
	token, _ := a.tokens.Get(id)
	return interaction{app, id, token, deferral(d)}, isID(app) && isID(id)
}

// tokenLife is how long an interaction can be answered, a little less than the 15
// minutes of Discord
// (https://discord.com/developers/docs/interactions/receiving-and-responding).
const tokenLife = 14*time.Minute + 30*time.Second

func (a *Adapter) open(i interaction) bool {
	closed, _ := a.closed.Get(i.ID)
	return i.Token != "" && !closed && a.limits.clock().Before(createdAt(i.ID).Add(tokenLife))
}

// epoch is the first second of 2015, from which ids count milliseconds.
const epoch = 1420070400000

// createdAt is when the thing with this id came to be; ids are snowflakes
// (https://discord.com/developers/docs/reference#snowflakes).
func createdAt(id string) time.Time {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>22) + epoch)
}

func (i interaction) path() string { return "/webhooks/" + i.App + "/" + url.PathEscape(i.Token) }
