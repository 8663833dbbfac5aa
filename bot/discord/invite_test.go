package discord

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

func TestInvite(t *testing.T) {
	link, err := Invite("123456789012345678")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if u.Host != "discord.com" || u.Path != "/oauth2/authorize" || q.Get("client_id") != "123456789012345678" || q.Get("scope") != "bot applications.commands" {
		t.Errorf("link %s", u)
	}
	bits, err := strconv.ParseUint(q.Get("permissions"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range permissions {
		if bits&p.Bit == 0 {
			t.Errorf("%s is not asked for", p.Name)
		}
		bits &^= p.Bit
	}
	if bits != 0 {
		t.Errorf("more is asked for than is needed: %b", bits)
	}
	for _, id := range []string{"", "12", "1234567890123456789012", "123456789012345678&scope=x"} {
		if link, err := Invite(id); err == nil {
			t.Errorf("%q was accepted: %s", id, link)
		}
	}
	if !strings.Contains(Intents(), "Message Content Intent") {
		t.Error(Intents())
	}
}

func TestTokenID(t *testing.T) {
	const id = "123456789012345678"
	for token, want := range map[string]string{
		base64.StdEncoding.EncodeToString([]byte(id)) + ".Gabc.xyz":    id,
		base64.RawStdEncoding.EncodeToString([]byte(id)) + ".Gabc.xyz": id,
		base64.RawStdEncoding.EncodeToString([]byte("<script>")) + ".": "",
		"test-token": "",
		"":           "",
	} {
		if got := tokenID(token); got != want {
			t.Errorf("%s: got %q, want %q", token, got, want)
		}
	}
}
