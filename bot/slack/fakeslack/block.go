package fakeslack

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// surface is where blocks are shown.
type surface struct {
	most  int    // blocks
	kinds string // of blocks
}

var (
	messageBlocks = surface{50, "actions context context_actions divider file header image markdown rich_text section table video"}
	viewBlocks    = surface{100, "actions context divider header image input rich_text section video"}
)

// blockFields are the fields of each kind of block, of Slack's Block Kit reference;
// one with a star must be there.
var blockFields = map[string]string{
	"actions":         "elements*",
	"context":         "elements*",
	"context_actions": "elements*",
	"divider":         "",
	"file":            "external_id* source*",
	"header":          "text*",
	"image":           "image_url slack_file alt_text* title",
	"input":           "label* element* dispatch_action hint optional",
	"markdown":        "text*",
	"rich_text":       "elements*",
	"section":         "text fields accessory expand",
	"table":           "rows* column_settings",
	"video":           "alt_text* title* thumbnail_url* video_url* author_name description provider_icon_url provider_name title_url",
}

// elementFields are the fields of each kind of element.
var elementFields = map[string]string{
	"button":                     "text* action_id url value style confirm accessibility_label",
	"static_select":              "action_id placeholder options option_groups initial_option confirm focus_on_load",
	"external_select":            "action_id placeholder initial_option min_query_length confirm focus_on_load",
	"multi_static_select":        "action_id placeholder options option_groups initial_options confirm max_selected_items focus_on_load",
	"users_select":               "action_id placeholder initial_user confirm focus_on_load",
	"conversations_select":       "action_id placeholder initial_conversation default_to_current_conversation confirm response_url_enabled filter focus_on_load",
	"overflow":                   "action_id options* confirm",
	"checkboxes":                 "action_id options* initial_options confirm focus_on_load",
	"radio_buttons":              "action_id options* initial_option confirm focus_on_load",
	"datepicker":                 "action_id placeholder initial_date confirm focus_on_load",
	"plain_text_input":           "action_id placeholder initial_value multiline min_length max_length dispatch_action_config focus_on_load",
	"image":                      "image_url slack_file alt_text*",
	"feedback_buttons":           "action_id positive_button* negative_button*",
	"icon_button":                "icon* text* action_id value confirm accessibility_label visible_to_user_ids",
	"workflow_button":            "text* workflow* action_id style accessibility_label",
	"plain_text":                 "text* emoji",
	"mrkdwn":                     "text* verbatim",
	"rich_text_section":          "elements*",
	"rich_text_list":             "elements* style* indent offset border",
	"rich_text_preformatted":     "elements* border language",
	"rich_text_quote":            "elements* border",
	"multi_users_select":         "action_id placeholder initial_users confirm max_selected_items focus_on_load",
	"multi_conversations_select": "action_id placeholder initial_conversations default_to_current_conversation confirm max_selected_items filter focus_on_load",
}

// Elements that each place takes.
const (
	actionElements = "button static_select external_select multi_static_select users_select conversations_select overflow checkboxes radio_buttons datepicker workflow_button multi_users_select multi_conversations_select"
	inputElements  = "plain_text_input static_select external_select multi_static_select users_select conversations_select checkboxes radio_buttons datepicker multi_users_select multi_conversations_select"
)

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

// fields checks the names of an object's fields.
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

// block checks the limits of one block.
func (k *checker) block(kind string, b object, at string) {
	switch kind {
	case "section":
		fields, hasFields := b["fields"].([]any)
		if b["text"] == nil && !hasFields {
			k.bad(at, "missing required field: text or fields")
		}
		k.text(b["text"], at+"/text", 3000, "", false)
		if hasFields && (len(fields) == 0 || len(fields) > 10) {
			k.bad(at+"/fields", "must have 1 to 10 items")
		}
		for i, f := range fields {
			k.text(f, fmt.Sprintf("%s/fields/%d", at, i), 2000, "", true)
		}
		if b["accessory"] != nil {
			k.element(b["accessory"], at+"/accessory", actionElements+" image")
		}
	case "header":
		k.text(b["text"], at+"/text", 150, "plain_text", true)
	case "markdown":
		if text, ok := b["text"].(string); !ok || text == "" {
			k.bad(at+"/text", "must be more than 0 characters")
		}
	case "actions":
		k.elements(b, at, 25, actionElements)
	case "context":
		k.elements(b, at, 10, "image plain_text mrkdwn")
	case "context_actions":
		k.elements(b, at, 5, "feedback_buttons icon_button")
	case "rich_text":
		k.elements(b, at, 1000, "rich_text_section rich_text_list rich_text_preformatted rich_text_quote")
	case "image":
		k.picture(b, at)
		k.text(b["title"], at+"/title", 2000, "plain_text", false)
	case "input":
		k.text(b["label"], at+"/label", 2000, "plain_text", true)
		k.text(b["hint"], at+"/hint", 2000, "plain_text", false)
		k.element(b["element"], at+"/element", inputElements)
	}
}

func (k *checker) picture(v object, at string) {
	url, _ := v["image_url"].(string)
	if (url == "") == (v["slack_file"] == nil) {
		k.bad(at, "must have one of image_url and slack_file")
	}
	alt, _ := v["alt_text"].(string)
	k.length(alt, at+"/alt_text", 2000)
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
		if style, ok := e["style"]; ok && style != "primary" && style != "danger" {
			k.bad(at+"/style", "must be primary or danger")
		}
	case "icon_button":
		k.button(e, at)
	case "feedback_buttons":
		for _, name := range []string{"positive_button", "negative_button"} {
			b, _ := e[name].(map[string]any)
			k.fields(b, at+"/"+name, "text* value* accessibility_label")
			k.button(b, at+"/"+name)
		}
	case "image":
		k.picture(e, at)
	case "static_select", "multi_static_select":
		k.options(e, at, 100)
	case "overflow":
		k.options(e, at, 5)
	case "checkboxes", "radio_buttons":
		k.options(e, at, 10)
	}
	k.text(e["placeholder"], at+"/placeholder", 150, "plain_text", false)
}

// button checks the lengths of a button.
func (k *checker) button(b object, at string) {
	k.text(b["text"], at+"/text", 75, "plain_text", true)
	value, _ := b["value"].(string)
	k.length(value, at+"/value", 2000)
	url, _ := b["url"].(string)
	k.length(url, at+"/url", 3000)
	label, _ := b["accessibility_label"].(string)
	k.length(label, at+"/accessibility_label", 75)
}

func (k *checker) options(e object, at string, most int) {
	list, _ := e["options"].([]any)
	if e["option_groups"] == nil && (len(list) == 0 || len(list) > most) {
		k.bad(at+"/options", fmt.Sprintf("must have 1 to %d items", most))
	}
	for i, v := range list {
		here := fmt.Sprintf("%s/options/%d", at, i)
		o, _ := v.(map[string]any)
		k.fields(o, here, "text* value* description url")
		k.text(o["text"], here+"/text", 75, "", true)
		value, _ := o["value"].(string)
		k.length(value, here+"/value", 150)
	}
}

// text checks a text object of a kind, "" for either.
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
		if b["accessory"] != nil {
			list = append(list[:len(list):len(list)], b["accessory"])
		}
		for j, v := range list {
			if e, ok := v.(map[string]any); ok && e["action_id"] == nil && e["text"] != nil && e["type"] == "button" {
				e["action_id"] = fmt.Sprintf("a%04d%02d", i, j)
			}
		}
	}
}
