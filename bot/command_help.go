package bot

import (
	"context"
	"fmt"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

func help(_ context.Context, c *Call) (platform.Outgoing, error) {
	var b strings.Builder
	b.WriteString(c.say.Help)
	dm := c.Audience.Channel.Kind == memory.DM
	if !dm {
		b.WriteString(" " + c.say.HelpMention)
	}
	b.WriteString("\n")
	for _, cmd := range say.Commands(c.say.Code) {
		if dm && strings.HasPrefix(cmd.Name, "settings ") {
			continue // it has none
		}
		fmt.Fprintf(&b, "\n- `%s` – %s", c.usage(cmd), cmd.Summary)
	}
	switch slash := c.slash(); {
	case slash == nil:
	case len(slash) == 0:
		fmt.Fprintf(&b, "\n\n"+c.say.HelpTyped, "memory status")
	default:
		fmt.Fprintf(&b, "\n\n"+c.say.HelpSlash, "memory status")
	}
	return said(b.String())
}
