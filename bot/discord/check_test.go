package discord

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
)

// checked are the findings about a server, "name: found" or "name FAILED: error".
func checked(t *testing.T, s *fakediscord.Server, token string) string {
	t.Helper()
	a := New(Options{Token: token, APIURL: s.URL(), Log: slog.New(slog.DiscardHandler)})
	var all strings.Builder
	a.Check(t.Context(), func(name, found string, err error) {
		if err != nil {
			name, found = name+" FAILED", err.Error()
		}
		all.WriteString(name + ": " + found + "\n")
	})
	return all.String()
}

func openFake(t *testing.T, o fakediscord.Options) *fakediscord.Server {
	t.Helper()
	s := fakediscord.New(o)
	t.Cleanup(s.Close)
	return s
}

func expect(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in:\n%s", p, text)
		}
	}
}

func TestCheckOfAGoodSetUp(t *testing.T) {
	s := openFake(t, fakediscord.Options{})
	guild := s.AddGuild("Threadworks")
	s.AddChannel(guild, fakediscord.Channel{Name: "general", Type: fakediscord.TextChannel})
	text := checked(t, s, s.Token())
	expect(t, text, "Discord: as @Threadkeeper", "Message Content Intent is on", "session starts left", "Threadworks: sees 1 of 1 channels")
	if strings.Contains(text, "FAILED") {
		t.Error(text)
	}
	if id := New(Options{Token: s.Token(), APIURL: s.URL()}).ClientID(t.Context()); id != s.Application() {
		t.Errorf("client id %s, want %s", id, s.Application())
	}
}

// TestCheckSaysWhoMayAddTheBot: apps are public when they are new.
func TestCheckSaysWhoMayAddTheBot(t *testing.T) {
	for _, private := range []bool{false, true} {
		s := openFake(t, fakediscord.Options{Private: private})
		if text := checked(t, s, s.Token()); strings.Contains(text, "so is Public Bot") == private || !strings.Contains(text, "Message Content Intent is on") {
			t.Errorf("private %v: %s", private, text)
		}
	}
}

func TestCheckNamesWhatIsMissing(t *testing.T) {
	none := 0
	s := openFake(t, fakediscord.Options{Privileged: &none})
	expect(t, checked(t, s, s.Token()), "Discord intents FAILED: Message Content Intent is off", "threads need a mention too",
		"Discord servers FAILED: the bot is not on any server")

	guild := s.AddGuild("Threadworks")
	s.SetPermissions(guild, fakediscord.ViewChannel|fakediscord.SendMessages|fakediscord.ReadMessageHistory)
	open := s.AddChannel(guild, fakediscord.Channel{Name: "general", Type: fakediscord.TextChannel})
	closed := s.AddChannel(guild, fakediscord.Channel{Name: "board", Type: fakediscord.TextChannel})
	s.SetOverwrites(closed, fakediscord.Overwrite{ID: guild, Deny: "1024", Allow: "0"})
	s.SetOverwrites(open, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: "2048", Allow: "0"})
	text := checked(t, s, s.Token())
	expect(t, text, "sees 1 of 2 channels", "Send Messages is missing in #general: it cannot answer in the channel itself", "Create Public Threads is missing in #general: a mention cannot open a thread", "Attach Files is missing")
	forum := s.AddChannel(guild, fakediscord.Channel{Name: "ideas", Type: fakediscord.ForumChannel})
	s.SetOverwrites(forum, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: "2048", Allow: "0"})
	if again := checked(t, s, s.Token()); strings.Contains(again, "Send Messages is missing in #general, #ideas") || strings.Contains(again, "Create Public Threads is missing in #general, #ideas") ||
		!strings.Contains(again, "Send Messages in Threads is missing in #general, #ideas") {
		t.Errorf("a forum needs other permissions:\n%s", again)
	}
	if strings.Contains(text, "board") || strings.Contains(text, "Read Message History is missing") {
		t.Error(text)
	}
	s.Timeout(guild, s.Bot().ID, time.Hour)
	expect(t, checked(t, s, s.Token()), "timed out until")
}

func TestCheckOfAWrongToken(t *testing.T) {
	t.Parallel()
	s := openFake(t, fakediscord.Options{})
	text := checked(t, s, "wrong")
	expect(t, text, "Discord FAILED: ", "DISCORD_TOKEN is wrong")
	if strings.Count(text, "FAILED") != 1 || strings.Contains(text, "network") {
		t.Error(text)
	}
	s.Break(fakediscord.Fault{Status: 503, Times: 3})
	expect(t, checked(t, s, s.Token()), "Discord FAILED: ", "try again later")
	s.Close()
	text = checked(t, s, s.Token())
	expect(t, text, "Discord FAILED: ", "check the network")
	if strings.Contains(text, "DISCORD_TOKEN") {
		t.Error(text)
	}
}
