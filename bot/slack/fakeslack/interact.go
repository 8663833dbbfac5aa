package fakeslack

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// hookLife is how long a response_url is good, and hookUses how often; of Slack's
// documentation ("Handling user interaction").
const (
	hookLife = 30 * time.Minute
	hookUses = 5
)

// trigger is the right to open a view.
type trigger struct {
	at   time.Time
	user string
	used bool
}

// hook is a response URL: where a command or a click may be answered.
type hook struct {
	at            time.Time
	uses          int
	user, channel string
	source        *Message // the message that was clicked in
}

func (s *Server) trigger(user string) string {
	id := strings.ToLower(s.id("trigger."))
	s.triggers[id] = &trigger{at: s.o.Now(), user: user}
	return id
}

func (s *Server) hook(h hook) string {
	key := s.id("hook")
	h.at = s.o.Now()
	s.hooks[key] = &h
	return s.URL() + "/hooks/" + key
}

// Slash is a person giving a slash command. Slack has none in threads.
func (s *Server) Slash(user, channel, command, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.channels[channel]
	name := map[ChannelKind]string{Direct: "directmessage", Private: "privategroup"}[ch.Kind]
	s.send("slash_commands", object{"token": "verification", "team_id": TeamID, "team_domain": "threadworks", "channel_id": channel,
		"channel_name": or(name, ch.Name), "user_id": user, "user_name": s.users[user].Name, "command": command, "text": text,
		"api_app_id": AppID, "is_enterprise_install": "false", "response_url": s.hook(hook{user: user, channel: channel}),
		"trigger_id": s.trigger(user)})
}

func (s *Server) interaction(kind, user string) object {
	u := s.users[user]
	return object{"type": kind, "token": "verification", "api_app_id": AppID, "trigger_id": s.trigger(user), "enterprise": nil, "is_enterprise_install": false,
		"team": object{"id": TeamID, "domain": "threadworks"}, "user": object{"id": user, "username": u.Name, "name": u.Name, "team_id": u.Team}}
}

// Shortcut is a person choosing a message shortcut of the app.
func (s *Server) Shortcut(user, channel, ts, callback string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.message(channel, ts)
	v := s.interaction("message_action", user)
	v["callback_id"], v["action_ts"], v["message_ts"] = callback, s.ts(), ts
	v["channel"], v["message"] = object{"id": channel, "name": s.channels[channel].Name}, s.json(m, false)
	v["response_url"] = s.hook(hook{user: user, channel: channel, source: m})
	s.send("interactive", v)
}

// Click presses a button under a message, an ephemeral one or a view's home tab, found by
// its label, also when it is not shown any more. "helpful" and "unhelpful" stand for
// the two of feedback_buttons whatever they are called. ts is "" for the home tab.
func (s *Server) Click(user, channel, ts, label string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.interaction("block_actions", user)
	var shown []element
	if ts == "" {
		home := s.homes[user]
		if home == nil {
			return fmt.Errorf("fakeslack: %s has no home tab", user)
		}
		shown = elements(home.Blocks)
		v["view"], v["container"] = home.json(), object{"type": "view", "view_id": home.ID}
	} else {
		m, e := s.message(channel, ts), s.ephemeral(channel, ts)
		if m == nil && e != nil {
			m = &e.Message
		}
		if m == nil {
			return fmt.Errorf("fakeslack: no message %s", place(channel, ts))
		}
		shown = m.everShown
		container := object{"type": "message", "message_ts": ts, "channel_id": channel, "is_ephemeral": e != nil}
		if m.Thread != "" {
			container["thread_ts"] = m.Thread
		}
		if e == nil {
			v["message"] = s.json(m, false)
		}
		v["container"], v["channel"] = container, object{"id": channel, "name": s.channels[channel].Name}
		v["response_url"] = s.hook(hook{user: user, channel: channel, source: m})
	}
	v["state"] = object{"values": object{}}
	for _, b := range shown {
		if b.answersTo(label) {
			action := object{"type": b.kind, "action_id": b.action, "block_id": b.block, "value": b.value, "action_ts": s.ts(),
				"text": object{"type": "plain_text", "text": b.text, "emoji": true}}
			v["actions"] = []object{action}
			s.send("interactive", v)
			return nil
		}
	}
	return fmt.Errorf("fakeslack: no button %q under %s", label, place(channel, ts))
}

func (s *Server) ephemeral(channel, ts string) *Ephemeral {
	for _, e := range s.ephemerals {
		if e.Channel == channel && e.TS == ts {
			return e
		}
	}
	return nil
}

func (s *Server) serveHook(w http.ResponseWriter, r *http.Request) {
	s.observe("before response_url")
	defer s.observe("after response_url")
	args, err := readArgs(r)
	if err != nil {
		s.violate("response_url: %v", err)
		http.Error(w, "invalid_payload", http.StatusBadRequest)
		return
	}
	if r.Header.Get("Authorization") != "" {
		s.violate("response_url: a token was sent")
	}
	f := s.fault("response_url", args)
	if f != nil && !f.spoil(w, false) {
		s.record("response_url", args, string(f.Kind))
		return
	}
	status, said := s.respond(r.PathValue("key"), args)
	if f != nil && !f.spoil(w, true) {
		return
	}
	w.WriteHeader(status)
	fmt.Fprint(w, said)
}

const hookArgs = "response_type replace_original delete_original thread_ts ts channel user " + written + unfurling

func (s *Server) respond(key string, args Args) (int, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hooks[key]
	code := ""
	switch {
	case h == nil:
		code = "no_such_hook"
	case h.uses >= hookUses:
		code = "used_url"
	case s.o.Now().Sub(h.at) > hookLife:
		code = "expired_url"
	}
	if more := args.unknown(hookArgs); len(more) > 0 {
		s.wrong("response_url: unknown argument %s", strings.Join(more, ", "))
	}
	if code == "" {
		h.uses++
		if err := s.reply(h, args); err != nil {
			code = err.Error()
			s.wrong("response_url: %v", err)
		}
	}
	s.requests = append(s.requests, Request{Method: "response_url", Args: args, Error: code, At: s.o.Now()})
	switch code {
	case "":
		return http.StatusOK, "ok"
	case "used_url", "expired_url", "no_such_hook":
		return http.StatusNotFound, code
	}
	return http.StatusInternalServerError, code
}

// reply posts what an answer to a response URL says, for one person. Ours replace nothing and are for nobody else.
func (s *Server) reply(h *hook, args Args) error {
	if args.yes("replace_original") || args.yes("delete_original") || args.str("response_type") == "in_channel" {
		return errCode("unsupported_answer")
	}
	m := Message{Channel: h.channel, User: BotUser, Thread: args.str("thread_ts")}
	if m.Thread == "" && h.source != nil && h.source.Thread != h.source.TS {
		m.Thread = h.source.Thread
	}
	if err := s.content(&call{Args: args, method: "response_url"}, &m, textMost, false); err != nil {
		return err
	}
	m.TS = s.ts()
	s.whisper(&Ephemeral{m, h.user})
	return nil
}
