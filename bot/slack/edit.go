package slack

import (
	"context"
	"fmt"
	"slices"

	"threadkeeper/bot/platform"
)

// Edit brings a post into its final form, in all its parts: also those that r does not
// name, because an earlier edit added them. A post that only one person saw cannot be
// changed (platform.ErrUndeliverable). A file is deleted if the message it belonged to was erased,
// and otherwise stays.
func (a *Adapter) Edit(ctx context.Context, s platform.Ref, m platform.Outgoing) (platform.Ref, error) {
	r, err := parseRef(s)
	switch {
	case err != nil:
		return "", err
	case r.OnlyTo != "" && m.Kind == platform.KindErased:
		return s, nil // it goes with its reader's client
	case r.OnlyTo != "":
		return "", fmt.Errorf("slack: an ephemeral message cannot be changed: %w", platform.ErrUndeliverable)
	case r.File != "" && m.Kind != platform.KindErased:
		return s, nil
	case r.File != "":
		return s, a.removeFile(ctx, r, m.Withdraw)
	}
	at := spot{r.Channel, r.Thread}
	have, err := a.partsOf(ctx, at, m.Nonce, r.Messages)
	if err != nil {
		return "", err
	}
	if r.Messages, err = a.syncMessages(ctx, at, have, render(m)); err != nil {
		return "", err
	}
	if endsTurn(m) {
		a.stopProcessing(ctx, at, m)
	}
	return r.String(), nil
}

// partsOf are the messages of a post: those that carry its nonce, in their order, and
// those known besides, which may be gone.
func (a *Adapter) partsOf(ctx context.Context, at spot, nonce string, known []string) ([]string, error) {
	if nonce == "" {
		return known, nil
	}
	found, err := a.ourMessages(ctx, at, slices.Min(known), func(m ourMessage) bool { return m.nonce == nonce })
	switch errorCode(err) {
	case "missing_scope", "thread_not_found", "channel_not_found", "not_in_channel":
	default:
		if err != nil {
			return nil, err
		}
	}
	var all []string
	for _, m := range found {
		all = append(all, m.ts)
	}
	for _, ts := range known {
		if !slices.Contains(all, ts) {
			all = append(all, ts)
		}
	}
	return all, nil
}
