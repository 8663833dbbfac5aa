package fakeslack

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// Restricted is how many messages a page has at most that Slack gives to apps that are distributed outside
// its marketplace (https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps).
const Restricted = 15

// limitMost is the largest limit that Slack takes of a request for pages, pageUsual how many objects come
// without one.
const limitMost, pageUsual = 999, 100

// scopeOf is the first word of the scopes for a kind of conversation.
var scopeOf = map[ChannelKind]string{Public: "channels:", Private: "groups:", Direct: "im:", Group: "mpim:"}

// seen finds a channel that the bot may read with a scope for its kind: "read" to be
// told of it, "history" of what is said there.
func (s *Server) seen(c *call, scope string) (*Channel, error) {
	id := c.str("channel")
	ch := s.channels[id]
	switch {
	case id == "":
		return nil, invalid("invalid_arguments", "[ERROR] missing required field: channel")
	case ch == nil || ch.Kind != Public && !ch.has(BotUser):
		return nil, errCode("channel_not_found")
	}
	return ch, c.needs(scopeOf[ch.Kind] + scope)
}

func (c *call) needs(scope string) error {
	if c.token.scopes[scope] {
		return nil
	}
	return &apiError{Code: "missing_scope", More: object{"needed": scope, "provided": c.token.list()}, Wrong: true}
}

func (s *Server) conversationInfo(c *call) (object, error) {
	ch, err := s.seen(c, "read")
	if err != nil {
		return nil, err
	}
	return object{"channel": ch.json()}, nil
}

func (c *Channel) json() object {
	v := object{"id": c.ID, "created": 1700000000, "is_archived": c.Archived, "is_im": c.Kind == Direct, "is_mpim": c.Kind == Group,
		"is_channel": c.Kind == Public || c.Kind == Private, "is_group": c.Kind == Private, "is_private": c.Kind != Public,
		"is_shared": c.ExtShared || c.OrgShared, "is_ext_shared": c.ExtShared, "is_org_shared": c.OrgShared, "context_team_id": TeamID}
	if c.Kind == Direct {
		for _, u := range c.Members {
			if u != BotUser {
				v["user"] = u
			}
		}
		return v
	}
	v["name"], v["name_normalized"], v["is_member"], v["is_general"] = c.Name, c.Name, c.has(BotUser), c.Name == "general"
	v["topic"], v["purpose"] = object{"value": ""}, object{"value": ""}
	return v
}

func (s *Server) conversationMembers(c *call) (object, error) {
	ch, err := s.seen(c, "read")
	if err != nil {
		return nil, err
	}
	page, next, err := pageOf(c, ch.Members, 100)
	if err != nil {
		return nil, err
	}
	return object{"members": page, "response_metadata": object{"next_cursor": next}}, nil
}

func (s *Server) conversationList(c *call) (object, error) {
	types := strings.Split(or(c.str("types"), "public_channel"), ",")
	word := map[ChannelKind]string{Public: "public_channel", Private: "private_channel", Direct: "im", Group: "mpim"}
	var all []object
	for _, id := range s.chanOrder {
		ch := s.channels[id]
		if slices.Contains(types, word[ch.Kind]) && ch.has(BotUser) {
			all = append(all, ch.json())
		}
	}
	page, next, err := pageOf(c, all, 100)
	if err != nil {
		return nil, err
	}
	return object{"channels": page, "response_metadata": object{"next_cursor": next}}, nil
}

func (s *Server) conversationOpen(c *call) (object, error) {
	switch u := s.users[c.str("users")]; {
	case u == nil:
		return nil, errCode("user_not_found")
	case u.Bot:
		return nil, errCode("cannot_dm_bot")
	}
	return object{"channel": object{"id": s.dm(c.str("users")).ID}}, nil
}

// history tells the messages at the top of a channel, newest first.
func (s *Server) history(c *call) (object, error) {
	ch, err := s.readable(c)
	if err != nil {
		return nil, err
	}
	var top []*Message
	for _, m := range s.messages[ch.ID] {
		if (m.Thread == "" || m.Thread == m.TS || m.Broadcast) && c.within(m.TS) {
			top = append(top, m)
		}
	}
	slices.Reverse(top)
	return s.tell(c, top)
}

// replies tells a thread, oldest first; the message it begins with comes first
// whatever the times asked for.
func (s *Server) replies(c *call) (object, error) {
	ch, err := s.readable(c)
	if err != nil {
		return nil, err
	}
	root := s.message(ch.ID, c.str("ts"))
	if root != nil && root.Thread != "" && root.Thread != root.TS {
		root = s.message(ch.ID, root.Thread)
	}
	if root == nil {
		return nil, errCode("thread_not_found")
	}
	thread := []*Message{root}
	for _, m := range s.messages[ch.ID] {
		if m.Thread == root.TS && m != root && c.within(m.TS) {
			thread = append(thread, m)
		}
	}
	return s.tell(c, thread)
}

func (s *Server) readable(c *call) (*Channel, error) {
	ch, err := s.seen(c, "history")
	if err == nil && !ch.has(BotUser) {
		err = errCode("not_in_channel")
	}
	return ch, err
}

func (c *call) within(ts string) bool {
	oldest, latest := c.str("oldest"), c.str("latest")
	if c.yes("inclusive") && (ts == oldest || ts == latest) {
		return true
	}
	return (oldest == "" || later(ts, oldest)) && (latest == "" || later(latest, ts))
}

// later compares timestamps, which may be written with fewer digits.
func later(a, b string) bool { return micros(a) > micros(b) }

func micros(ts string) int64 {
	whole, part, _ := strings.Cut(ts, ".")
	n, _ := strconv.ParseInt(whole, 10, 64)
	p, _ := strconv.ParseInt((part + "000000")[:6], 10, 64)
	return n*1e6 + p
}

func (s *Server) tell(c *call, messages []*Message) (object, error) {
	page, next, err := pageOf(c, messages, or(s.o.PageMost, limitMost))
	if err != nil {
		return nil, err
	}
	list := []object{}
	for _, m := range page {
		list = append(list, s.json(m, c.yes("include_all_metadata")))
	}
	return object{"messages": list, "has_more": next != "", "response_metadata": object{"next_cursor": next}}, nil
}

// pageOf is the page that a request's cursor and limit ask for, and the next cursor.
func pageOf[T any](c *call, all []T, most int) ([]T, string, error) {
	limit, err := c.number("limit", min(most, pageUsual))
	if err != nil {
		return nil, "", err
	}
	if limit < 1 || limit > limitMost {
		return nil, "", invalid("invalid_limit")
	}
	from := 0
	if cursor := c.str("cursor"); cursor != "" {
		b, err := base64.StdEncoding.DecodeString(cursor)
		if from, _ = strconv.Atoi(strings.TrimPrefix(string(b), "next:")); err != nil || from <= 0 || from > len(all) {
			return nil, "", invalid("invalid_cursor")
		}
	}
	to := min(len(all), from+min(limit, most))
	next := ""
	if to < len(all) {
		next = base64.StdEncoding.EncodeToString([]byte("next:" + strconv.Itoa(to)))
	}
	return append([]T{}, all[from:to]...), next, nil
}
