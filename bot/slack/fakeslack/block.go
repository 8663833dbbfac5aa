package fakeslack

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

type surface struct {
	most  int    // blocks
	kinds string // of blocks
}

var (
	messageBlocks = surface{50, "actions context context_actions divider header markdown section"}
	viewBlocks    = surface{100, "actions context divider header input section"}
)

// blockFields are the fields of each kind of block that we send, of Slack's Block Kit reference;
// one with a star must be there.
var blockFields = map[string]string{
	"actions":         "elements*",
	"context":         "elements*",
	"context_actions": "elements*",
	"divider":         "",
	"header":          "text*",
	"input":           "label* element*",
	"markdown":        "text*",
	"section":         "text*",
}

var elementFields = map[string]string{
	"button":           "text* action_id value accessibility_label",
	"plain_text_input": "action_id placeholder initial_value multiline min_length max_length dispatch_action_config focus_on_load",
	"feedback_buttons": "action_id positive_button* negative_button*",
	"plain_text":       "text* emoji",
	"mrkdwn":           "text* verbatim",
}

// checker collects what is wrong with blocks, in Slack's words.
type checker struct {
	errs    []string
	actions map[string]bool // action ids of the block at hand
}

func (k *checker) bad(at, what string) {
	k.errs = append(k.errs, fmt.Sprintf("[ERROR] %s [json-pointer:%s]", what, at))
}

func (k *checker) tooLong(at string, most int) {
	k.bad(at, fmt.Sprintf("must be less than %d characters", most+1))
}

func (k *checker) fields(v object, at, known string) {
	names := map[string]bool{}
	for _, f := range strings.Fields(known) {
		name, must := strings.CutSuffix(f, "*")
		names[name] = true
		if _, ok := v[name]; must && !ok {
			k.bad(at, "missing required field: "+name)
		}
	}
	for name := range v {
		if !names[name] {
			k.bad(at+"/"+name, "invalid additional property: "+name)
		}
	}
}

// checkBlocks is nil when Slack would take the blocks.
func checkBlocks(blocks []object, on surface) error {
	k := checker{}
	if len(blocks) > on.most {
		k.bad("/blocks", fmt.Sprintf("no more than %d items allowed", on.most))
	}
	ids, markdown := map[string]bool{}, 0
	for i, b := range blocks {
		at := fmt.Sprintf("/blocks/%d", i)
		kind, _ := b["type"].(string)
		known, ok := blockFields[kind]
		if !ok || !slices.Contains(strings.Fields(on.kinds), kind) {
			k.bad(at+"/type", "unsupported type: "+kind)
			continue
		}
		k.fields(b, at, "type* block_id "+known)
		if id, ok := b["block_id"].(string); ok {
			k.length(id, at+"/block_id", 255)
			if ids[id] {
				k.bad(at+"/block_id", "block_id "+id+" already exists")
			}
			ids[id] = true
		}
		k.actions = map[string]bool{}
		k.block(kind, b, at)
		if text, ok := b["text"].(string); ok && kind == "markdown" {
			markdown += utf8.RuneCountInString(text)
		}
	}
	if len(k.errs) > 0 {
		return invalid("invalid_blocks", k.errs...)
	}
	if markdown > markdownMost {
		return invalid("msg_too_long", fmt.Sprintf("[ERROR] markdown blocks have %d characters together, no more than %d are allowed", markdown, markdownMost))
	}
	return nil
}

func (k *checker) block(kind string, b object, at string) {
	switch kind {
	case "section":
		k.text(b["text"], at+"/text", 3000, "", true)
	case "header":
		k.text(b["text"], at+"/text", 150, "plain_text", true)
	case "markdown":
		if text, ok := b["text"].(string); !ok || text == "" {
			k.bad(at+"/text", "must be more than 0 characters")
		}
	case "actions":
		k.elements(b, at, 25, "button")
	case "context":
		k.elements(b, at, 10, "plain_text mrkdwn")
	case "context_actions":
		k.elements(b, at, 5, "feedback_buttons")
	case "input":
		k.text(b["label"], at+"/label", 2000, "plain_text", true)
		k.element(b["element"], at+"/element", "plain_text_input")
	}
}

func (k *checker) elements(b object, at string, most int, kinds string) {
	list, ok := b["elements"].([]any)
	if !ok || len(list) == 0 || len(list) > most {
		k.bad(at+"/elements", fmt.Sprintf("must have 1 to %d items", most))
	}
	for i, v := range list {
		k.element(v, fmt.Sprintf("%s/elements/%d", at, i), kinds)
	}
}

func (k *checker) element(v any, at, kinds string) {
	e, _ := v.(map[string]any)
	kind, _ := e["type"].(string)
	if e == nil || !slices.Contains(strings.Fields(kinds), kind) {
		k.bad(at+"/type", "unsupported type: "+kind)
		return
	}
	k.fields(e, at, "type* "+elementFields[kind])
	if id, ok := e["action_id"].(string); ok {
		k.length(id, at+"/action_id", 255)
		if id == "" {
			k.bad(at+"/action_id", "must be more than 0 characters")
		}
		if k.actions[id] {
			k.bad(at+"/action_id", "action_id "+id+" already exists")
		}
		k.actions[id] = true
	}
	switch kind {
	case "plain_text", "mrkdwn":
		k.text(e, at, 2000, kind, true)
	case "button":
		k.button(e, at)
	case "feedback_buttons":
		for _, name := range []string{"positive_button", "negative_button"} {
			b, _ := e[name].(map[string]any)
			k.fields(b, at+"/"+name, "text* value* accessibility_label")
			k.button(b, at+"/"+name)
		}
	}
	k.text(e["placeholder"], at+"/placeholder", 150, "plain_text", false)
}

func (k *checker) button(b object, at string) {
	k.text(b["text"], at+"/text", 75, "plain_text", true)
	value, _ := b["value"].(string)
	k.length(value, at+"/value", 2000)
	label, _ := b["accessibility_label"].(string)
	k.length(label, at+"/accessibility_label", 75)
}

func (k *checker) text(v any, at string, most int, kind string, must bool) {
	if v == nil && !must {
		return
	}
	t, _ := v.(map[string]any)
	is, _ := t["type"].(string)
	if is != "plain_text" && is != "mrkdwn" || kind != "" && is != kind {
		k.bad(at+"/type", "must be "+or(kind, "plain_text or mrkdwn"))
		return
	}
	k.fields(t, at, "type* "+elementFields[is])
	text, _ := t["text"].(string)
	if text == "" {
		k.bad(at+"/text", "must be more than 0 characters")
	}
	k.length(text, at+"/text", most)
}

// number gives every block and action without an id one, as Slack does.
func number(blocks []object) {
	for i, b := range blocks {
		if b["block_id"] == nil || b["block_id"] == "" {
			b["block_id"] = fmt.Sprintf("b%04d", i)
		}
		list, _ := b["elements"].([]any)
		for j, v := range list {
			if e, ok := v.(map[string]any); ok && e["action_id"] == nil && e["text"] != nil && e["type"] == "button" {
				e["action_id"] = fmt.Sprintf("a%04d%02d", i, j)
			}
		}
	}
}
