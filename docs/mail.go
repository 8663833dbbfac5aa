package docs

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"

	"golang.org/x/net/html/charset"
)

// readMail returns the text of an e-mail, or of a web page that was saved as one: from and to whom it is, when and about what, its
// words and those of letters in it, and the names of attachments. Of alternatives the plain one is read.
func readMail(data []byte) (string, headings, error) {
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil { // it is only called one
		text, _ := decode(data)
		return text, nil, nil
	}
	l := readLetter(m, 0)
	return l.text + l.attached, nil, l.err
}

type mailText struct {
	text     string
	attached string // lines with the names of what is attached
	web      bool   // some of it was a web page
	err      error  // of a web page
}

const mostNested = 20 // parts of an e-mail

// readLetter is an e-mail, at some depth within another.
func readLetter(m *mail.Message, depth int) mailText {
	var b strings.Builder
	for _, key := range []string{"From", "To", "Cc", "Date", "Subject"} {
		if value := headerWords(m.Header.Get(key)); value != "" {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	l := mailPart(textproto.MIMEHeader(m.Header), m.Body, depth)
	l.text = b.String() + "\n" + l.text
	return l
}

// headerWords is a field of a head, or the name of a file, without its encoding; as it stands if that is not known.
func headerWords(field string) string {
	words := mime.WordDecoder{CharsetReader: charset.NewReaderLabel}
	if value, err := words.DecodeHeader(field); err == nil {
		return value
	}
	return field
}

// mailPart is a part of an e-mail. What is damaged counts as far as it can be read.
func mailPart(head textproto.MIMEHeader, body io.Reader, depth int) (all mailText) {
	kind, params, err := mime.ParseMediaType(head.Get("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	switch strings.ToLower(head.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	at, file, _ := mime.ParseMediaType(head.Get("Content-Disposition"))
	name := headerWords(cmp.Or(file["filename"], params["name"]))
	switch {
	case kind == string(kindMail) && depth < mostNested:
		data, _ := io.ReadAll(body)
		if m, err := mail.ReadMessage(bytes.NewReader(data)); err == nil {
			all = readLetter(m, depth+1)
		} else { // it is only called one
			all.text, _ = decode(data)
			all.text = strings.TrimRight(all.text, "\n") + "\n"
		}
		all.text = "\n" + all.text
	case at == "attachment":
		all.attached = "\nAttachment: " + name
	case strings.HasPrefix(kind, "multipart/") && depth < mostNested:
		all = mailParts(multipart.NewReader(body, params["boundary"]), kind == "multipart/alternative", depth)
	case kind == "text/plain", kind == "text/html":
		if label := params["charset"]; label != "" {
			if decoded, err := charset.NewReaderLabel(label, body); err == nil {
				body = decoded
			}
		}
		data, _ := io.ReadAll(body)
		all.text, _ = decode(data)
		if all.web = kind == "text/html"; all.web {
			all.text, _, all.err = readHTML(all.text)
		}
		all.text = strings.TrimRight(all.text, "\n") + "\n"
	case name != "" && !strings.HasPrefix(kind, "image/"): // pictures stand within the text
		all.attached = "\nAttachment: " + name
	}
	return all
}

// mailParts are parts in their order; of alternatives the first without a web page, else the last, which says most.
func mailParts(r *multipart.Reader, alternative bool, depth int) (all mailText) {
	var text, attached strings.Builder
	for {
		p, err := r.NextRawPart()
		if err != nil {
			break
		}
		one := mailPart(p.Header, p, depth+1)
		attached.WriteString(one.attached)
		if alternative {
			if text.Len() > 0 && !all.web || strings.TrimSpace(one.text) == "" && one.err == nil {
				continue
			}
			text.Reset()
			all.web, all.err = false, nil
		}
		text.WriteString(one.text)
		all.web, all.err = all.web || one.web, errors.Join(all.err, one.err)
	}
	if all.text, all.attached = text.String(), attached.String(); strings.TrimSpace(all.text) != "" {
		all.err = nil
	}
	return all
}
