package platform

import "threadkeeper/memory/reading"

// Command is one entry of the registry every platform offers. Name is one or two
// words ("help", "memory status"), English, lower case.
type Command struct {
	Name    string
	Summary string
	Options []Option
	Direct  bool // for direct messages without threads only
}

// Option is one argument of a command. An option with Suggest completes through
// Handler.Suggest. The last option takes the rest of the line. Values, if there are
// any, are the only ones allowed; with Number the value is a whole number.
type Option struct {
	Name     string
	Summary  string
	Required bool
	Suggest  bool
	Values   []string
	Number   bool
}

// Nearest returns the command whose name differs by the fewest typing errors, and their number.
func Nearest(commands []Command, name string) (near string, distance int) {
	distance = -1
	for _, c := range commands {
		if d := reading.Mistypings(name, c.Name); distance < 0 || d < distance {
			near, distance = c.Name, d
		}
	}
	return near, distance
}
