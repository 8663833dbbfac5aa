package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/memory"
)

func TestUsageCommand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	store, err := memory.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	session, ada, err := store.Locate(t.Context(), memory.Key{Platform: "slack", Workspace: "T1", Channel: "C1"}, memory.Channel{Kind: memory.Public, Name: "ops"}, memory.Person{PlatformID: "U1", Name: "=Ada"})
	if err != nil {
		t.Fatal(err)
	}
	for _, sp := range []memory.Spending{
		{PersonID: ada.ID, Purpose: "answer", PromptTokens: 1_000, CompletionTokens: 50, CachedTokens: 400, Micros: 2_500},
		{Purpose: "summary", PromptTokens: 300},
	} {
		sp.Day, sp.ChannelID, sp.Model, sp.Calls = memory.Day(store.Now()), session.ChannelID, "small", 1
		if err := store.Spend(t.Context(), sp); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want []string
	}{
		{"", exitOK, []string{"2 days", "1350", "=Ada", "$0.0025", "ops", "summary", "answer"}},
		{"--csv", exitOK, []string{"day,platform,channel,person,model,purpose,calls,prompt_tokens,cached_tokens,completion_tokens,cost\n",
			",slack,ops,'=Ada,small,answer,1,1000,400,50,0.002500\n", ",slack,ops,,small,summary,1,300,0,0,0.000000\n"}},
		{"--json", exitOK, []string{`"calls":1,"channel":"ops","completion_tokens":50,"cost":0.0025,`, `"person":"=Ada"`, `"prompt_tokens":300,"purpose":"summary"`}},
		{"--csv --json", exitUsage, []string{"--csv and --json can't be used together"}},
		{"--days=0", exitUsage, []string{"--days is at least 1"}},
	} {
		var out bytes.Buffer
		args := append([]string{"usage", "--db", path, "--days=2"}, strings.Fields(c.args)...)
		code := run(t.Context(), args, system{In: strings.NewReader(""), Out: &out, Err: &out, Dir: t.TempDir(), Environ: []string{"HOME=" + t.TempDir()}})
		if code != c.code {
			t.Errorf("%s: status %d: %s", c.args, code, out.String())
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.args, want, out.String())
			}
		}
	}
}

func TestBudgetSettings(t *testing.T) {
	for environ, want := range map[string]string{
		"BUDGET_PERSON=much":                                      "BUDGET_PERSON: \"much\" is neither tokens",
		"MODEL_PRICES=gpt-5-mini":                                 "MODEL_PRICES: ",
		"BUDGET_ALL=$5":                                           "BUDGET_ALL is in money, and MODEL_PRICES has no price of gpt-5-mini",
		"BUDGET_CHANNEL=200k FALLBACK_MODEL=gpt-5-mini":           "",
		"JUDGE_MODEL=gpt-5-nano":                                  "",
		"JUDGE_MODEL=gpt-5-mini BUDGET_CHANNEL=200k":              "",
		"JUDGE_MODEL=claude-haiku-4-5":                            "JUDGE_MODEL: model claude-haiku-4-5: ANTHROPIC_API_KEY is missing",
		"JUDGE_MODEL=gpt-5-nano MODEL=":                           "JUDGE_MODEL needs MODEL",
		"JUDGE_MODEL=x BUDGET_ALL=$5 MODEL_PRICES=gpt-5-mini=1/2": "BUDGET_ALL is in money, and MODEL_PRICES has no price of x",
		"MODELS=gpt-5,gpt-5-mini":                                 "",
		"MODELS=claude-sonnet-4-5":                                "MODELS: model claude-sonnet-4-5: ANTHROPIC_API_KEY is missing",
		"MODELS=gpt-5 MODEL=":                                     "MODELS needs MODEL",
		"MODELS=gpt-5 BUDGET_ALL=$5 MODEL_PRICES=gpt-5-mini=1/2":  "BUDGET_ALL is in money, and MODEL_PRICES has no price of gpt-5",
	} {
		var out bytes.Buffer
		env := append([]string{"HOME=" + t.TempDir(), "MODEL=gpt-5-mini", "OPENAI_API_KEY=sk-x"}, strings.Fields(environ)...)
		code := run(t.Context(), []string{"chat", "--db", filepath.Join(t.TempDir(), "a.db")}, system{In: strings.NewReader(""), Out: &out, Err: &out, Dir: t.TempDir(), Environ: env})
		if (code == exitOK) != (want == "") || !strings.Contains(out.String(), want) {
			t.Errorf("%s: status %d, %s", environ, code, out.String())
		}
	}
}
