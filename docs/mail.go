package docs

import (
	"bytes"
	"encoding/base64"
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
// words, from the web page in it only where it has no others, and the names of attachments.
func readMail(data []byte) (string, headings, error) {
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil { // it is only called one
		text, _ := decode(data)
		return text, nil, nil
	}
	var b strings.Builder
	words := mime.WordDecoder{CharsetReader: charset.NewReaderLabel}
	for _, key := range []string{"From", "To", "Cc", "Date", "Subject"} {
		value, err := words.DecodeHeader(m.Header.Get(key))
		if err == nil && value != "" {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	parts := map[string][]byte{}
	mailPart(textproto.MIMEHeader(m.Header), m.Body, 0, parts)
	text := string(parts["text/plain"])
	if strings.TrimSpace(text) == "" {
		if text, _, err = readHTML(string(parts["text/html"])); err != nil {
			return "", nil, err
		}
	}
	return b.String() + "\n" + text + string(parts[attached]), nil, nil
}

const (
	attached   = "attachment"
	mostNested = 20 // parts of an e-mail
)

// mailPart adds the texts of a part of an e-mail to those of their kinds, and the name of what is attached. What is damaged counts
// as far as it can be read.
func mailPart(head textproto.MIMEHeader, body io.Reader, depth int, parts map[string][]byte) {
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
	if at, file, _ := mime.ParseMediaType(head.Get("Content-Disposition")); at == attached {
		parts[attached] = append(parts[attached], "\nAttachment: "+file["filename"]...)
		return
	}
	if strings.HasPrefix(kind, "multipart/") && depth < mostNested {
		for r := multipart.NewReader(body, params["boundary"]); ; {
			p, err := r.NextRawPart()
			if err != nil {
				return
			}
			mailPart(p.Header, p, depth+1, parts)
		}
	}
	if !strings.HasPrefix(kind, "text/") {
		return
	}
	if label := params["charset"]; label != "" {
		if decoded, err := charset.NewReaderLabel(label, body); err == nil {
			body = decoded
		}
	}
	data, _ := io.ReadAll(body)
	text, _ := decode(data)
	parts[kind] = append(parts[kind], text+"\n"...)
}
