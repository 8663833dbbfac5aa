package main

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/config"
)

func TestDoctorSaysWhatTheModelCanDo(t *testing.T) {
	tests := []struct {
		name   string
		model  string
		set    int
		server fakemodel.Options
		want   []string
	}{
		{"a server of one's own", "llama3.1:8b", 0, fakemodel.Options{NoTools: fakemodel.Ollama, Native: map[string]any{"POST /api/show": map[string]any{
			"parameters": "num_ctx 16384", "model_info": map[string]any{}, "capabilities": []string{"completion", "vision"}}}},
			[]string{"llama3.1:8b answered in", "/v1", "window 16,384 tokens (the endpoint, num_ctx)", "tools as text", "pictures: yes", "; streams; no JSON"}},
		{"a reasoning model", "gpt-5-mini", 0, fakemodel.Options{}, []string{"window 400,000 tokens (the table of known models)", "tools native", "reasons first", "pictures: unknown until tried"}},
		{"a small window", "m", 4_096, fakemodel.Options{}, []string{"window 4,096 tokens (the setting MODEL_WINDOW)\nThat is small"}},
		{"the setting", "m", 32_000, fakemodel.Options{}, []string{"window 32,000 tokens (the setting MODEL_WINDOW)"}},
		{"nobody knows", "m", 0, fakemodel.Options{}, []string{"window unknown, taken as 8,192 tokens (MODEL_WINDOW sets it)"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.server.Script = []fakemodel.Rule{{Say: "OK. That is all there is to say about it.", Think: 200}}
			s, err := fakemodel.Start(test.server)
			if err != nil {
				t.Fatal(err)
			}
			defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
			defer s.Close()
			cfg := &config.Config{Model: test.model, ModelWindow: test.set, OpenAIAPIKey: "sk-test", OpenAIBaseURL: s.URL()}
			found, err := checkModel(t.Context(), system{Err: &bytes.Buffer{}}, cfg, cfg.Model)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range test.want {
				if !strings.Contains(found, want) {
					t.Errorf("no %q in\n%s", want, found)
				}
			}
		})
	}
}

func TestDoctorSaysHowToFixAModelThatCannotBeOpened(t *testing.T) {
	_, err := checkModel(t.Context(), system{Err: io.Discard}, &config.Config{Model: "gpt-5-mini"}, "gpt-5-mini")
	if err == nil || !strings.Contains(err.Error(), "OPENAI_API_KEY is missing") || !strings.Contains(err.Error(), "threadkeeper init") {
		t.Error(err)
	}
}
