package fakeslack

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

type file struct {
	id, name, title, mime string
	snippet               bool
	data                  []byte
	length                int // announced
	user                  string
	uploaded, shared      bool
	deleted               bool
	stub                  bool // messages carry it as check_file_info (Slack Connect)
	channels              []string
}

// NewFile is a file that a person posts.
type NewFile struct {
	Name string
	Data []byte
	// Stub shows it in messages without its addresses, as files of Slack Connect come.
	Stub bool
	// Snippet is a text that somebody pasted, without a name.
	Snippet bool
}

func (f *file) mode() string {
	if f.snippet {
		return "snippet"
	}
	return "hosted"
}

// uploadMost is the size of a file, bytes.
const uploadMost = 1 << 30

func (s *Server) addFile(user string, f NewFile) *file {
	v := &file{id: s.id("F"), name: f.Name, title: f.Name, mime: mimeOf(f.Name), data: slices.Clone(f.Data), length: len(f.Data), user: user,
		uploaded: true, shared: true, stub: f.Stub, snippet: f.Snippet}
	if v.snippet {
		v.name, v.title = "Untitled", "Untitled"
	}
	s.files[v.id] = v
	return v
}

func mimeOf(name string) string {
	kind, _, _ := mime.ParseMediaType(mime.TypeByExtension(path.Ext(name)))
	return or(kind, "application/octet-stream")
}

// fileJSON is a file as messages (stubs possible) and files.info show it.
func (s *Server) fileJSON(f *file, shared bool) object {
	switch {
	case f.deleted:
		return object{"id": f.id, "mode": "tombstone"}
	case shared && f.stub:
		return object{"id": f.id, "mode": "file_access", "file_access": "check_file_info"}
	}
	where := fmt.Sprintf("%s/files-pri/%s-%s/", s.URL(), TeamID, f.id)
	name := url.PathEscape(strings.ToLower(strings.ReplaceAll(f.name, " ", "_")))
	kind := strings.TrimPrefix(path.Ext(f.name), ".")
	return object{"id": f.id, "created": 1700000000, "timestamp": 1700000000, "name": f.name, "title": f.title, "mimetype": f.mime,
		"filetype": kind, "pretty_type": strings.ToUpper(kind), "user": f.user, "user_team": TeamID, "editable": false, "size": len(f.data),
		"mode": f.mode(), "is_external": false, "external_type": "", "is_public": true, "public_url_shared": false, "display_as_bot": false,
		"file_access": "visible", "channels": s.sharedIn(f, Public), "groups": append(s.sharedIn(f, Private), s.sharedIn(f, Group)...), "ims": s.sharedIn(f, Direct),
		"url_private": where + name, "url_private_download": where + "download/" + name,
		"permalink":        workspaceURL + "files/" + f.user + "/" + f.id + "/" + name,
		"permalink_public": "https://slack-files.com/" + TeamID + "-" + f.id + "-0123456789"}
}

func (s *Server) sharedIn(f *file, kind ChannelKind) []string {
	all := []string{}
	for _, id := range f.channels {
		if s.channels[id].Kind == kind {
			all = append(all, id)
		}
	}
	return all
}

// Unshare is a person taking a file out of a channel: the messages there lose it.
func (s *Server) Unshare(user, id, channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := func(other string) func(string) bool { return func(this string) bool { return this == other } }
	f := s.files[id]
	f.channels = slices.DeleteFunc(f.channels, gone(channel))
	for _, m := range s.messages[channel] {
		m.Files = slices.DeleteFunc(m.Files, gone(id))
	}
	s.emit(object{"type": "file_unshared", "file_id": id, "user_id": user, "file": object{"id": id}, "event_ts": s.ts()}, nil)
}

func (s *Server) fileInfo(c *call) (object, error) {
	f := s.files[c.str("file")]
	switch {
	case f == nil || !f.shared:
		return nil, errCode("file_not_found")
	case f.deleted:
		return nil, errCode("file_deleted")
	}
	info := s.fileJSON(f, false)
	shares := object{}
	for _, id := range f.channels {
		var all []object
		for _, m := range s.messages[id] {
			if slices.Contains(m.Files, f.id) {
				all = append(all, object{"ts": m.TS, "thread_ts": m.Thread})
			}
		}
		shares[id] = all
	}
	info["shares"] = object{"private": shares}
	return object{"file": info, "comments": []object{}, "response_metadata": object{"next_cursor": ""}}, nil
}

func (s *Server) fileDelete(c *call) (object, error) {
	f := s.files[c.str("file")]
	switch {
	case f == nil:
		return nil, errCode("file_not_found")
	case f.deleted:
		return nil, errCode("file_deleted")
	case f.user != BotUser:
		return nil, errCode("cant_delete_file")
	}
	s.deleteFile(f)
	return nil, nil
}

func (s *Server) deleteFile(f *file) {
	f.deleted, f.data = true, nil
	s.emit(object{"type": "file_deleted", "file_id": f.id, "event_ts": s.ts()}, nil)
}

// DeleteFile is a person deleting a file.
func (s *Server) DeleteFile(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deleteFile(s.files[id])
}

func (s *Server) uploadURL(c *call) (object, error) {
	n, err := c.number("length", 0)
	if err != nil {
		return nil, err
	}
	switch {
	case c.str("filename") == "" || n < 0:
		return nil, invalid("invalid_arguments", "[ERROR] filename and length are required")
	case n == 0:
		return nil, invalid("missing_argument")
	case n > uploadMost:
		return nil, errCode("file_upload_size_restricted")
	}
	f := &file{id: s.id("F"), name: c.str("filename"), title: c.str("filename"), mime: mimeOf(c.str("filename")), length: n, user: BotUser}
	s.files[f.id] = f
	return object{"upload_url": s.URL() + "/upload/v1/" + f.id, "file_id": f.id}, nil
}

func (s *Server) serveUpload(w http.ResponseWriter, r *http.Request) {
	s.observe("before upload")
	defer s.observe("after upload")
	fault := s.fault("upload", nil)
	if fault != nil && !fault.spoil(w, false) {
		return
	}
	data, err := uploaded(r)
	s.mu.Lock()
	f := s.files[r.PathValue("file")]
	switch {
	case err != nil:
		s.wrong("upload: %v", err)
	case f == nil || f.uploaded:
		s.wrong("upload to an address that was not given: %s", r.URL.Path)
	case len(data) != f.length:
		s.wrong("upload of %d bytes, %d were announced", len(data), f.length)
	default:
		f.data, f.uploaded = data, true
	}
	ok := f != nil && f.uploaded
	s.mu.Unlock()
	if fault != nil && !fault.spoil(w, true) {
		return
	}
	if !ok {
		http.Error(w, "bad upload", http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "OK - %d", len(data))
}

func uploaded(r *http.Request) ([]byte, error) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "multipart/form-data" {
		return io.ReadAll(r.Body)
	}
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	for {
		p, err := parts.NextPart()
		if err != nil {
			return nil, err
		}
		if p.FileName() != "" {
			return io.ReadAll(p)
		}
	}
}

func (s *Server) completeUpload(c *call) (object, error) {
	var list []struct{ ID, Title string }
	if given, err := c.decode("files", &list); err != nil || !given || len(list) == 0 {
		return nil, invalid("invalid_arguments", "[ERROR] files must be a list of objects with an id")
	}
	var done []object
	m := Message{User: BotUser, Thread: c.str("thread_ts"), Text: c.str("initial_comment")}
	for _, l := range list {
		f := s.files[l.ID]
		if f == nil || !f.uploaded || f.shared {
			return nil, invalid("file_not_found")
		}
		f.title = or(l.Title, f.title)
		m.Files = append(m.Files, f.id)
	}
	var to []*Channel
	for _, id := range strings.FieldsFunc(c.str("channels")+","+c.str("channel_id"), func(r rune) bool { return r == ',' }) {
		ch, err := s.open(c, id)
		if err != nil {
			return nil, err
		}
		if err := s.thread(ch, m.Thread); err != nil {
			return nil, err
		}
		to = append(to, ch)
	}
	blocks := []object{}
	if _, err := c.decode("blocks", &blocks); err != nil {
		return nil, invalid("invalid_blocks_format")
	}
	if err := checkBlocks(blocks, messageBlocks); err != nil {
		return nil, err
	}
	m.Blocks = blocks
	for _, id := range m.Files {
		f := s.files[id]
		f.shared = true
		done = append(done, s.fileJSON(f, false))
	}
	for _, ch := range to {
		m.Channel = ch.ID
		posted := s.add(m)
		for _, id := range m.Files {
			s.files[id].channels = append(s.files[id].channels, ch.ID)
		}
		s.tellNew(posted)
	}
	return object{"files": done}, nil
}

// serveDownload gives a file to who may read it, and everybody else the sign-in page.
func (s *Server) serveDownload(w http.ResponseWriter, r *http.Request) {
	s.observe("before download")
	defer s.observe("after download")
	fault := s.fault("download", Args{"path": r.URL.Path})
	if fault != nil && !fault.spoil(w, false) {
		return
	}
	bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	_, id, _ := strings.Cut(r.PathValue("place"), "-")
	f, t := s.files[id], s.tokens[bearer]
	if f != nil && fault != nil && fault.Kind == Gone {
		f.deleted, f.data = true, nil // its event is late: one at that moment takes the name from the answer that says so
	}
	allowed := t != nil && t.kind == botToken && t.refusal == "" && t.may("files:read")
	var data []byte
	gone := f == nil || f.deleted || !f.shared
	if !gone {
		data = f.data
	}
	s.requests = append(s.requests, Request{Method: "download", Args: Args{"file": id}, At: s.o.Now()})
	s.mu.Unlock()
	switch {
	case !allowed:
		http.Redirect(w, r, "/signin?redir="+url.QueryEscape(r.URL.Path), http.StatusFound)
	case gone:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", f.mime)
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		w.Write(data)
	}
}

func serveSignIn(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!DOCTYPE html><html><head><title>Sign in to Threadworks | Slack</title></head><body>Sign in</body></html>")
}

// FileData is what a file holds; false if there is none.
func (s *Server) FileData(id string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[id]
	if f == nil || f.deleted {
		return nil, false
	}
	return slices.Clone(f.data), true
}
