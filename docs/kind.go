package docs

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// offices are the kinds of Office documents by the folder of the part that makes a file one.
var offices = map[string]kind{"word/": kindDOCX, "xl/": kindXLSX, "ppt/": kindPPTX}

// officeEnding reports whether a name ends as those of Office documents do that are read.
func officeEnding(ext string) bool {
	return ext == ".docx" || ext == ".xlsx" || ext == ".xlsm" || ext == ".pptx" || ext == ".odt"
}

// Formats names the kinds of files we read, besides all kinds of text, in people's words.
const Formats = "PDF, DOCX, ODT, XLSX, PPTX, EML, HTML, Markdown, CSV, JSON"

// WholeLines reports whether no sentence of a file with this name continues on the next line: its lines are paragraphs, rows or
// records. Pages and plain texts break theirs where they like.
func WholeLines(name string) bool {
	switch ext := ending(name); ext {
	case ".html", ".htm", ".xhtml", ".xls", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xml":
		return true
	default:
		return officeEnding(ext)
	}
}

type kind string

const (
	kindPDF  kind = "application/pdf"
	kindDOCX kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	kindODT  kind = "application/vnd.oasis.opendocument.text"
	kindXLSX kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	kindPPTX kind = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	kindJSON kind = "application/json"
	kindCSV  kind = "text/csv"
	kindHTML kind = "text/html"
	kindMail kind = "message/rfc822"
	kindText kind = "text/plain" // Markdown, source code and logs as well

	kindPNG  kind = "image/png"
	kindJPEG kind = "image/jpeg"
	kindGIF  kind = "image/gif"
	kindWebP kind = "image/webp"
)

// picture reports whether a model looks at files of this kind, instead of reading them.
func (k kind) picture() bool { return k == kindPNG || k == kindJPEG || k == kindGIF || k == kindWebP }

// pictureEndings are how the names of pictures end, also of kinds that no model is sent.
var pictureEndings = map[string]bool{".png": true, ".jpg": true, ".jpeg": true, ".jfif": true, ".gif": true, ".webp": true,
	".heic": true, ".heif": true, ".avif": true, ".tif": true, ".tiff": true, ".bmp": true, ".ico": true}

func ending(name string) string {
	_, ext := splitExtension(strings.ToLower(name))
	return ext
}

// otherPicture reports whether bytes are a picture of a kind that no model is sent: BMP, TIFF, an icon,
// HEIC or AVIF.
func otherPicture(data []byte) bool {
	for _, head := range []string{"II*\x00", "MM\x00*", "BM", "\x00\x00\x01\x00"} {
		if bytes.HasPrefix(data, []byte(head)) && binary(data) {
			return true
		}
	}
	if len(data) < 12 || string(data[4:8]) != "ftyp" {
		return false
	}
	switch string(data[8:12]) {
	case "heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif", "avis":
		return true
	}
	return false
}

// headerReach is within how many bytes a PDF's header must begin (ISO 32000, annex H).
const headerReach = 1024

// kindOf tells what a file is by its bytes. Name and media type only tell table from text, and a
// file that is no PDF from one that only calls itself so.
func kindOf(data []byte, name, media string) (kind, error) {
	if pdf, err := seemsPDF(data, name, media); err != nil || pdf {
		return kindPDF, err
	}
	if k := kind(http.DetectContentType(data)); k.picture() {
		return k, nil
	}
	ext := ending(name)
	switch {
	case otherPicture(data):
		return "", ErrPicture
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return kindOfZip(data, ext)
	case bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")):
		// A compound file: an Office document behind a password, or an older one.
		if bytes.Contains(data, spaced("EncryptedPackage")) {
			return "", ErrEncrypted
		}
		return "", ErrUnsupported
	case officeEnding(ext), media == string(kindDOCX), media == string(kindXLSX), media == string(kindPPTX):
		return "", ErrDamaged
	case bytes.HasPrefix(data, []byte(`{\rtf`)):
		return "", ErrUnsupported
	}
	return kindOfText(data, ext, media)
}

// spaced is s in little-endian UTF-16, s being ASCII.
func spaced(s string) []byte {
	return []byte(strings.Join(strings.Split(s, ""), "\x00"))
}

const zipHead = 30 // bytes in front of the name of an archive's first member

func kindOfZip(data []byte, ext string) (kind, error) {
	if bytes.HasPrefix(data[min(len(data), zipHead):], []byte(odtType)) {
		return kindODT, nil
	}
	o, err := openOffice(data)
	if err != nil && officeEnding(ext) {
		return "", err
	}
	if err != nil {
		return "", ErrUnsupported
	}
	main := o.main()
	if k, is := offices[main[:strings.IndexByte(main, '/')+1]]; is && strings.HasSuffix(main, ".xml") {
		return k, nil
	}
	return "", ErrUnsupported
}

func kindOfText(data []byte, ext, media string) (kind, error) {
	head, _, _ := strings.Cut(http.DetectContentType(data), "/")
	text, ok := decode(data)
	if !ok || binary(data) && slices.Contains([]string{"image", "audio", "video", "font"}, head) { // a text can begin with BM or OTTO, too
		return "", ErrUnsupported
	}
	if strings.TrimSpace(clean(text)) == "" {
		return "", ErrEmpty
	}
	switch trimmed := strings.TrimSpace(text); {
	case ext == ".eml", ext == ".mht", ext == ".mhtml", media == string(kindMail):
		return kindMail, nil
	case isHTML(trimmed, ext, media):
		return kindHTML, nil
	case ext == ".csv", ext == ".tsv", ext == ".xls" && trimmed[0] != '<', strings.HasPrefix(media, string(kindCSV)):
		return kindCSV, nil
	case (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid([]byte(trimmed)):
		return kindJSON, nil
	}
	return kindText, nil
}

// isHTML reports whether text is a web page, by its name; without an ending, by its media type or its first words.
func isHTML(text, ext, media string) bool {
	switch ext {
	case ".html", ".htm", ".xhtml":
		return true
	case "", ".xls", ".aspx": // of exports, which open in a spreadsheet
		begins := strings.ToLower(text[:min(len(text), len("<!doctype html"))])
		table := ext == ".xls" && text[0] == '<' && strings.Contains(strings.ToLower(text), "<table") && !strings.Contains(text, "<Workbook") // of SpreadsheetML
		return table || strings.HasPrefix(media, string(kindHTML)) || begins == "<!doctype html" || strings.HasPrefix(begins, "<html") || strings.HasPrefix(begins, "<table")
	}
	return false
}
