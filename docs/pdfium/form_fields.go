package pdfium

import (
	"bytes"
	"compress/zlib"
	"io"
)

const (
	mostFields    = 5_000    // of a file whose fields are read
	mostUnpacked  = 32 << 20 // bytes of object streams that are looked at for fields
	streamKeyword = "stream"
)

// manyFields reports whether a file has more form fields than are read. The engine builds the form of the whole file at the
// first field of any page, in time that grows with the square of their number, and cannot be asked for it before.
// Fields that a file hides, by encryption or odd spelling, are not counted: then the time limit of the file ends it.
func manyFields(data []byte) bool {
	fields := fieldsIn(data)
	left := int64(mostUnpacked)
	for at := 0; fields <= mostFields && left > 0; {
		i := bytes.Index(data[at:], []byte("/ObjStm"))
		if i < 0 {
			break
		}
		at += i + len("/ObjStm")
		begin := bytes.Index(data[at:], []byte(streamKeyword))
		if begin < 0 {
			break
		}
		packed, err := zlib.NewReader(bytes.NewReader(bytes.TrimLeft(data[at+begin+len(streamKeyword):], "\r\n")))
		if err != nil {
			continue
		}
		objects, _ := io.ReadAll(io.LimitReader(packed, left)) // what is damaged counts as far as it goes
		left -= int64(len(objects))
		fields += fieldsIn(objects)
	}
	return fields > mostFields
}

// fieldsIn counts what a form field has once: a place on a page, or a name.
func fieldsIn(objects []byte) int {
	names := 0
	for _, key := range []string{"/T(", "/T (", "/T<", "/T <"} {
		names += bytes.Count(objects, []byte(key))
	}
	return max(names, bytes.Count(objects, []byte("/Widget")))
}
