package fakediscord

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func (b *bench) get(url string, header http.Header) (int, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, url, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header = header
	resp, err := b.client().Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

func TestLinksToFilesExpireAndAreRenewed(t *testing.T) {
	now := newClock()
	b := open(t, Options{Now: now.now, LinkLife: time.Hour, CDN: "https://cdn.discordapp.com"})
	m := b.Say(Said{User: b.ada, Channel: b.general, Files: []File{{Name: "My notes.txt", Data: []byte("text")}}})
	a := m.Attachments[0]
	if a.Filename != "My_notes.txt" || a.Title != "My notes" || a.Size != 4 || !strings.HasPrefix(a.ContentType, "text/plain") || !strings.HasPrefix(a.URL, "https://cdn.discordapp.com/") {
		t.Errorf("%+v", a)
	}
	if status, text := b.get(a.URL, nil); status != 200 || text != "text" {
		t.Error(status, text)
	}
	if status, _ := b.get(strings.Replace(a.URL, "ex=6", "ex=7", 1), nil); status != 404 {
		t.Errorf("a forged link: %d", status)
	}
	now.pass(time.Hour + time.Second)
	if status, _ := b.get(a.URL, nil); status != 404 {
		t.Errorf("an expired link: %d", status)
	}
	var again Message
	_, raw := b.raw("GET", "/channels/"+b.general+"/messages/"+m.ID, nil)
	into(t, raw, &again)
	if status, _ := b.get(again.Attachments[0].URL, nil); status != 200 {
		t.Errorf("a renewed link: %d", status)
	}
	if v := b.Violations(); len(v) != 0 {
		t.Error(v)
	}
	b.get(again.Attachments[0].URL, http.Header{"Authorization": {"Bot " + b.Token()}})
	if v := b.Violations(); len(v) != 1 {
		t.Errorf("the token at the files' host: %q", v)
	}
	b.LoseFile()
	for range 2 {
		if status, _ := b.get(again.Attachments[0].URL, nil); status != 404 {
			t.Errorf("a lost file: %d", status)
		}
	}
}

func TestUploads(t *testing.T) {
	b := open(t, Options{UploadLimit: 1000})
	path := "/channels/" + b.general + "/messages"
	body := with(say("two"), "attachments", []object{{"id": 1, "filename": "renamed.txt", "description": "second"}})
	status, o := b.do("POST", path, body, File{Name: "a.txt", Data: []byte("a")}, File{Name: "b.txt", Data: []byte("b")})
	if status != 200 || len(o["attachments"].([]any)) != 2 {
		t.Fatal(status, o)
	}
	second := b.Messages(b.general, "")[0].Attachments[1]
	if second.Filename != "renamed.txt" || *second.Description != "second" || string(b.FileData(second.ID)) != "b" {
		t.Errorf("%+v", second)
	}
	keep := with(say("one"), "attachments", []object{{"id": second.ID}})
	if status, o = b.do("PATCH", path+"/"+o["id"].(string), keep); status != 200 || len(o["attachments"].([]any)) != 1 {
		t.Error(status, o)
	}
	b.refused(413, 40005, "POST", path, say("x"), File{Name: "big", Data: make([]byte, 1001)})
	if status, o := b.do("POST", path, say(""), File{Name: "a.txt", Data: []byte("a")}); status != 200 {
		t.Error(status, o)
	}
}
