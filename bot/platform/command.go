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
// any, are all it can be.
type Option struct {
	Name     string
	Summary  string
	Required bool
	Suggest  bool
	Values   []string
}
