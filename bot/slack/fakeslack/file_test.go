package fakeslack

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func (s *stage) download(url, token string) (string, *http.Response) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, url, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b), resp
}

func TestDownload(t *testing.T) {
	s := newStage(t, Options{})
	ts := s.Say(Said{User: s.ada, Channel: s.room, Files: []NewFile{{Name: "a b.pdf", Data: []byte("%PDF")}}})
	m, _ := s.Message(s.room, ts)
	f := s.must("files.info", map[string]any{"file": m.Files[0]})["file"].(map[string]any)
	url := f["url_private_download"].(string)
	if data, _ := s.download(url, "xoxb-fake"); data != "%PDF" {
		t.Errorf("downloaded %q", data)
	}
	for _, token := range []string{"", "xoxb-other"} {
		data, resp := s.download(url, token)
		if !strings.Contains(data, "Sign in") || resp.Request.URL.Query().Get("redir") != strings.TrimPrefix(url, s.URL()) {
			t.Errorf("with the token %q: %q at %s", token, data, resp.Request.URL)
		}
	}
	s.Break(Fault{Kind: Gone, Methods: []string{"download"}})
	if _, resp := s.download(url, "xoxb-fake"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("status %d of a deleted file", resp.StatusCode)
	}
	s.refused("files.info", "file_deleted", map[string]any{"file": m.Files[0]})
	s.clean()
}

func TestStubsOfSlackConnect(t *testing.T) {
	s := newStage(t, Options{})
	ann := s.AddUser(User{Name: "Ann", Stranger: true})
	shared := s.AddChannel(Channel{Name: "shared", ExtShared: true, Members: []string{ann.ID, BotUser}}).ID
	c := s.connect().hello()
	ts := s.Say(Said{User: ann.ID, Channel: shared, Files: []NewFile{{Name: "a.pdf", Data: []byte("x"), Stub: true}}})
	e := c.event()
	if f := e["files"].([]any)[0].(map[string]any); f["file_access"] != "check_file_info" || f["url_private_download"] != nil || e["user_team"] != OtherID {
		t.Errorf("the message: %v", e)
	}
	m, _ := s.Message(shared, ts)
	if f := s.must("files.info", map[string]any{"file": m.Files[0]})["file"].(map[string]any); f["url_private_download"] == nil {
		t.Errorf("files.info: %v", f)
	}
	u := s.must("users.info", map[string]any{"user": ann.ID})["user"].(map[string]any)
	if u["is_stranger"] != true || u["team_id"] != OtherID || u["tz"] != nil {
		t.Errorf("users.info: %v", u)
	}
}

func TestUpload(t *testing.T) {
	s := newStage(t, Options{})
	thread := s.say("export", "")
	v := s.must("files.getUploadURLExternal", map[string]any{"filename": "a.jsonl", "length": 2})
	done := map[string]any{"files": []any{map[string]any{"id": v["file_id"], "title": "Export"}}, "channel_id": s.room, "thread_ts": thread, "initial_comment": "Here"}
	s.refused("files.completeUploadExternal", "file_not_found", done)
	resp, err := s.client.Post(v["upload_url"].(string), "application/octet-stream", strings.NewReader("{}"))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("upload: %v %v", resp, err)
	}
	resp.Body.Close()
	s.must("files.completeUploadExternal", done)
	if p := s.Shown(s.room, thread, s.ada); len(p) != 1 || p[0].File != "a.jsonl" || p[0].Text != "Here" {
		t.Errorf("posted %+v", p)
	}
	if data, ok := s.FileData(v["file_id"].(string)); !ok || string(data) != "{}" {
		t.Errorf("the file holds %q", data)
	}
	if n := len(s.Violations()); n != 1 {
		t.Errorf("%d violations, want 1: completed before the upload", n)
	}
	v = s.must("files.getUploadURLExternal", map[string]any{"filename": "b", "length": 2})
	resp, err = s.client.Post(v["upload_url"].(string), "application/octet-stream", strings.NewReader("too long"))
	if err != nil || resp.StatusCode == http.StatusOK {
		t.Errorf("an upload of another length: %v %v", resp, err)
	}
	resp.Body.Close()
}
