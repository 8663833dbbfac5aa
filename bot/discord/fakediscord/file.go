package fakediscord

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

type file struct {
	Attachment
	folder string // of its link
	data   []byte
	gone   bool
}

// File is an attachment that somebody sends.
type File struct {
	Name  string
	Media string // "" for what its name says
	Data  []byte
}

// attach keeps a file. Discord replaces spaces and special characters in its name and
// keeps the original as the title.
func (s *Server) attach(channel string, f File, description *string) Attachment {
	a := Attachment{ID: s.id(), Filename: cleanName(f.Name), Size: len(f.Data), ContentType: f.Media, Description: description}
	if a.Filename != f.Name {
		a.Title = strings.TrimSuffix(f.Name, path.Ext(f.Name))
	}
	if a.ContentType == "" || a.ContentType == "application/octet-stream" {
		a.ContentType = or(mime.TypeByExtension(path.Ext(f.Name)), a.ContentType)
	}
	s.files[a.ID] = &file{Attachment: a, folder: "attachments/" + channel, data: f.Data}
	return a
}

// attachPrivately keeps a file that comes with a command: no message has it, and it goes
// after a while.
func (s *Server) attachPrivately(f File) Attachment {
	a := s.attach("", f, nil)
	s.files[a.ID].folder = "ephemeral-attachments/" + s.application
	a = s.signed(a)
	a.Ephemeral = true
	return a
}

func cleanName(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('_')
		}
	}
	if name := b.String(); strings.Trim(name, ".") != "" {
		return name
	}
	return "unknown"
}

// signed is an attachment with a link that is good for a while.
// https://docs.discord.com/developers/reference#signed-attachment-cdn-urls
func (s *Server) signed(a Attachment) Attachment {
	f := s.files[a.ID]
	if f == nil {
		return a
	}
	now := s.now()
	until := now.Add(s.opts.LinkLife).Unix()
	base := or(s.opts.CDN, s.URL())
	a.URL = fmt.Sprintf("%s/%s/%s/%s?ex=%x&is=%x&hm=%s&", base, f.folder, a.ID, url.PathEscape(a.Filename), until, now.Unix(), s.signature(a.ID, until))
	a.ProxyURL = a.URL
	return a
}

func (s *Server) signature(id string, until int64) string {
	h := hmac.New(sha256.New, []byte(s.application))
	fmt.Fprintf(h, "%s %d", id, until)
	return hex.EncodeToString(h.Sum(nil))
}

// serveFile answers a link to an attachment, to everybody who has it and until it expires.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	f, now := s.files[r.PathValue("attachment")], s.now()
	if r.Header.Get("Authorization") != "" {
		s.violate("the token was sent to the host of files")
	}
	bad := f == nil || f.gone || !strings.HasPrefix(r.URL.Path, "/"+f.folder+"/")
	if !bad {
		until, err := strconv.ParseInt(r.URL.Query().Get("ex"), 16, 64)
		bad = err != nil || now.After(time.Unix(until, 0)) || !hmac.Equal([]byte(r.URL.Query().Get("hm")), []byte(s.signature(f.ID, until)))
	}
	if !bad && s.gates.lostFiles > 0 {
		s.gates.lostFiles--
		f.gone, bad = true, true
	}
	refused := 0
	if all := s.gates.refusedFiles; len(all) > 0 {
		refused, s.gates.refusedFiles = all[0], all[1:]
	}
	s.mu.Unlock()
	if refused != 0 {
		w.Header().Set("Retry-After", "1")
		http.Error(w, http.StatusText(refused), refused)
		return
	}
	if bad {
		http.Error(w, "This content is no longer available.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", f.ContentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(f.data)))
	_, _ = w.Write(f.data)
}
