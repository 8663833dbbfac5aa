// Command certify runs discord.js as a client of the fake Discord, and has TypeScript check
// the bodies our adapter sends against discord-api-types. It runs in its own folder, after
// npm ci, and fails if one of them disagrees.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// bodies are written by the adapter's tests: those of one conversation, and the shapes of
// all it can send.
const bodies = "../../testdata/*s"

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	if err := errors.Join(client(ctx), types(ctx, bodies)); err != nil {
		fmt.Fprintln(os.Stderr, "certify:", err)
		os.Exit(1)
	}
}

// client runs client.mjs and is its people.
func client(ctx context.Context) error {
	p := newPeople()
	defer p.s.Close()
	cmd := exec.CommandContext(ctx, "node", "client.mjs")
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "FAKE_URL="+p.s.URL(), "FAKE_TOKEN="+p.s.Token(), "FAKE_CHANNEL="+p.channel, "FAKE_GUILD="+p.guild)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := errors.Join(p.serve(ctx, out, in), cmd.Wait()); err != nil {
		return fmt.Errorf("discord.js: %w", err)
	}
	// client.mjs sends one text that is too long.
	if v := p.s.Violations(); len(v) != 1 || !strings.Contains(v[0], "Must be 2000 or fewer") {
		return fmt.Errorf("the fake blames discord.js: %q", v)
	}
	return nil
}

// serve does what each line asks for and answers with a line.
func (p *people) serve(ctx context.Context, asked io.Reader, answer io.Writer) error {
	lines := bufio.NewScanner(asked)
	for lines.Scan() {
		var w wish
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			return fmt.Errorf("%q: %w", lines.Text(), err)
		}
		reply, err := p.do(ctx, w)
		if err != nil {
			reply = map[string]any{"error": err.Error()}
		}
		if err := json.NewEncoder(answer).Encode(reply); err != nil {
			return err
		}
	}
	return lines.Err()
}
