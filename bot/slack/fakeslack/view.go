package fakeslack

import (
	"maps"
	"slices"
	"unicode/utf8"
)

// View is a modal or a home tab.
type View struct {
	ID, Kind        string // Kind is "modal" or "home"
	User            string
	Title           string
	CallbackID      string
	PrivateMetadata string
	Blocks          []map[string]any
	Hash            string
	Open            bool
	raw             object
}

func (v *View) json() object {
	o := clone(v.raw)
	o["id"], o["team_id"], o["hash"], o["app_id"], o["bot_id"], o["state"] = v.ID, TeamID, v.Hash, AppID, BotID, object{"values": object{}}
	return o
}

// readView checks a request's view. kind is what it must be, "" for as it was.
func (s *Server) readView(c *call, kind, user string) (*View, error) {
	var raw object
	given, err := c.decode("view", &raw)
	if err != nil || !given {
		return nil, invalid("invalid_arguments", "[ERROR] missing required field: view")
	}
	v := &View{ID: s.id("V"), User: user, Hash: s.id("hash."), Open: true, raw: raw}
	v.Kind, _ = raw["type"].(string)
	v.CallbackID, _ = raw["callback_id"].(string)
	v.PrivateMetadata, _ = raw["private_metadata"].(string)
	if title, ok := raw["title"].(map[string]any); ok {
		v.Title, _ = title["text"].(string)
	}
	var body struct{ Blocks []object }
	if _, err := c.decode("view", &body); err != nil {
		return nil, invalid("invalid_blocks_format")
	}
	v.Blocks = body.Blocks
	var k checker
	k.fields(raw, "/view", "type title submit close blocks private_metadata callback_id clear_on_close notify_on_close external_id submit_disabled")
	switch {
	case v.Kind != kind && kind != "":
		k.bad("/view/type", "must be "+kind)
	case v.Kind == "modal":
		k.text(raw["title"], "/view/title", 24, "plain_text", true)
		k.text(raw["submit"], "/view/submit", 24, "plain_text", false)
		k.text(raw["close"], "/view/close", 24, "plain_text", false)
	}
	k.length(v.PrivateMetadata, "/view/private_metadata", 3000)
	k.length(v.CallbackID, "/view/callback_id", 255)
	if len(k.errs) > 0 {
		return nil, invalid("invalid_arguments", k.errs...)
	}
	if err := checkBlocks(v.Blocks, viewBlocks); err != nil {
		return nil, err
	}
	number(v.Blocks)
	return v, nil
}

func (s *Server) take(c *call) (*trigger, error) {
	t := s.triggers[c.str("trigger_id")]
	switch {
	case t == nil:
		return nil, invalid("invalid_trigger_id")
	case t.used:
		return nil, invalid("exchanged_trigger_id")
	case s.o.Now().Sub(t.at) > s.o.TriggerLife:
		return nil, errCode("expired_trigger_id")
	}
	t.used = true
	return t, nil
}

func (s *Server) openView(c *call) (object, error) {
	t, err := s.take(c)
	if err != nil {
		return nil, err
	}
	v, err := s.readView(c, "modal", t.user)
	if err != nil {
		return nil, err
	}
	s.views[v.ID] = v
	return object{"view": v.json()}, nil
}

func (s *Server) publishView(c *call) (object, error) {
	user := c.str("user_id")
	if s.users[user] == nil {
		return nil, invalid("user_not_found")
	}
	old := s.homes[user]
	v, err := s.readView(c, "home", user)
	if err != nil {
		return nil, err
	}
	if old != nil {
		v.ID = old.ID
	}
	s.homes[user] = v
	return object{"view": v.json()}, nil
}

// Home is a person's home tab as we published it; false if we did not.
func (s *Server) Home(user string) (View, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.homes[user]; v != nil {
		return *v, true
	}
	return View{}, false
}

// Modals are the views that a person has open, oldest first.
func (s *Server) Modals(user string) []View {
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []View
	for _, id := range slices.Sorted(maps.Keys(s.views)) {
		if v := s.views[id]; v.User == user && v.Open {
			open = append(open, *v)
		}
	}
	return open
}

// Submit is a person sending a modal. values are by block id, then by action id.
func (s *Server) Submit(view string, values map[string]map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.views[view]
	v.Open = false
	p := s.interaction("view_submission", v.User)
	shown := v.json()
	shown["state"] = object{"values": values}
	p["view"], p["response_urls"], p["is_cleared"] = shown, []object{}, false
	s.send("interactive", p)
}

func (k *checker) length(text, at string, most int) {
	if n := utf8.RuneCountInString(text); n > most {
		k.tooLong(at, most)
	}
}
