package fakemodel

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Parse reads a script. Its form, a rule being a head and the lines below it:
//
//	# a comment
//	when /churn|leave/i on user:
//	say: Which customers do you mean?
//
//	when /summari[sz]e/ on system nth=2 times=1:
//	say: {"key_facts": ["the code is 4711"],
//	  "todos": []}
//	fault: 429 retry-after=2s times=1
//
//	when /mulch/ nth=1:
//	call: search_documents {"queries": ["mulch"]}
//
//	otherwise:
//	say: I do not know.
//
// Heads: when /regexp/[i] [on user|system|prompt] [nth=N] [times=N]: or otherwise:. A line that begins with white space goes on with
// the text of say and loses that white space; an indented line with nothing else is an empty line of the text. Faults are the words
// of FaultKind, or a status; their settings are times=N, after=BYTES, delay=DURATION, retry-after=DURATION (plain numbers are
// seconds) and, last on the line, body=TEXT.
func Parse(script string) ([]Rule, error) {
	var rules []Rule
	saying := false
	for i, line := range strings.Split(script, "\n") {
		line = strings.TrimRight(line, "\r")
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var err error
		switch {
		case saying && line != "" && (line[0] == ' ' || line[0] == '\t'):
			rules[len(rules)-1].Say += "\n" + strings.TrimLeft(line, " \t")
			continue
		case word == "" || strings.HasPrefix(word, "#"):
		case word == "when":
			var r Rule
			r, err = parseHead(rest)
			rules = append(rules, r)
		case word == "otherwise:":
			rules = append(rules, Rule{})
		case len(rules) == 0:
			err = fmt.Errorf("%q stands before the first rule", word)
		case word == "say:":
			rules[len(rules)-1].Say = rest
		case word == "call:":
			name, arguments, _ := strings.Cut(strings.TrimSpace(rest), " ")
			if arguments == "" {
				arguments = "{}"
			}
			last := &rules[len(rules)-1]
			last.Calls = append(last.Calls, Call{Name: name, Arguments: arguments})
		case word == "fault:":
			rules[len(rules)-1].Fault, err = parseFault(rest)
		default:
			err = fmt.Errorf("a line cannot begin with %q", word)
		}
		if err == nil && len(rules) > 0 {
			err = rules[len(rules)-1].check()
		}
		if err != nil {
			return nil, fmt.Errorf("fakemodel: script line %d: %w", i+1, err)
		}
		saying = word == "say:"
	}
	return rules, nil
}

var head = regexp.MustCompile(`^/(.+)/(i?)((?: +[^ /]+)*) *:$`)

func parseHead(s string) (Rule, error) {
	m := head.FindStringSubmatch(s)
	if m == nil {
		return Rule{}, fmt.Errorf("want when /regexp/ on user:, have when %s", s)
	}
	pattern := m[1]
	if m[2] == "i" {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return Rule{}, err
	}
	r := Rule{Match: re}
	words := strings.Fields(m[3])
	for i := 0; i < len(words); i++ {
		if words[i] == "on" && i+1 < len(words) {
			i++
			r.On = words[i]
			continue
		}
		name, value, _ := strings.Cut(words[i], "=")
		n, err := strconv.Atoi(value)
		switch {
		case err != nil || n < 1:
			return r, fmt.Errorf("%q is no setting of a rule", words[i])
		case name == "nth":
			r.Nth = n
		case name == "times":
			r.Times = n
		default:
			return r, fmt.Errorf("%q is no setting of a rule", words[i])
		}
	}
	return r, nil
}

func parseFault(s string) (Fault, error) {
	s, body, _ := strings.Cut(s, "body=")
	words := strings.Fields(s)
	if len(words) == 0 {
		return Fault{}, fmt.Errorf("the fault has no name")
	}
	f := Fault{Kind: FaultKind(words[0]), Body: body}
	if status, err := strconv.Atoi(words[0]); err == nil {
		f.Kind, f.Status = HTTPError, status
	}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		var err error
		switch name {
		case "times":
			f.Times, err = strconv.Atoi(value)
		case "after":
			f.After, err = strconv.Atoi(value)
		case "delay":
			f.Delay, err = duration(value)
		case "retry-after":
			f.RetryAfter, err = duration(value)
		default:
			err = errors.New("the settings are times, after, delay, retry-after and body")
		}
		if err != nil {
			return f, fmt.Errorf("%q is no setting of a fault: %w", w, err)
		}
	}
	return f, nil
}

// duration reads "150ms" and, as Retry-After has it, plain seconds.
func duration(s string) (time.Duration, error) {
	if n, err := strconv.Atoi(s); err == nil {
		return time.Duration(n) * time.Second, nil
	}
	return time.ParseDuration(s)
}
