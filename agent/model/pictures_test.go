package model

import (
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

var look = []llms.MessageContent{
	llms.TextParts(llms.ChatMessageTypeSystem, "Be short."),
	{Role: llms.ChatMessageTypeHuman, Parts: []llms.ContentPart{llms.TextPart("what is this?"), llms.BinaryPart("image/png", []byte{1, 2})}},
}

func TestPictures(t *testing.T) {
	for _, name := range families {
		s := fake(t, fakemodel.Options{Script: say("A cat.")})
		m := at(t, s, name)
		resp, err := m.GenerateContent(t.Context(), look)
		if err != nil || PicturesLeftOut(resp) {
			t.Fatalf("%s: %v", name, err)
		}
		if r := s.Requests()[0]; r.Pictures != 1 || !m.(*chat).main.habits.get().tookPictures {
			t.Errorf("%s: %s", name, r.Body)
		}
	}
}

// An endpoint that takes no pictures is asked without them, and again only without them.
func TestPicturesRefused(t *testing.T) {
	for _, world := range fakemodel.Worlds {
		for _, name := range families {
			s := fake(t, fakemodel.Options{Script: say("I cannot see it."), NoPictures: world})
			m := at(t, s, name)
			for range 2 {
				resp, err := m.GenerateContent(t.Context(), look, llms.WithTools(twoTools), into(&strings.Builder{}))
				if err != nil || !PicturesLeftOut(resp) {
					t.Fatalf("%s %s: %v", world, name, err)
				}
			}
			r := s.Requests()
			h := m.(*chat).main.habits.get()
			if len(r) != 2 || r[1].Pictures != 0 || len(r[1].Tools) != 2 || !h.noPictures || h.textTools || h.tookPictures {
				t.Errorf("%s %s: %d accepted, %+v", world, name, len(r), h)
			}
			if resp, err := m.GenerateContent(t.Context(), hello); err != nil || PicturesLeftOut(resp) {
				t.Errorf("%s %s: without a picture one was left out, %v", world, name, err)
			}
		}
	}
}

// One bad picture says nothing about others.
func TestBadPicture(t *testing.T) {
	for _, message := range []string{"Could not process image", "You uploaded an unsupported image. Please make sure your image has one of the following formats: png.", "image exceeds 5 MB maximum"} {
		fault := fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 400, Times: 1, Body: `{"error":{"message":"` + message + `"}}`}
		s := fake(t, fails(fault, "A cat."))
		m := once(t, s.URL())
		for i := range 2 {
			resp, err := m.GenerateContent(t.Context(), look)
			if err != nil || PicturesLeftOut(resp) != (i == 0) {
				t.Errorf("%s, call %d: left out %v, %v", message, i, PicturesLeftOut(resp), err)
			}
		}
	}
}

func TestPicturesLeftOutOfNothing(t *testing.T) {
	if PicturesLeftOut(nil) || PicturesLeftOut(&llms.ContentResponse{Choices: []*llms.ContentChoice{nil}}) {
		t.Error("nothing was left out")
	}
}
