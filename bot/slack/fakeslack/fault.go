package fakeslack

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// FaultKind is how a request goes wrong.
type FaultKind string

const (
	Fail    FaultKind = "fail"    // 500, nothing was done
	Drop    FaultKind = "drop"    // the connection ends, nothing was done
	Lose    FaultKind = "lose"    // done, but the connection ends without an answer
	LoseBad FaultKind = "losebad" // done, but the answer is a 500
	Limit   FaultKind = "limit"   // 429 with Retry-After
	Refuse  FaultKind = "refuse"  // {"ok": false, "error": Code}, nothing was done
	Gone    FaultKind = "gone"    // the file that is asked for is deleted first ("download")
	Short   FaultKind = "short"   // done, but the answer has the first message only, and says that it is whole
)

// Fault is a request that goes wrong. Methods besides those of the Web API:
// "download", "upload", "response_url".
type Fault struct {
	Kind    FaultKind
	Methods []string        // any of these; empty for every method
	After   time.Duration   // of Limit, at least a second
	Code    string          // of Refuse
	Times   int             // 0 for once
	When    func(Args) bool // nil for any request
}

// Break makes requests go wrong from now on, until each fault has happened as often
// as it says.
func (s *Server) Break(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		f.Times = max(1, f.Times)
		s.faults = append(s.faults, &f)
	}
}

// Mend takes back every fault that has not happened.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

func (s *Server) fault(name string, args Args) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults {
		if len(f.Methods) > 0 && !slices.Contains(f.Methods, name) || f.When != nil && !f.When(args) {
			continue
		}
		if f.Times--; f.Times == 0 {
			s.faults = slices.Delete(s.faults, i, i+1)
		}
		return f
	}
	return nil
}

// shorten is the answer as a fault leaves it.
func (f *Fault) shorten(v object) object {
	list, _ := v["messages"].([]object)
	if f == nil || f.Kind != Short || len(list) == 0 {
		return v
	}
	v["messages"], v["has_more"], v["response_metadata"] = list[:1], false, object{"next_cursor": ""}
	return v
}

// spoil writes what the client gets instead of the answer, before or after the
// request was carried out. It is true when the request goes on.
func (f *Fault) spoil(w http.ResponseWriter, done bool) bool {
	switch {
	case f.Kind == Fail && !done, f.Kind == LoseBad && done:
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
	case f.Kind == Limit && !done:
		w.Header().Set("Retry-After", strconv.Itoa(seconds(f.After)))
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusTooManyRequests)
		w.Write([]byte(`{"ok":false,"error":"ratelimited"}`))
	case f.Kind == Refuse && !done:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Write([]byte(`{"ok":false,"error":` + strconv.Quote(f.Code) + `}`))
	case f.Kind == Drop && !done, f.Kind == Lose && done:
		panic(http.ErrAbortHandler)
	default:
		return true
	}
	return false
}
