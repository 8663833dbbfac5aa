package fakediscord

import (
	"context"
	"net/http"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

type button struct {
	message Message
	id      string   // custom id
	values  []string // of a select menu
}

// Click presses a button, or picks an option of a menu.
func (h *Harness) Click(who string, at platformtest.Place, p platformtest.Post, label string) {
	h.t.Helper()
	h.connected(false)
	h.mu.Lock()
	b, ok := h.buttons[p.ID+"/"+label]
	h.mu.Unlock()
	if !ok {
		h.t.Fatalf("there is no button %q under %+v", label, p)
	}
	h.expect(platform.EventClick, "")
	i, err := h.Server.Click(h.person(who), b.message.ChannelID, b.message, b.id, b.values...)
	if err != nil {
		h.t.Fatal(err)
	}
	h.wants(i.ID(), h.person(who), at)
}

// Command uses a command. What is not registered is a message, as Discord's own program
// would send it.
func (h *Harness) Command(who string, at platformtest.Place, name, args string) {
	h.t.Helper()
	h.connected(true)
	u := Use{User: h.person(who), Channel: h.place(at, who, false), Command: name, Options: make(map[string]string)}
	cmd, known := h.options(name)
	if !known {
		h.Say(platformtest.Said{Who: who, At: at, Text: "/" + strings.TrimSpace(name+" "+args)})
		return
	}
	for i, o := range cmd {
		word, rest, _ := strings.Cut(args, " ")
		if i == len(cmd)-1 {
			word, rest = args, ""
		}
		if word != "" && o.Type != AttachmentOption {
			u.Options[o.Name] = word
		}
		args = rest
	}
	if name != "ask" { // which is delivered as a message, if at all
		h.expect(platform.EventCommand, "")
	}
	i, err := h.Server.Command(u)
	if err != nil {
		h.t.Fatal(err)
	}
	h.wants(i.ID(), u.User, at)
}

// Choose picks an entry of a message's menu.
func (h *Harness) Choose(who string, at platformtest.Place, id, entry, question string) {
	h.t.Helper()
	h.connected(true)
	user := h.person(who)
	i, err := h.Server.Choose(user, h.holder(at, id), id, entry)
	if err == nil && question != "" {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if _, err = i.Response(ctx); err == nil {
			i, err = i.Submit(map[string]string{"text": question})
		}
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.wants(i.ID(), user, at)
}

func (h *Harness) options(name string) ([]CommandOption, bool) {
	h.Server.mu.Lock()
	defer h.Server.mu.Unlock()
	words := strings.Fields(name)
	cmd, ok := h.Server.command(words[0], 1)
	list := cmd.Options
	for _, w := range words[1:] {
		found := false
		for _, o := range list {
			if o.Name == w && o.Type <= SubcommandGroupOption {
				list, found = o.Options, true
				break
			}
		}
		ok = ok && found
	}
	if len(list) > 0 && list[0].Type <= SubcommandGroupOption {
		ok = false
	}
	return list, ok
}

// Suggest asks for the completions of an option.
func (h *Harness) Suggest(ctx context.Context, who string, at platformtest.Place, command, option, prefix string) ([]platform.Choice, error) {
	h.connected(true)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	choices, err := h.Server.Suggest(ctx, Use{User: h.person(who), Channel: h.place(at, who, false), Command: command, Focused: option,
		Options: map[string]string{option: prefix}})
	var out []platform.Choice
	for _, c := range choices {
		v, _ := c.Value.(string)
		out = append(out, platform.Choice{Label: c.Name, Value: v})
	}
	return out, err
}

// Break makes a request of ours go wrong, once.
func (h *Harness) Break(f platformtest.Fault) {
	switch f {
	case platformtest.FailPost:
		h.Server.Break(Fault{Match: h.posts, Status: http.StatusInternalServerError})
	case platformtest.LosePost:
		h.Server.Break(Fault{Match: h.posts, After: true})
	case platformtest.FailEdit, platformtest.CutStream:
		h.Server.Break(Fault{Match: h.edits, Status: http.StatusInternalServerError})
	case platformtest.LoseEdit, platformtest.LoseClose:
		h.Server.Break(Fault{Match: h.edits, After: true})
	case platformtest.FailOpen:
		h.LoseFile()
	case platformtest.BusyOpen:
		h.RefuseFile(http.StatusServiceUnavailable)
	case platformtest.FailPast:
		h.Server.Break(Fault{Route: "GET /channels/{channel}/messages", Status: http.StatusInternalServerError})
	}
}

const (
	routePost     = "POST /channels/{channel}/messages"
	routeEdit     = "PATCH /channels/{channel}/messages/{message}"
	routeOriginal = "PATCH /webhooks/{application}/{token}/messages/@original"
	routeAnswer   = "PATCH /webhooks/{application}/{token}/messages/{message}"
	routeFollowUp = "POST /webhooks/{application}/{token}"
	routeRespond  = "POST /interactions/{interaction}/{token}/callback"
)

// posts reports whether a request shows a new text. The server's lock is held.
func (h *Harness) posts(q *Request) bool {
	switch q.Route {
	case routePost, routeFollowUp:
		return true
	case routeOriginal:
		return h.thinking(q)
	case routeRespond:
		return strings.Contains(q.Body, `"type":4`) || strings.Contains(q.Body, `"type":7`)
	}
	return false
}

func (h *Harness) edits(q *Request) bool {
	return q.Route == routeEdit || q.Route == routeAnswer || q.Route == routeOriginal && !h.thinking(q)
}

func (h *Harness) thinking(q *Request) bool {
	token := strings.Split(q.Path, "/")[5]
	in := h.Server.interactions[token]
	return in != nil && in.original != nil && in.original.Flags&FlagLoading != 0
}
