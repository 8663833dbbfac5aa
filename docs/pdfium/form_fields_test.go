package pdfium

import (
	"bytes"
	"compress/zlib"
	"strings"
	"testing"
)

// TestManyFields: those that are written plainly, and those in object streams.
func TestManyFields(t *testing.T) {
	packed := func(objects string) string {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, _ = w.Write([]byte(objects))
		_ = w.Close()
		return "7 0 obj\n<< /Type /ObjStm /N 1 /Filter /FlateDecode >>\nstream\r\n" + b.String() + "\nendstream\nendobj\n"
	}
	const field = "<< /Subtype /Widget /T (a) >>\n"
	for name, tt := range map[string]struct {
		data string
		want bool
	}{
		"none":            {"%PDF-1.7\n", false},
		"as many as read": {strings.Repeat(field, mostFields), false},
		"one more":        {strings.Repeat(field, mostFields+1), true},
		"only names":      {strings.Repeat("<< /T<FEFF0041> >>", mostFields+1), true},
		"packed":          {packed(strings.Repeat(field, mostFields/2)) + packed(strings.Repeat(field, mostFields)), true},
		"packed, few":     {packed(field) + packed(field), false},
		"not packed":      {"/ObjStm stream\nhello" + strings.Repeat(field, mostFields+1), true},
		"cut off":         {"/ObjStm", false},
	} {
		if got := manyFields([]byte(tt.data)); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
