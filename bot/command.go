package bot

import (
	"context"

	"threadkeeper/memory"
)

// Command is one entry of the registry every platform offers. Name is one or two
// words ("help", "memory status"), English, lower case.
type Command struct {
	Name    string
	Summary string
	Options []Option
	Run     func(ctx context.Context, c *Call) (Outgoing, error)
}

// Option is one argument of a command. An option with Suggest completes through
// Handler.Suggest. The last option takes the rest of the line.
type Option struct {
	Name     string
	Summary  string
	Required bool
	Suggest  bool
}

// Call is one use of a command.
type Call struct {
	Bot      *Bot
	Event    Event
	Session  *memory.Session
	Person   *memory.Person
	Audience memory.Audience
	Args     []string
}
