package agent

import (
	"context"
	"errors"
	"testing"
	"time"

	"threadkeeper/bot/platformtest/leaktest"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

func TestMain(m *testing.M) {
	pdfium.ServeIfWorker()
	leaktest.Exit(m.Run())
}

const otherwise = "otherwise:\nsay: ANSWER\n  Fine."

func TestStoppedTurn(t *testing.T) {
	k := newTalk(t, "otherwise:\nsay: x\nfault: timeout")
	m := k.say("Ada", "Explain how tides come about, please")
	audience, err := k.store.Audience(context.Background(), k.session.ID, m.PersonID)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		for len(k.server.Requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	_, err = k.chain.Respond(ctx, Turn{Session: k.session, Audience: audience, Messages: []*memory.Message{m}, Now: k.now}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func TestPleasantriesAreNotAnswers(t *testing.T) {
	k := newTalk(t, otherwise)
	k.chain.Model = nil
	for _, text := range []string{"hello", "thank you!", "The gate is painted green."} {
		if r := k.turn("Ada", text, ChoiceNone); r.Ledger.Route != "social" {
			t.Errorf("%s: %q by %s", text, r.Text, r.Ledger.Route)
		}
	}
}
