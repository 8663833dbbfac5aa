package platform

import (
	"strings"

	"threadkeeper/memory/reading"
)

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

// First returns the first command of a family, "" if there is no such family.
func First(commands []Command, family string) string {
	for _, c := range commands {
		if strings.HasPrefix(c.Name, family+" ") {
			return c.Name
		}
	}
	return ""
}

// Nearest returns the commands that a mistyped name may mean: those that differ from it by the fewest typing errors,
// at most one in three letters. A name of one word may also be a command's second word, or a family's.
func Nearest(commands []Command, name string) []string {
	var near []string
	best := -1
	families := map[string]bool{}
	typed, second, two := strings.Cut(name, " ")
	for _, c := range commands {
		family, word, _ := strings.Cut(c.Name, " ")
		distance, letters := reading.Mistypings(name, c.Name), len(name)
		switch {
		case two && family == typed:
			letters = len(second)
		case !two && word != "":
			distance = min(distance, reading.Mistypings(name, word))
			if name == family || !families[family] { // the first command stands for a mistyped family
				distance = min(distance, reading.Mistypings(name, family))
			}
		}
		families[family] = true
		switch {
		case distance > max(1, letters/3), best >= 0 && distance > best:
		case distance == best:
			near = append(near, c.Name)
		default:
			near, best = []string{c.Name}, distance
		}
	}
	return near
}
