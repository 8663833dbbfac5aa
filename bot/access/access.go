// Package access decides who may use the assistant and where, by two lists, and how often. It stores only the times of the last
// minute's messages.
package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// Access is what a person may do in a place.
type Access string

const (
	Open    Access = "open"
	Context Access = "context" // their messages are stored where others are answered, but not answered
	Closed  Access = "closed"  // nothing of theirs is stored
)

// The kinds of entries.
const (
	workspace = "workspace" // of Slack, server of Discord
	channel   = "channel"
	role      = "role" // of Discord by its id; "admin" and "guest" on each platform
	person    = "person"
	dm        = "dm" // direct messages of a person, "*" for everybody's
)

// entry is one line of a list.
type entry struct{ platform, kind, id string }

// Lists say who may use the assistant. Without entries in Allow everybody may who is not in Deny, which takes precedence.
type Lists struct{ Allow, Deny List }

// List holds entries like "workspace:T024", "channel:C17", "role:881", "person:U7", "dm:U7" and "dm:*", each prefixed with
// "slack/" or "discord/" if an id could belong to either.
type List []entry

// ParseList reads entries separated by spaces or commas.
func ParseList(text string) (List, error) {
	var l List
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' }) {
		var e entry
		rest := word
		if p, after, ok := strings.Cut(rest, "/"); ok {
			e.platform, rest = p, after
		}
		e.kind, e.id, _ = strings.Cut(rest, ":")
		if !slices.Contains([]string{workspace, channel, role, person, dm}, e.kind) || e.id == "" || strings.Contains(word, "/") && e.platform == "" {
			return nil, fmt.Errorf("%q is nothing like workspace:ID, channel:ID, role:ID, person:ID, dm:ID or dm:*", word)
		}
		l = append(l, e)
	}
	return l, nil
}

// Of returns what the author of a message or event may do in its place.
func (l Lists) Of(key memory.Key, kind memory.ChannelKind, a platform.Author) Access {
	said := func(e entry) bool { return e.meets(key, kind == memory.DM, a) }
	switch {
	case slices.ContainsFunc(l.Deny, said):
		return Closed
	case len(l.Allow) == 0 || slices.ContainsFunc(l.Allow, said):
		return Open
	case kind != memory.DM && slices.ContainsFunc(l.Allow, entry.ofPeople):
		return Context
	}
	return Closed
}

// Rules are the lists of whoever runs us, and those that administrators of a workspace set for it. Both have to
// allow what somebody does: the second ones take away only.
type Rules struct{ Owner, Set Lists }

// Of is what the author of something may do where it was said.
func (r Rules) Of(key memory.Key, kind memory.ChannelKind, a platform.Author) Access {
	both := []Access{r.Owner.Of(key, kind, a), r.Set.Of(key, kind, a)}
	for _, least := range []Access{Closed, Context} {
		if slices.Contains(both, least) {
			return least
		}
	}
	return Open
}

// NeedRoles is that of either.
func (r Rules) NeedRoles() bool { return r.Owner.NeedRoles() || r.Set.NeedRoles() }

// MaxEntries is how many entries administrators may set in a list.
const MaxEntries = 200

// ErrEntry is a word that no administrator may have in a list.
var ErrEntry = errors.New("access: no entry of a list")

// mentioned are people, roles and channels as clients write them into a command.
var mentioned = reading.Lazy(`<(@[!&]?|#)([A-Za-z0-9]+)(?:\|[^<>]*)?>`)

// mentions says what each of them is.
var mentions = map[string]string{"@": person, "@!": person, "@&": role, "#": channel}

// Edit is the list after what an administrator wrote: entries, which take its place, or those to add and take away,
// with + and - before them. It knows people, roles and channels that are mentioned, and nothing of other
// workspaces.
func (l List) Edit(text string) (List, error) {
	text = mentioned.ReplaceAllStringFunc(text, func(m string) string {
		part := mentioned.FindStringSubmatch(m)
		return mentions[part[1]] + ":" + part[2]
	})
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' })
	if len(words) == 0 {
		return nil, ErrEntry
	}
	var after List
	if slices.ContainsFunc(words, func(w string) bool { return w[0] == '+' || w[0] == '-' }) {
		after = slices.Clone(l)
	}
	for _, w := range words {
		e, err := ParseList(strings.TrimLeft(w, "+-"))
		if err != nil || len(e) != 1 || e[0].kind == workspace || e[0].platform != "" {
			return nil, ErrEntry
		}
		after = slices.DeleteFunc(after, func(x entry) bool { return x == e[0] })
		if w[0] != '-' {
			after = append(after, e[0])
		}
	}
	if len(after) > MaxEntries {
		return nil, ErrEntry
	}
	return after, nil
}

// Names reports whether an entry is about a person or program with an id.
func (l List) Names(id string) bool {
	return slices.ContainsFunc(l, func(e entry) bool { return e.kind == person && e.id == id })
}

// OnlyPeople reports whether every entry is about one person or program.
func (l List) OnlyPeople() bool {
	return !slices.ContainsFunc(l, func(e entry) bool { return e.kind != person })
}

// String is the list as ParseList reads it.
func (l List) String() string {
	words := make([]string, len(l))
	for i, e := range l {
		words[i] = e.kind + ":" + e.id
		if e.platform != "" {
			words[i] = e.platform + "/" + words[i]
		}
	}
	return strings.Join(words, " ")
}

// NeedRoles reports whether an entry is about roles, which a platform may have to be asked for.
func (l Lists) NeedRoles() bool {
	return slices.ContainsFunc(slices.Concat(l.Allow, l.Deny), func(e entry) bool { return e.kind == role })
}

// ofPeople reports whether an entry names people independent of the place.
func (e entry) ofPeople() bool { return e.kind == role || e.kind == person }

func (e entry) meets(key memory.Key, direct bool, a platform.Author) bool {
	if e.platform != "" && e.platform != key.Platform {
		return false
	}
	switch e.kind {
	case workspace:
		return e.id == key.Workspace
	case channel:
		return e.id == key.Channel
	case person:
		return e.id == a.ID
	case dm:
		return direct && (e.id == "*" || e.id == a.ID)
	}
	return e.id == "admin" && a.Admin || e.id == "guest" && a.Kind == memory.Guest || slices.Contains(a.Roles, e.id)
}
