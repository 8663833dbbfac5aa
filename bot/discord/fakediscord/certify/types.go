package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// named are the types of discord-api-types by what the name of a file of bodies begins
// with: "create.json" and "create-question.json".
var named = map[string]string{
	"create":   "RESTPostAPIChannelMessageJSONBody",
	"edit":     "RESTPatchAPIChannelMessageJSONBody",
	"thread":   "RESTPostAPIChannelMessagesThreadsJSONBody",
	"channel":  "RESTPatchAPIChannelJSONBody",
	"callback": "RESTPostAPIInteractionCallbackJSONBody",
	"original": "RESTPatchAPIInteractionOriginalResponseJSONBody",
	"amended":  "RESTPatchAPIInteractionFollowupJSONBody",
	"followup": "RESTPostAPIInteractionFollowupJSONBody",
	"commands": "RESTPutAPIApplicationCommandsJSONBody",
	"dm":       "RESTPostAPICurrentUserCreateDMChannelJSONBody",
	"identify": "GatewayIdentifyData",
	"resume":   "GatewayResumeData",
}

// accepted are bodies the fake's own tests send.
var accepted = map[string]string{
	"create":   `{"content":"x","nonce":"n","enforce_nonce":true,"flags":4,"allowed_mentions":{"parse":[]},"components":[{"type":1,"components":[{"type":2,"style":1,"label":"a","custom_id":"a"}]}]}`,
	"edit":     `{"content":"x","allowed_mentions":{"parse":[]},"components":[],"attachments":[]}`,
	"thread":   `{"name":"hello","auto_archive_duration":1440}`,
	"channel":  `{"archived":false,"locked":false}`,
	"callback": `{"type":5,"data":{"flags":64}}`,
	"original": `{"content":"x","allowed_mentions":{"parse":[]}}`,
	"followup": `{"content":"x","flags":64,"allowed_mentions":{"parse":[]}}`,
	"commands": `[{"name":"docs","description":"Documents","options":[{"type":1,"name":"use","description":"Use","options":[{"type":3,"name":"document","description":"Which","required":true,"autocomplete":true}]}]}]`,
	"dm":       `{"recipient_id":"1"}`,
}

// refused must not pass: they show that the check sees something.
var refused = map[string]string{
	"create":   `{"contents":"x"}`,
	"callback": `{"type":5,"data":{"flags":"64"}}`,
	"thread":   `{"auto_archive_duration":1440}`,
}

// types checks bodies with TypeScript.
func types(ctx context.Context, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	b := program{names: make(map[string]bool)}
	for kind, body := range accepted {
		b.add(kind, body, true)
	}
	for kind, body := range refused {
		b.add(kind, body, false)
	}
	for _, f := range files {
		kind, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(f), ".json"), "-")
		raw, err := os.ReadFile(f)
		switch {
		case err != nil:
			return err
		case named[kind] == "":
			return fmt.Errorf("%s: no type is known for %q", f, kind)
		case !json.Valid(raw):
			return fmt.Errorf("%s: no JSON", f)
		}
		b.add(kind, string(raw), true)
	}
	if err := b.check(ctx); err != nil {
		return fmt.Errorf("discord-api-types: %w", err)
	}
	fmt.Fprintf(os.Stderr, "ok   %d bodies of our adapter and %d more have Discord's types\n", len(files), len(accepted))
	return nil
}

// program is TypeScript that compiles only if every body has its type.
type program struct {
	names map[string]bool
	text  strings.Builder
}

func (p *program) add(kind, body string, good bool) {
	p.names[named[kind]] = true
	if !good {
		p.text.WriteString("// @ts-expect-error\n")
	}
	var line bytes.Buffer
	if err := json.Compact(&line, []byte(body)); err != nil {
		panic(err) // checked before
	}
	fmt.Fprintf(&p.text, "(%s) satisfies %s;\n", flags.ReplaceAllString(line.String(), `"flags":($1 as number)`), named[kind])
}

// flags may be several bits, which no member of the type's enumeration is.
var flags = regexp.MustCompile(`"flags":(\d+)`)

func (p *program) check(ctx context.Context) (err error) {
	var head strings.Builder
	for n := range p.names {
		fmt.Fprintf(&head, "import type { %s } from 'discord-api-types/v10';\n", n)
	}
	const file = "bodies.ts"
	if err := os.WriteFile(file, []byte(head.String()+p.text.String()), 0o644); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file)) }()
	out, err := exec.CommandContext(ctx, "node_modules/.bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", file).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
