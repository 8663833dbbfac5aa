package main

import (
	"bytes"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/config"
)

// The chain learns from the endpoint whether the model takes pictures.
func TestTheChainKnowsWhatTheModelTakes(t *testing.T) {
	said := map[string]any{"architecture": map[string]any{"input_modalities": []string{"text", "image"}}}
	picture := []llms.MessageContent{{Role: llms.ChatMessageTypeHuman, Parts: []llms.ContentPart{llms.TextPart("what is it?"), llms.BinaryPart("image/png", []byte{1})}}}
	for _, test := range []struct {
		name         string
		server       fakemodel.Options
		takes, known bool // before a picture was sent
		after        bool // takes, after
	}{
		{"nobody says", fakemodel.Options{}, false, false, true},
		{"the endpoint says", fakemodel.Options{About: said}, true, true, true},
		{"it is refused", fakemodel.Options{NoPictures: fakemodel.VLLM}, false, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.server.Models, test.server.Script = []string{"m"}, []fakemodel.Rule{{Say: "A cat."}}
			s, err := fakemodel.Start(test.server)
			if err != nil {
				t.Fatal(err)
			}
			defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
			defer s.Close()
			p, err := open(t.Context(), system{Err: &bytes.Buffer{}}, &config.Config{Model: "m", OpenAIBaseURL: s.URL(), DatabaseURL: filepath.Join(t.TempDir(), "a.db")})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := p.close(); err != nil {
					t.Error(err)
				}
			}()
			if takes, known := p.chain.Images(); takes != test.takes || known != test.known {
				t.Errorf("takes %v, known %v", takes, known)
			}
			if _, err := p.model.GenerateContent(t.Context(), picture); err != nil {
				t.Fatal(err)
			}
			if takes, known := p.chain.Images(); takes != test.after || !known {
				t.Errorf("after a picture: takes %v, known %v", takes, known)
			}
		})
	}
}
