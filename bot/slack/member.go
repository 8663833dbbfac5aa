package slack

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"threadkeeper/memory"
)

const (
	memberPage  = 999 // names in one answer: what conversations.history takes at most, and .members does not say
	memberPages = 10
)

// Member reports whether a person is in a channel. If a channel has too many members to
// list, the error says so.
func (a *Adapter) Member(ctx context.Context, key memory.Key, person string) (bool, error) {
	form := url.Values{"channel": {key.Channel}, "limit": {strconv.Itoa(memberPage)}}
	for range memberPages {
		var answer struct {
			Members []string `json:"members"`
			Meta    struct {
				Next string `json:"next_cursor"`
			} `json:"response_metadata"`
		}
		if err := a.read(ctx, "conversations.members", form, &answer); err != nil {
			return false, err
		}
		if slices.Contains(answer.Members, person) {
			return true, nil
		}
		if answer.Meta.Next == "" {
			return false, nil
		}
		form.Set("cursor", answer.Meta.Next)
	}
	return false, fmt.Errorf("slack: %s has more than %d members", key.Channel, memberPage*memberPages)
}
