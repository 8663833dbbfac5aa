package main

import (
	"context"
	"embed"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"threadkeeper/bot/console"
	"threadkeeper/bot/platform"
	"threadkeeper/config"
)

// helpCmd prints a longer text about a topic.
type helpCmd struct {
	Topic string `arg:"" optional:"" help:"settings, memory, documents, privacy, terminal, slack, discord, json, operating, limits, numbers or decisions."`
}

//go:embed help/*.md
var helpTexts embed.FS

// Run prints the text, rendered if that is at a terminal.
func (c *helpCmd) Run(_ context.Context, sys system, _ *config.Config) error {
	topic := strings.ToLower(c.Topic)
	text, err := helpTexts.ReadFile("help/" + topic + ".md")
	if out, ok := sys.Out.(*os.File); ok && err == nil && renders(sys) {
		return console.WriteMarkdown(out, string(text), !noColor(sys))
	}
	if err == nil {
		_, err = sys.Out.Write(text)
		return err
	}
	var topics []string
	var known []platform.Command
	files, _ := helpTexts.ReadDir("help")
	for _, f := range files {
		topics = append(topics, strings.TrimSuffix(f.Name(), ".md"))
		known = append(known, platform.Command{Name: topics[len(topics)-1]})
	}
	for _, command := range slices.Sorted(maps.Keys(examples)) {
		known = append(known, platform.Command{Name: command})
	}
	list := "threadkeeper help TOPIC, where TOPIC is one of " + strings.Join(topics, ", ")
	if topic == "" {
		_, err = fmt.Fprintln(sys.Out, list+".\nthreadkeeper COMMAND --help shows a command and its flags.")
		return err
	}
	if near := platform.Nearest(known, topic); len(near) > 0 {
		list = "did you mean " + strings.Join(near, ", ") + "? (see threadkeeper help)"
	}
	return usageError(fmt.Sprintf("there is no topic %q: %s", c.Topic, list))
}

// examples are two uses of each command.
var examples = map[string][2]string{
	"chat":             {"threadkeeper chat --thread roaster", "threadkeeper chat --json --run night < questions.txt"},
	"ask":              {`threadkeeper ask "What does the roaster cost?" report.pdf`, `cat minutes.txt | threadkeeper "What was decided?"`},
	"init":             {"threadkeeper init", "threadkeeper init --yes --for terminal --model gpt-5-mini"},
	"serve":            {"threadkeeper serve", "threadkeeper serve --log-level info --log-format json"},
	"check":            {"threadkeeper check answer.md contract.pdf", "pbpaste | threadkeeper check - report.pdf annex.pdf --html checked.html"},
	"threads":          {"threadkeeper threads", "threadkeeper threads --last 5"},
	"import":           {"threadkeeper import talk.jsonl --thread roaster", "threadkeeper export | threadkeeper import - --db copy.db"},
	"export":           {"threadkeeper export --thread roaster > roaster.jsonl", "threadkeeper export --format markdown"},
	"backup":           {"threadkeeper backup monday.db", "threadkeeper backup --force latest.db"},
	"restore":          {"threadkeeper restore monday.db", "threadkeeper restore monday.db --db other.db"},
	"doctor":           {"threadkeeper doctor", "threadkeeper doctor --quick"},
	"manifest":         {"threadkeeper manifest slack", "threadkeeper manifest discord --client-id 123456789012345678"},
	"manifest slack":   {"threadkeeper manifest slack > manifest.yaml", "threadkeeper manifest slack --http https://bot.example.com"},
	"manifest discord": {"threadkeeper manifest discord", "threadkeeper manifest discord --client-id 123456789012345678"},
	"erase":            {"threadkeeper erase --workspace T0123 --channel C0456", "threadkeeper erase --workspace T0123 --yes"},
	"rebuild":          {"threadkeeper rebuild", "threadkeeper rebuild --thread roaster"},
	"usage":            {"threadkeeper usage", "threadkeeper usage --days 7 --csv"},
	"report":           {"threadkeeper report", "threadkeeper report --days 30"},
	"help":             {"threadkeeper help settings", "threadkeeper help json"},
	"version":          {"threadkeeper version", "threadkeeper version | head -1"},
}

// printHelp prints a command with its own flags and two examples: the settings, which all commands have, are a topic, but
// for the one that is given most with a question.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	node := ctx.Selected()
	answers := node != nil && slices.Contains([]string{"ask", "chat", "init"}, node.Name)
	for _, f := range ctx.Model.Flags {
		f.Hidden = f.Hidden || f.Group != nil && f.Group.Key == "settings" && !(answers && f.Name == "model")
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	two := [2]string{"threadkeeper init", `threadkeeper "What does the roaster cost?" report.pdf`}
	if node != nil {
		two = examples[strings.TrimSpace(strings.TrimPrefix(node.Path(), ctx.Model.Name))]
	}
	_, err := fmt.Fprintf(ctx.Stdout, "\nEvery setting is a flag too: threadkeeper help settings lists them.\n\nExamples:\n  %s\n", strings.Join(two[:], "\n  "))
	return err
}
