package bot

import (
	"context"
	"fmt"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func help(_ context.Context, c *Call) (platform.Outgoing, error) {
	var b strings.Builder
	b.WriteString(c.say.help)
	dm := c.Audience.Channel.Kind == memory.DM
	if !dm {
		b.WriteString(" " + c.say.helpMention)
	}
	b.WriteString("\n")
	for _, cmd := range Commands(c.say.code) {
		if dm && strings.HasPrefix(cmd.Name, "settings ") {
			continue // it has none
		}
		fmt.Fprintf(&b, "\n- `%s` – %s", c.usage(cmd), cmd.Summary)
	}
	switch slash := c.slash(); {
	case slash == nil:
	case len(slash) == 0:
		fmt.Fprintf(&b, "\n\n"+c.say.helpTyped, "memory status")
	default:
		fmt.Fprintf(&b, "\n\n"+c.say.helpSlash, "memory status")
	}
	return said(b.String())
}
