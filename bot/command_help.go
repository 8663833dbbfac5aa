package bot

import (
	"context"
	"fmt"
	"strings"
)

func help(_ context.Context, c *Call) (Outgoing, error) {
	var b strings.Builder
	b.WriteString("I answer questions, remember this conversation however long it grows, and cite the pages of documents you upload. " +
		"Mention me to begin; in a thread I have joined, just write on.\n")
	for _, cmd := range c.Bot.Commands() {
		fmt.Fprintf(&b, "\n- `%s` – %s", c.usage(cmd), cmd.Summary)
	}
	if c.slash() != nil {
		b.WriteString("\n\nWhat has no slash here you say to me: mention me with it. In threads, where there are no slash commands, that goes for all of them: `memory status`.")
	}
	return said(b.String())
}
