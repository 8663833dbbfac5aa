package docs

import (
	"strings"
	"testing"
)

const letter = "From: =?utf-8?q?Ren=C3=A9?= <rene@example.invalid>\r\nTo: ada@example.invalid\r\nSubject: =?ISO-8859-1?Q?Caf=E9?=\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n" +
	"--c\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe caf=E9 opens on 3 =\r\nMay.\r\n" +
	"--c\r\nContent-Type: text/html\r\n\r\n<p>The web page</p>\r\n--c--\r\n" +
	"--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"plan.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--b--\r\n"

// TestALetterIsReadAsItsReaderSeesIt: its words, decoded, not its source.
func TestALetterIsReadAsItsReaderSeesIt(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"plain beside a web page", letter, "From: René <rene@example.invalid>\nTo: ada@example.invalid\nSubject: Café\n\nThe café opens on 3 May.\n\nAttachment: plan.pdf"},
		{"a web page alone", "Subject: Hello\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+VGhlIHByaWNlIGlzIDUuPC9wPg==\n", "Subject: Hello\n\nThe price is 5."},
		{"plain", "From: a@example.invalid\n\nSee you.", "From: a@example.invalid\n\nSee you."},
		{"no letter", "just words", "just words"},
		{"a page and a plain footer", "Subject: Hi\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>The price is 5.</p>\n--b\nContent-Type: text/plain\n\nThe list's footer\n--b--\n",
			"Subject: Hi\n\nThe price is 5.\nThe list's footer"},
		{"a page among the alternatives of which one is attached to", "Subject: Hi\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nThe words\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: text/html\n\n<p>The page</p>\n" +
			"--c\nContent-Disposition: attachment; filename=a.pdf\n\nx\n--c--\n--b--\n", "Subject: Hi\n\nThe words\n\nAttachment: a.pdf"},
		{"alternatives without words", "Subject: Hi\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n \n--b\nContent-Type: text/html\n\n<p>The page</p>\n--b\nContent-Type: text/calendar\n\nBEGIN\n--b--\n", "Subject: Hi\n\nThe page"},
		{"forwarded", "Subject: Fwd\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee below.\n--b\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename=a.eml\n\nSubject: Price\nContent-Type: text/html\n\n<p>It is 5.</p>\n--b--\n",
			"Subject: Fwd\n\nSee below.\n\nSubject: Price\n\nIt is 5."},
		{"a letter that is none within one", "Subject: Fwd\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nIt is 5: no head.\nSee you\n--b--\n", "Subject: Fwd\n\n\nIt is 5: no head.\nSee you"},
		{"and words below it", "Subject: Fwd\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nIt is 5: no head.\nSee you\n--b\nContent-Type: text/plain\n\nThe list\n--b--\n", "Subject: Fwd\n\n\nIt is 5: no head.\nSee you\nThe list"},
		{"files beside the words", "Subject: Hi\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nThe words\n--b\nContent-Type: application/pdf; name=\"=?utf-8?q?M=C3=A4rz.pdf?=\"\nContent-Disposition: inline\n\nx\n" +
			"--b\nContent-Type: image/png; name=logo.png\nContent-Disposition: inline\n\nx\n--b--\n", "Subject: Hi\n\nThe words\n\nAttachment: März.pdf"},
		{"in letters that nobody knows", "Subject: =?x-none?q?Caf=E9?=\n\nThe words", "Subject: =?x-none?q?Caf=E9?=\n\nThe words"},
		{"cut off", letter[:strings.Index(letter, "--c--")], "From: René <rene@example.invalid>\nTo: ada@example.invalid\nSubject: Café\n\nThe café opens on 3 May."},
	}
	for _, tt := range tests {
		k, err := kindOf([]byte(tt.data), "letter.eml", "")
		if k != kindMail || err != nil {
			t.Fatalf("%s: %s, %v", tt.name, k, err)
		}
		if parts, _, err := readParts(k, []byte(tt.data), 0); err != nil || len(parts) != 1 || parts[0].Text != tt.want {
			t.Errorf("%s: %+v, %v, want %q", tt.name, parts, err, tt.want)
		}
	}
	deep := strings.Repeat("Content-Type: multipart/mixed; boundary=b\n\n--b\n", 1000)
	for _, data := range []string{deep, strings.Repeat("Content-Type: message/rfc822\n\n", 1000)} {
		if _, _, err := readMail([]byte(data)); err != nil {
			t.Error(err)
		}
	}
}
