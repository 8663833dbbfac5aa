package platform_test

import (
	"context"
	"fmt"
	"log"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// printer is a platform that delivers one message. It has no streams, files or history: a real one implements every
// method, and passes package platformtest.
type printer struct{ platform.Platform }

func (*printer) Name() string { return "printer" }

// Run delivers a message. It may be acknowledged only after Receive has returned nil.
func (*printer) Run(ctx context.Context, h platform.Handler, _ []platform.Command) error {
	key := memory.Key{Platform: "printer", Workspace: "w", Channel: "general"}
	return h.Receive(ctx, platform.Event{ID: "event 1", Kind: platform.EventMessage, Key: key, Channel: memory.Channel{Kind: memory.Public},
		Author: platform.Author{ID: "ada", Name: "Ada", Kind: memory.Human}, Message: "1", Text: "When does the gate open?", Mention: true,
		Reply: platform.Address{Key: key, ReplyTo: "1"}})
}

// Post shows an answer and returns its Ref.
func (*printer) Post(_ context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	fmt.Printf("to %s in #%s: %s\n", to.ReplyTo, to.Key.Channel, m.Text)
	return platform.Ref("post of " + m.Nonce), nil
}

// A platform delivers events to its handler, the bot, and posts its answers.
func ExamplePlatform() {
	var p platform.Platform = &printer{}
	err := p.Run(context.Background(), platform.Handler{Receive: func(ctx context.Context, e platform.Event) error {
		ref, err := p.Post(ctx, e.Reply, platform.Outgoing{Nonce: "n1", Kind: platform.KindReply, Text: "You asked: " + e.Text})
		fmt.Println(ref)
		return err
	}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// to 1 in #general: You asked: When does the gate open?
	// post of n1
}
