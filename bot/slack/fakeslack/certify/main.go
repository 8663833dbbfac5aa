// Command certify runs Slack's own SDK for Node (client.mjs) against fakeslack. It
// plays the people, and checks the state the SDK left behind. Run it with `make certify-slack`.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"threadkeeper/bot/slack/fakeslack"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := certify(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "certify-slack:", err)
		os.Exit(1)
	}
	fmt.Println("Slack's SDK and fakeslack understand each other.")
}

func certify(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	s := fakeslack.New(fakeslack.Options{AckWait: time.Minute}) // a busy machine is not what is judged
	defer s.Close()
	node := exec.CommandContext(ctx, "node", "client.mjs")
	node.Dir = "bot/slack/fakeslack/certify"
	node.Stdout, node.Stderr = os.Stdout, os.Stderr
	o := s.Options()
	node.Env = append(os.Environ(), "SLACK_API_URL="+s.APIURL(), "SLACK_BOT_TOKEN="+o.BotToken, "SLACK_APP_TOKEN="+o.AppToken)
	if err := node.Start(); err != nil {
		return fmt.Errorf("start node: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- node.Wait() }()
	p := play{ctx: ctx, s: s, ended: ended}
	if err := p.people(); err != nil {
		cancel()
		return errors.Join(err, <-ended)
	}
	if err := <-ended; err != nil {
		return fmt.Errorf("the client: %w", err)
	}
	return p.judge()
}

// play is what the people do, each thing once the one before has shown.
type play struct {
	ctx         context.Context
	s           *fakeslack.Server
	ended       chan error
	ada, room   string
	thread      string
	interrupted error
}

// until waits for a condition.
func (p *play) until(what string, ok func() bool) {
	for p.interrupted == nil && !ok() {
		select {
		case err := <-p.ended:
			p.ended <- err
			p.interrupted = fmt.Errorf("the client ended before %s", what)
		case <-p.ctx.Done():
			p.interrupted = fmt.Errorf("%s: %w", what, p.ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (p *play) shown(text string) (fakeslack.Shown, bool) {
	for _, v := range p.s.Shown(p.room, p.thread, p.ada) {
		if strings.Contains(v.Text, text) && !v.Streaming {
			return v, true
		}
	}
	return fakeslack.Shown{}, false
}

func (p *play) people() error {
	s := p.s
	p.ada = s.AddUser(fakeslack.User{Name: "Ada"}).ID
	p.room = s.AddChannel(fakeslack.Channel{Name: "general", Members: []string{p.ada, fakeslack.BotUser}}).ID
	p.until("a connection", func() bool { return s.Sockets() == 1 })
	s.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"chat.update"}, After: time.Second})
	mention := "<@" + fakeslack.BotUser + "> "
	p.thread = s.Say(fakeslack.Said{User: p.ada, Channel: p.room, Text: mention + "how long is the warranty?",
		Files: []fakeslack.NewFile{{Name: "warranty.txt", Data: []byte("three years")}}})
	p.until("the home tab", func() bool { _, ok := s.Home(p.ada); return ok })

	s.Disconnect("refresh_requested", true)
	p.until("a new connection", func() bool { return s.Opened() >= 2 && s.Sockets() == 1 })
	s.Say(fakeslack.Said{User: p.ada, Channel: p.room, Thread: p.thread, Text: mention + "again"})

	s.Slash(p.ada, p.room, "/memory", "status")
	p.until("the status", func() bool {
		return len(s.Shown(p.room, "", p.ada)) > 0 && strings.Contains(fmt.Sprint(s.Shown(p.room, "", p.ada)), "context 10 %")
	})
	question, _ := p.shown("colour")
	if p.interrupted == nil {
		p.interrupted = s.Click(p.ada, p.room, question.TS, "Red")
	}
	p.until("the modal", func() bool { return len(s.Modals(p.ada)) == 1 })
	if p.interrupted == nil {
		s.Submit(s.Modals(p.ada)[0].ID, map[string]map[string]any{"b": {"a": map[string]any{"type": "plain_text_input", "value": "turquoise"}}})
	}
	p.until("all acknowledgements", func() bool { return s.Pending() == 0 })
	s.Shortcut(p.ada, p.room, p.thread, "thread_memory")
	return p.interrupted
}

// judge looks at what the client did.
func (p *play) judge() error {
	var wrong []error
	// blocks stay when an update brings only text
	for text, has := range map[string]func(fakeslack.Shown) bool{
		"**Which** colour?": func(v fakeslack.Shown) bool { return v.Edited && v.Feedback && len(v.Buttons) == 1 },
		"Only you see this": func(v fakeslack.Shown) bool { return v.OnlyTo == p.ada },
		"The end.":          func(v fakeslack.Shown) bool { return strings.Count(v.Text, "A sentence") == 24 },
		"Here it is":        func(v fakeslack.Shown) bool { return v.File == "export.jsonl" },
	} {
		if v, ok := p.shown(text); !ok || !has(v) {
			wrong = append(wrong, fmt.Errorf("the message %q is %+v", text, v))
		}
	}
	violations := p.s.Violations()
	if len(violations) != 1 || !strings.Contains(violations[0], "invalid_blocks") {
		wrong = append(wrong, fmt.Errorf("violations: %q, want the one that was meant", violations))
	}
	if n := p.s.Pending(); n > 0 {
		wrong = append(wrong, fmt.Errorf("%d deliveries are not acknowledged", n))
	}
	if n := len(p.s.Requests("chat.update")); n != 2 {
		wrong = append(wrong, fmt.Errorf("%d calls of chat.update, want one that was limited and one more", n))
	}
	return errors.Join(wrong...)
}
