package agent

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"threadkeeper/agent/model"
	"threadkeeper/memory/reading"
)

// The first word of a model's reply says what kind of reply it is.
const (
	verbAnswer   = "ANSWER"
	verbAsk      = "ASK"
	verbSpeak    = "SPEAK"
	verbSilent   = "SILENT"
	verbNotFound = "NOTFOUND"
	verbCall     = "call" // of a tool, in words
)

// starts are the words at which a reply may turn into something else.
func starts() []string {
	all := slices.Clone(verbs)
	for _, t := range tools {
		all = append(all, t.name)
	}
	return all
}

func toolNames() string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.name
	}
	return strings.Join(names, "|")
}

var verbs = []string{verbNotFound, verbAnswer, verbSpeak, verbSilent, verbAsk}

// What models put around the first word: a heading, bold type, quotation marks, a code block or a tag around the
// whole reply, or their own name.
const (
	before = " \t\r\n#*_`\"'“["
	after  = "*_`\"'”]:"
)

var (
	roleName  = reading.Lazy(`(?i)^(?:assistant|threadkeeper)\s*:\s*`)
	openBlock = reading.Lazy("^```[a-zA-Z]*[ \\t]*\\r?\\n\\s*")
	openTag   = reading.Lazy(`(?i)^<(?:final_)?(?:answer|response|reply|output)>\s*`)
	closeTag  = reading.Lazy(`(?i)\s*</(?:final_)?(?:answer|response|reply|output)>\s*`)
	toolTag   = reading.Lazy(`(?i)^(?:<\|?|\[)(?:(?:tool|function)_calls?\b|function=)`)
	// turned is a line within a reply at which it becomes another kind.
	turned = reading.Lazy("^[ \\t]*[*#_`]*(?:(ASK|" + toolNames() + ")[*_`:]*\\s*(\\{)|(?:ANSWER|SPEAK|NOTFOUND)[*_`:]*[ \\t]*(?:\\r?\\n|$))")
)

const longestTag = 16 // bytes that tell a tag from other text

// readVerb reads the beginning of the reply. One that does not begin with a verb is taken for an answer.
// It is false while that is open.
func (g *gate) readVerb(whole bool) bool {
	text := strings.TrimLeftFunc(g.buffer, unicode.IsSpace)
	text = text[len(roleName.FindString(text)):]
	if !whole && short(text) {
		return false
	}
	body := text[len(openBlock.FindString(text)):]
	switch {
	case openTag.MatchString(text):
		g.verb, g.tagged, g.buffer = verbAnswer, true, text[len(openTag.FindString(text)):]
		return true
	case toolTag.MatchString(text):
		g.verb, g.buffer = verbCall, body
		return true
	case strings.HasPrefix(body, "{"):
		if whole {
			g.readObject(text, strings.TrimSuffix(strings.TrimSpace(body), "```"))
		}
		return whole
	}
	bare := strings.TrimLeft(body, before)
	for _, t := range tools { // "search_documents(query=…)", as code
		if strings.HasPrefix(bare, t.name) {
			g.verb, g.buffer = verbCall, bare
			return true
		}
		if !whole && strings.HasPrefix(t.name, bare) {
			return false
		}
	}
	for _, v := range verbs {
		if !whole && len(bare) <= len(v) && strings.EqualFold(v[:len(bare)], bare) {
			return false
		}
		if line := bare[min(len(v), len(bare)):]; !whole && v == verbAnswer && strings.EqualFold(bare[:len(bare)-len(line)], v) && strings.Trim(line, after+" \t\r") == "" {
			return false
		}
		rest, ok := cutVerb(bare, v)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, after+" \t")
		if v == verbAnswer {
			rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		}
		if rest == "" && !whole {
			return false
		}
		g.verb, g.wrapped, g.buffer = v, body != text, rest
		return true
	}
	if !whole && len(bare) == 0 {
		return false
	}
	g.verb, g.implied, g.buffer = verbAnswer, true, text
	return true
}

// short reports whether the surroundings of the first word are still incomplete.
func short(text string) bool {
	for _, name := range []string{"assistant", "threadkeeper"} {
		if len(text) <= len(name) && strings.EqualFold(name[:len(text)], text) {
			return true
		}
	}
	return strings.HasPrefix(text, "<") && len(text) < longestTag ||
		strings.HasPrefix(text, "```") && !strings.Contains(text, "\n")
}

// cutVerb takes a verb off the beginning: in capitals before anything but a letter, "Answer" only when it has its
// line for itself.
func cutVerb(text, verb string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(text, verb); ok {
		return rest, rest == "" || !unicode.IsLetter(rune(rest[0])) && rest[0] != '\''
	}
	if verb != verbAnswer || len(text) < len(verb) || !strings.EqualFold(text[:len(verb)], verb) {
		return "", false
	}
	line, rest, ok := strings.Cut(text[len(verb):], "\n")
	return rest, ok && strings.Trim(line, after+" \t\r") == ""
}

// readObject reads a reply that is one JSON object: a question without its verb, an answer under a key, a call of
// a tool, or JSON that was asked for.
func (g *gate) readObject(text, body string) {
	var in map[string]json.RawMessage
	g.verb, g.implied, g.buffer = verbAnswer, true, text
	if json.Unmarshal([]byte(body), &in) != nil {
		return
	}
	has := func(keys ...string) bool {
		for _, k := range keys {
			if _, ok := in[k]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("question", "options"):
		g.verb, g.buffer = verbAsk, body
	case has("name", "arguments"), has("tool_calls"), has("function_call"), has("tool"), has("name", "parameters"):
		g.verb = verbCall
	case len(in) == 1:
		for key, raw := range in {
			var said string
			if openTag.MatchString("<"+key+">") && json.Unmarshal(raw, &said) == nil && said != "" {
				g.buffer = said
			}
		}
	}
}

// turns looks for a line at which a reply becomes something else. It is true when no more may be released: a question or a
// search follows, or the line is incomplete.
func (g *gate) turns(whole bool) bool {
	if m := turned.FindStringSubmatchIndex(g.buffer); m != nil && (whole || m[1] < len(g.buffer) || m[4] >= 0) {
		if m[2] < 0 {
			g.buffer = g.buffer[m[1]:]
			return false
		}
		if g.verb = g.buffer[m[2]:m[3]]; g.verb == verbAsk {
			g.buffer = g.buffer[m[4]:]
		} else {
			g.verb = verbCall
		}
		return true
	}
	bare := strings.TrimLeft(g.buffer, " \t*#_`")
	for _, v := range starts() {
		line, ends := strings.CutPrefix(bare, v)
		if !whole && (strings.HasPrefix(v, bare) && bare != "" || ends && strings.Trim(line, after+" \t\r\n") == "") {
			return true
		}
	}
	return false
}

// settle decides on what was held back until the reply was complete: a question in plain words, with what may be
// chosen, is one to be answered; a call of a tool somewhere in it is one; anything else is the answer.
func (g *gate) settle() {
	if g.verb == verbAsk && !strings.Contains(g.buffer, "{") && !strings.Contains(g.buffer, "?") {
		g.verb, g.buffer = verbAnswer, verbAsk+" "+g.buffer
	}
	if g.decided || !g.implied || g.released.Len() > 0 {
		return
	}
	g.decided = true
	if len(model.CallsIn(g.buffer, schemas())) > 0 {
		g.verb = verbCall
		return
	}
	if _, options := proseQuestion(g.buffer); g.holding && len(options) >= 2 && g.run.mayAsk() {
		g.verb = verbAsk
	}
}

// holds reports whether the next piece, of n bytes, is to wait: a reply without a verb shows nothing before its second
// block begins, for it may be the preface of a call, and one that opens with a question may offer a choice.
func (g *gate) holds(n int) bool {
	if !g.implied || g.decided || g.released.Len() > 0 {
		return false
	}
	if !g.strict && !g.holding {
		g.holding = strings.HasSuffix(strings.TrimRight(g.buffer[:n], "* _\n"), "?")
	}
	if g.holding {
		return len(g.buffer) <= longQuestion
	}
	_, second, _ := strings.Cut(g.buffer, "\n\n")
	if second = strings.TrimLeft(second, " \t\r\n*#_`"); second == "" {
		return true
	}
	if strings.ContainsAny(second[:1], "<[{") { // a call may be in it
		return len(second) <= longCall
	}
	for _, t := range tools {
		if strings.HasPrefix(second, t.name) {
			g.verb = verbCall
		}
		if strings.HasPrefix(second, t.name) || strings.HasPrefix(t.name, second) {
			return true
		}
	}
	return false
}

const (
	longQuestion = 700   // bytes of a question in plain words, with its choices
	longCall     = 4_000 // bytes of a call in text, with its arguments
)
