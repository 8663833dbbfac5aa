package fakeslack

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// maxBody bounds what a request may send, bytes.
const maxBody = 4 << 20

// Args are a request's arguments: strings from a form, any JSON from a JSON body.
type Args map[string]any

// readArgs reads them as Slack does: from the query, a form or a JSON object.
func readArgs(r *http.Request) (Args, error) {
	args := Args{}
	for k, v := range r.URL.Query() {
		args[k] = v[0]
	}
	if r.Method != http.MethodPost {
		return args, nil
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body := http.MaxBytesReader(nil, r.Body, maxBody)
	switch kind {
	case "application/json":
		b, err := io.ReadAll(body)
		if err != nil {
			return nil, err
		}
		if len(b) == 0 {
			return args, nil
		}
		var v map[string]any
		if err := json.Unmarshal(b, &v); err != nil {
			return nil, errCode("invalid_json")
		}
		maps.Copy(args, v)
	case "application/x-www-form-urlencoded", "multipart/form-data", "":
		r.Body = body
		if kind == "multipart/form-data" {
			if err := r.ParseMultipartForm(maxBody); err != nil {
				return nil, errCode("invalid_form_data")
			}
		} else if err := r.ParseForm(); err != nil {
			return nil, errCode("invalid_form_data")
		}
		for k, v := range r.PostForm {
			args[k] = v[0]
		}
	default:
		return nil, errCode("invalid_post_type")
	}
	return args, nil
}

func (a Args) unknown(known string) []string {
	names := append(strings.Fields(known), "token")
	var more []string
	for k := range a {
		if !slices.Contains(names, k) {
			more = append(more, k)
		}
	}
	slices.Sort(more)
	return more
}

func (a Args) str(name string) string {
	switch v := a[name].(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		b, _ := json.Marshal(v)
		return string(b)
	}
}

func (a Args) yes(name string) bool {
	v := a.str(name)
	return v == "true" || v == "1"
}

// number is a whole number, or otherwise if it is missing.
func (a Args) number(name string, otherwise int) (int, error) {
	if a.str(name) == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(a.str(name))
	if err != nil {
		return 0, invalid("invalid_arguments", fmt.Sprintf("[ERROR] must be an integer [json-pointer:/%s]", name))
	}
	return n, nil
}

// decode reads a structured argument, which a form sends as JSON text. It is
// false if the argument is missing.
func (a Args) decode(name string, into any) (bool, error) {
	v, ok := a[name]
	if !ok || v == nil || v == "" {
		return false, nil
	}
	text, ok := v.(string)
	if !ok {
		b, err := json.Marshal(v)
		if err != nil {
			return true, err
		}
		text = string(b)
	}
	return true, json.Unmarshal([]byte(text), into)
}

// apiError is a refusal: {"ok": false, "error": Code, …}.
type apiError struct {
	Code     string
	Messages []string // response_metadata.messages
	More     object
	Wrong    bool // no correct client asks for this
}

func (e *apiError) Error() string {
	return strings.TrimSpace(e.Code + " " + strings.Join(e.Messages, "; "))
}

// errCode is a refusal that a correct client may meet.
func errCode(code string) error { return &apiError{Code: code} }

// invalid is a refusal that shows a mistake of the client.
func invalid(code string, messages ...string) error {
	return &apiError{Code: code, Messages: messages, Wrong: true}
}
