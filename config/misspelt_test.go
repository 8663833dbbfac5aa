package config

import (
	"slices"
	"testing"
)

// TestMisspeltNamesAreSaid: what is like a setting is said, what is somebody else's is not.
func TestMisspeltNamesAreSaid(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".env", "OPENAI_API_KYE=sk-secret\nMODLE=gpt\nDISCORD_BOT_TOKEN=x\nWORKERS=2\nWORKER=3\nSOMEBODY_ELSES=1\nPORT=80\n")
	got := Warnings(Sources{Dir: dir, Environ: []string{"TOKEN_TRESHOLD=500", "MODE=x", "REPLY_TO=y", "OPENAI_KEY=z", "SLACK_BOT_TOKEN=xoxb-1", "SLACK_BOT_TOKENS=x"}})
	want := []string{
		".env: DISCORD_BOT_TOKEN is not a setting, did you mean DISCORD_TOKEN?",
		".env: MODLE is not a setting, did you mean MODEL?",
		".env: OPENAI_API_KYE is not a setting, did you mean OPENAI_API_KEY?",
		"TOKEN_TRESHOLD in the environment is not a setting, did you mean TOKEN_THRESHOLD?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := Warnings(Sources{Dir: t.TempDir()}); len(got) != 0 {
		t.Errorf("nothing is set, and it says %q", got)
	}
}
