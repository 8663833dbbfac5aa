package platform

// Command is one entry of the registry every platform offers. Name is one or two
// words ("help", "memory status"), English, lower case.
type Command struct {
	Name    string
	Summary string
	Options []Option
}

// Option is one argument of a command. An option with Suggest completes through
// Handler.Suggest. The last option takes the rest of the line. Values, if there are
// any, are all it can be; with Number it is a whole number.
type Option struct {
	Name     string
	Summary  string
	Required bool
	Suggest  bool
	Values   []string
	Number   bool
}

// Nearest is the command whose name takes the fewest changed letters, and how many.
func Nearest(commands []Command, name string) (near string, distance int) {
	distance = -1
	for _, c := range commands {
		if d := letters(name, c.Name); distance < 0 || d < distance {
			near, distance = c.Name, d
		}
	}
	return near, distance
}

// letters is the Levenshtein distance of two short texts.
func letters(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
