package agent

import (
	"context"
	"testing"
)

func TestCallNeedsATurn(t *testing.T) {
	if _, err := new(Chain).Call(context.Background(), map[string]any{InputTurn: "text"}); err == nil {
		t.Error("took a text for a turn")
	}
}
