package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"threadkeeper/bot/console"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// cli is the command line.
type cli struct {
	Chat     chatCmd     `cmd:"" default:"withargs" help:"Talk in the terminal, or answer the lines of a pipe (the default)."`
	Ask      askCmd      `cmd:"" help:"Ask one question, about files or piped input if you like. The word ask can be left out."`
	Init     initCmd     `cmd:"" help:"Set it up: choose where it runs and a model, write .env, test it, and get a first answer."`
	Serve    serveCmd    `cmd:"" help:"Run the bot on Slack and Discord (whichever has a token)."`
	Check    checkCmd    `cmd:"" help:"Check any answer against documents: which sentences they support and which they do not."`
	Threads  threadsCmd  `cmd:"" help:"List the threads of the terminal: name, last use, and what each is about."`
	Import   importCmd   `cmd:"" help:"Import a conversation from JSON lines."`
	Export   exportCmd   `cmd:"" help:"Export a conversation and its memory as JSON lines."`
	Backup   backupCmd   `cmd:"" help:"Copy the database into a file; works while serve runs."`
	Restore  restoreCmd  `cmd:"" help:"Replace the database with a backup; the old one is kept beside it."`
	Doctor   doctorCmd   `cmd:"" help:"Check database, PDF engine, model, Slack and Discord, and say what will not work."`
	Manifest manifestCmd `cmd:"" help:"Print what Slack or Discord needs to know about the app."`
	Erase    eraseCmd    `cmd:"" help:"Erase everything stored about a workspace or channel, at once."`
	Rebuild  rebuildCmd  `cmd:"" help:"Rebuild the summaries of a conversation from its messages."`
	Usage    usageCmd    `cmd:"" help:"Show what models used, by day, person, channel, model and purpose."`
	Report   reportCmd   `cmd:"" help:"Show the week: questions without an answer, feedback, documents asked about, what was spent."`
	Help     helpCmd     `cmd:"" help:"Explain a topic, or list the topics."`
	Version  versionCmd  `cmd:"" help:"Print the version."`

	File string `name:"config" placeholder:"FILE" help:"YAML file with settings, instead of threadkeeper.yaml here."`
	DB   string `name:"db" placeholder:"FILE" help:"Same as --database-url."`

	Settings config.Config `embed:"" group:"settings"`
}

// runner is a command.
type runner interface {
	Run(ctx context.Context, sys system, cfg *config.Config) error
}

// readCmd is a command that only reads the database.
type readCmd interface {
	Read(ctx context.Context, sys system, cfg *config.Config, store *memory.Store) error
}

// beside runs one while another process may be writing the database.
type beside struct{ readCmd }

func (r beside) Run(ctx context.Context, sys system, cfg *config.Config) error {
	store, err := openReadOnly(ctx, sys, cfg)
	if err != nil {
		return err
	}
	return errors.Join(r.Read(ctx, sys, cfg, store), store.Close())
}

// errHelp says that help was asked for and given.
var errHelp = errors.New("help")

const about = `An assistant that remembers, asks before it guesses, and answers from your documents with checked citations.

Every setting is a flag, an environment variable (TOKEN_THRESHOLD for --token-threshold), a line of .env or a key of threadkeeper.yaml. Keys, tokens and secrets (OPENAI_API_KEY, ANTHROPIC_API_KEY, SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, DISCORD_TOKEN) cannot be flags.

Exit status: 0 done, 1 failed, 2 wrong flags or settings, 3 if the answer is partial, or an attachment or a line of a pipe could not be read.`

// parse reads the command line and the settings.
func parse(args []string, sys system) (runner, *config.Config, error) {
	var c cli
	helped := false
	parser, err := kong.New(&c, kong.Name("threadkeeper"), kong.Description(about), kong.UsageOnError(),
		kong.Writers(sys.Out, sys.Err), kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Help(printHelp),
		kong.ExplicitGroups([]kong.Group{{Key: "settings", Title: "Settings:"}}))
	if err != nil {
		return nil, nil, fmt.Errorf("threadkeeper: command line: %w", err) // unreachable: cli is well formed
	}
	parser.Model.HelpFlag.Help = "Show this help, or that of a command."
	for _, f := range parser.Model.Flags { // config.Load says of all settings at once what is wrong with them
		if f.Group != nil && !f.IsBool() {
			f.Target, f.Mapper, f.Enum, f.Tag.Enum = reflect.New(reflect.TypeFor[string]()).Elem(), word, "", ""
		}
	}
	var commands []string
	for _, c := range parser.Model.Children {
		commands = append(commands, c.Name)
	}
	first := firstWord(args, parser.Model.Flags)
	switch {
	case len(args) > 0 && args[0] == "--version":
		args[0] = "version"
	case len(args) > 1 && args[0] == "help" && slices.Contains(commands, args[1]):
		args, first = append(slices.Clone(args[1:]), "--help"), 0
	case asks(args, commands, sys):
		args, first = append([]string{"ask"}, args...), 0
	case first >= 0:
		parser.Model.DefaultCmd = nil // kong then takes an unknown word for a mistyped command, and proposes one
	}
	got, err := parser.Parse(args)
	if helped {
		return nil, nil, errHelp
	}
	if err != nil {
		return nil, nil, wrongUse(err, args[max(0, first):], sys)
	}
	file := c.File
	if file != "" {
		file = fromDir(sys, file)
		if err := isThere(file); err != nil {
			return nil, nil, fmt.Errorf("threadkeeper: %w", err)
		}
	}
	selected := got.Selected().Target.Addr().Interface()
	command, runs := selected.(runner)
	if !runs {
		command = beside{selected.(readCmd)}
	}
	switch command.(type) {
	case *helpCmd, *versionCmd: // also while settings are wrong
		return command, &config.Config{}, nil
	}
	sources := config.Sources{Flags: given(got), Environ: sys.Environ, Dir: sys.Dir, File: file}
	for _, warning := range config.Warnings(sources) {
		fmt.Fprintln(sys.Err, "threadkeeper:", warning)
	}
	if c, ok := command.(*initCmd); ok {
		c.given = sources
	}
	cfg, err := config.Load(sources)
	if err != nil {
		return nil, nil, fmt.Errorf("threadkeeper: these settings are wrong:\n%w", err)
	}
	return command, cfg, nil
}

// firstWord is where the first word that is no flag stands, -1 for none, or behind a flag that not all commands have.
func firstWord(args []string, all []*kong.Flag) int {
	for i := 0; i < len(args); i++ {
		name, _, valued := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		at := slices.IndexFunc(all, func(f *kong.Flag) bool { return f.Name == name || f.Short > 0 && "-"+string(f.Short) == name })
		switch {
		case !strings.HasPrefix(args[i], "-"):
			return i
		case at < 0:
			return -1
		case !valued && !all[at].IsBool():
			i++
		}
	}
	return -1
}

// word takes the word behind a flag as it stands, a negative number too, which is a flag itself to the parser.
var word = kong.MapperFunc(func(flag *kong.DecodeContext, value reflect.Value) error {
	next := flag.Scan.Peek().String()
	if _, err := strconv.Atoi(next); err != nil {
		return flag.Scan.PopValueInto("value", value.Addr().Interface())
	}
	flag.Scan.Pop()
	value.SetString(next)
	return nil
})

// wrongUse says what is wrong with a command line, and which help to read.
func wrongUse(err error, args []string, sys system) error {
	command := "threadkeeper"
	if failed := (*kong.ParseError)(nil); errors.As(err, &failed) {
		if c := failed.Context.Selected(); c != nil && slices.Contains(args, c.Name) {
			command = c.FullPath()
		}
	}
	what := strings.NewReplacer(`","`, `", "`, "a valid 64 bit int", "a whole number").Replace(strings.ReplaceAll(err.Error(), `,""`, ""))
	if flag, _, lacks := strings.Cut(what, ": expected "); lacks && strings.HasSuffix(what, `but got "EOL" (<EOL>)`) {
		what = flag + " needs a value"
	}
	said, _, _ := strings.Cut(what, ", did you mean ")
	flag, unknown := strings.CutPrefix(said, "unknown flag -")
	dashed := slices.IndexFunc(args, func(a string) bool { return unknown && strings.HasPrefix(a, "-"+flag) && sys.isFile(a) })
	switch question, files := sentence(args); {
	case command == "threadkeeper" && question != "":
		what = said + ". A question goes in quotes: threadkeeper " + strings.Join(append([]string{strconv.Quote(question)}, files...), " ")
	case dashed >= 0:
		what = said + "; the file of that name is ./" + args[dashed]
	case command == "threadkeeper" && len(args) > 0 && sys.isFile(args[0]):
		what = args[0] + " is a file: threadkeeper \"question\" " + args[0] + " asks about it"
	case command == "threadkeeper" && len(args) > 0 && console.IsCommand(args[0]):
		what = args[0] + " is a command in a conversation: threadkeeper chat, then /" + strings.Join(args, " ")
	case unknown && slices.Contains([]string{"f", "-file", "a", "-attach", "-attachment"}, flag):
		what = said + `; files follow the question: threadkeeper "question" report.pdf`
	case command == "threadkeeper chat" && strings.HasPrefix(what, "unexpected argument "):
		what = `chat takes no question: threadkeeper "question" asks one`
	case command == "threadkeeper" && len(args) > 0 && what == "unexpected argument "+args[0]:
		what = fmt.Sprintf("there is no command %s; as a question: threadkeeper ask %[1]s", args[0])
	case strings.HasPrefix(what, `expected "<`):
		name := strings.TrimPrefix(command, "threadkeeper ")
		what = fmt.Sprintf("%s needs a %s: %s", name, strings.Trim(strings.TrimPrefix(what, "expected "), `"<>`), examples[name][0])
	case unknown && (flag == "c" || flag == "-continue"):
		what = `-c needs a question: threadkeeper -c "And then?"`
	case unknown && len(flag) == 1:
		what = said // all others are as near
	}
	return fmt.Errorf("threadkeeper: %s (see %s --help)", what, command)
}

// sentence is the question that a command line is without its quotes, "" for none, and the files at its end.
func sentence(args []string) (question string, files []string) {
	end := len(args)
	for end > 0 && strings.ContainsAny(args[end-1], "./\\") && !strings.HasSuffix(args[end-1], ".") {
		end--
	}
	if len(args) < 3 || end < 2 || slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") || strings.Contains(a, `"`) }) {
		return "", nil
	}
	return strings.Join(args[:end], " "), args[end:]
}

// given are the settings among the flags of the command line, by setting name.
func given(got *kong.Context) map[string]string {
	flags := map[string]string{}
	for _, p := range got.Path {
		if p.Flag == nil {
			continue
		}
		name := p.Flag.Tag.Get("koanf")
		if p.Flag.Name == "db" {
			name = "database_url"
		}
		if name != "" {
			flags[name] = fmt.Sprint(p.Flag.Target.Interface())
		}
	}
	return flags
}
