package main

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs/testdata/photo"
)

var inlined = regexp.MustCompile(`"data:image/\w+;base64,([^"]+)"`)

// looked are the pictures of the last request to the model, and its text.
func (s *service) looked() (pictures [][]byte, r fakemodel.Request) {
	s.t.Helper()
	all := s.model.Requests()
	if len(all) == 0 {
		return nil, r
	}
	r = all[len(all)-1]
	for _, m := range inlined.FindAllSubmatch(r.Body, -1) {
		data, err := base64.StdEncoding.DecodeString(string(m[1]))
		if err != nil {
			s.t.Fatal(err)
		}
		pictures = append(pictures, data)
	}
	return pictures, r
}

// TestAPostedPicture reaches the model without what the camera wrote into it, nobody of another channel, and
// goes with its message, together with the answer that was made from it.
func TestAPostedPicture(t *testing.T) {
	if !hasEngine() {
		t.Fatal("run make engine first")
	}
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			k := &talk{service: newService(t, o.open)}
			k.start()
			steps[0].act(k)
			steps[0].done(k)

			photos := []platformtest.File{{Name: "porch.png", Data: photo.PNG(300, 200, 0)}}
			id, _ := k.Say(platformtest.Said{Who: "Ada", At: k.at, Text: "What colour is the door in the photo?", Files: photos})
			k.once("The door is red.")
			pictures, r := k.looked()
			if len(pictures) != 1 || !bytes.HasPrefix(pictures[0], []byte("\x89PNG")) {
				t.Fatalf("%d pictures in %s", len(pictures), r.Prompt())
			}
			for _, secret := range []string{photo.Secret, photo.Place, "eXIf", "tEXt"} {
				if bytes.Contains(pictures[0], []byte(secret)) {
					t.Errorf("the model is told %q", secret)
				}
			}

			_, there := k.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "random"}, Text: "What colour is the door in porch.png?", Mention: true})
			k.posts(there, "an answer elsewhere", func(posts []platformtest.Post) bool { return len(posts) > 0 })
			k.settled()
			if pictures, r := k.looked(); len(pictures) > 0 || strings.Contains(r.Prompt(), "posted by") {
				t.Errorf("elsewhere: %d pictures, %s", len(pictures), r.Prompt())
			}

			if n := rows[int](t, database(t, k.dir), `SELECT count(*) FROM blobs`); n[0] != 1 {
				t.Fatalf("%d files kept", n[0])
			}
			k.Delete(k.at, id)
			k.erased(id)
			k.settled()
			k.stop()
			if n := rows[int](t, database(t, k.dir), `SELECT count(*) FROM blobs`); n[0] != 0 {
				t.Errorf("%d files kept of what was deleted", n[0])
			}
			if n := rows[int](t, database(t, k.dir), `SELECT count(*) FROM messages WHERE text LIKE '%door is red%'`); n[0] != 0 {
				t.Error("the answer that was made from it is kept")
			}
			for _, v := range k.violations() {
				t.Error(v)
			}
		})
	}
}
