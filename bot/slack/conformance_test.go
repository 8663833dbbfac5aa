package slack_test

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// open is an adapter to a fake, over Socket Mode.
func open(t *testing.T) func(*fakeslack.Server) platform.Platform {
	return func(s *fakeslack.Server) platform.Platform {
		o := s.Options()
		a := adapter(t, s, slack.Options{AppToken: o.AppToken})
		a.Log = platformtest.Discreet(t, o.BotToken, o.AppToken, o.SigningSecret, "/hooks/")
		return a
	}
}

// adapter completes o by what the fake has.
func adapter(t *testing.T, s *fakeslack.Server, o slack.Options) *slack.Adapter {
	o.BotToken, o.APIURL, o.AgentView = s.Options().BotToken, s.APIURL(), s.Options().AgentView
	o.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	o.LookUp = cmp.Or(o.LookUp, time.Minute)
	return slack.New(o)
}

// granted are the scopes of the manifest, which have to do.
func granted(t *testing.T) []string {
	text, err := slack.Manifest(slack.ManifestOptions{Name: "Keeper"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		OAuth struct {
			Scopes struct{ Bot []string }
		} `yaml:"oauth_config"`
	}
	if err := yaml.Unmarshal([]byte(text), &m); err != nil || len(m.OAuth.Scopes.Bot) == 0 {
		t.Fatalf("scopes %q, %v", m.OAuth.Scopes.Bot, err)
	}
	return m.OAuth.Scopes.Bot
}

func TestConformance(t *testing.T) {
	t.Parallel()
	platformtest.Run(t, func(t *testing.T) platformtest.Harness {
		return fakeslack.NewHarness(t, fakeslack.Options{Scopes: granted(t)}, open(t))
	})
}

func TestConformanceInTheAgentView(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	platformtest.Run(t, func(t *testing.T) platformtest.Harness {
		return fakeslack.NewHarness(t, fakeslack.Options{AgentView: true, Scopes: granted(t)}, open(t))
	})
}

func TestAConversationIsNamedAnew(t *testing.T) {
	h := fakeslack.NewHarness(t, fakeslack.Options{AgentView: true}, open(t))
	id, at := h.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{DM: true}, Text: "the password is swordfish"})
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: h.Room(at, "Ada"), Thread: id}
	a := adapter(t, h.Server, slack.Options{})
	for _, c := range []struct{ text, want string }{
		{"a question", "a question"}, {"", "Conversation"}, {"Hello <!channel>\nmore", "Hello <\u200b!channel>"},
	} {
		if err := a.Retitle(t.Context(), key, c.text, "Conversation"); err != nil {
			t.Fatal(err)
		}
		if got := h.Title(key.Channel, id); got != c.want {
			t.Errorf("titled %q, want %q", got, c.want)
		}
	}
	key.Channel = "C1" // channels have no titles
	if err := a.Retitle(t.Context(), key, "x", "Conversation"); err != nil {
		t.Error(err)
	}
}

func TestConformanceByHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	pauses := make([]time.Duration, 1000)
	for i := range pauses {
		pauses[i] = 50 * time.Millisecond
	}
	platformtest.Run(t, func(t *testing.T) platformtest.Harness {
		return fakeslack.NewHarness(t, fakeslack.Options{RetryWaits: pauses, SigningSecret: t.Name()}, func(s *fakeslack.Server) platform.Platform {
			a, address := hearing(t, s)
			var verified sync.WaitGroup
			verified.Go(func() {
				select {
				case at := <-address:
					if err := s.SetTarget(fakeslack.Target{URL: "http://" + at}); err != nil && t.Context().Err() == nil {
						t.Error(err)
					}
				case <-t.Context().Done():
				}
			})
			t.Cleanup(verified.Wait)
			return a
		})
	})
}

// hearing is an adapter that takes events by HTTP, on a port that the system gives it
// when it runs; the channel tells the address.
func hearing(t *testing.T, s *fakeslack.Server) (*slack.Adapter, <-chan string) {
	a := adapter(t, s, slack.Options{SigningSecret: s.Options().SigningSecret, Listen: "127.0.0.1:0"})
	address := make(chan string, 1)
	a.Log = slog.New(listener{a.Log.Handler(), address})
	return a, address
}

// listener is a log that looks for the address an adapter listens on.
type listener struct {
	slog.Handler
	address chan<- string
}

func (l listener) Enabled(context.Context, slog.Level) bool { return true }

func (l listener) Handle(ctx context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if r.Message == "listening for events" && a.Key == "address" {
			l.address <- a.Value.String()
		}
		return true
	})
	if !l.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}
