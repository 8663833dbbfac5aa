package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

const (
	listPage    = 999 // entries in one answer: what conversations.history takes at most, and other methods do not say
	memberPages = 10
)

// readList reads the pages of a list, which answers call name, from the cursor of form on, until keep is false. After an error
// form has the cursor of the page that is still to be read.
func readList[T any](ctx context.Context, a *Adapter, method, name string, form url.Values, keep func([]T) bool) error {
	form.Set("limit", strconv.Itoa(listPage))
	for {
		var answer map[string]json.RawMessage
		if err := a.read(ctx, method, form, &answer); err != nil {
			return err
		}
		var page list[T]
		var meta struct {
			Next string `json:"next_cursor"`
		}
		if list := answer[name]; len(list) == 0 || list[0] != '[' {
			return fmt.Errorf("slack: %s: an answer without %s", method, name)
		}
		_ = kit.Decode(answer[name], &page) // what does not fit is left out
		_ = kit.Decode(answer["response_metadata"], &meta)
		if form.Set("cursor", meta.Next); !keep(page) || meta.Next == "" {
			return nil
		}
	}
}

// Member reports whether a person is in a channel. If a channel has too many members to
// list, the error says so.
func (a *Adapter) Member(ctx context.Context, key memory.Key, person string) (in bool, err error) {
	pages, form := 0, url.Values{"channel": {key.Channel}}
	err = readList(ctx, a, "conversations.members", "members", form, func(page []string) bool {
		pages++
		in = slices.Contains(page, person)
		return !in && pages < memberPages
	})
	if err == nil && !in && form.Get("cursor") != "" {
		err = fmt.Errorf("slack: %s has more than %d members", key.Channel, listPage*memberPages)
	}
	return in, err
}
