package fakediscord

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Limits of a message.
// https://docs.discord.com/developers/resources/message#create-message
const (
	maxContent    = 2000
	maxEmbeds     = 10
	maxRows       = 5
	maxRowButtons = 5
	maxOptions    = 25
	maxTyped      = 4000 // into a text input
	maxFiles      = 10
	maxNonce      = 25
)

// length counts what Discord counts: code points, once outer white space is gone.
func length(s string) int { return utf8.RuneCountInString(strings.TrimSpace(s)) }

// checker collects the first thing wrong with a body.
type checker struct{ err *failure }

func (k *checker) fail(field, code, message string) {
	if k.err == nil {
		k.err = invalid(field, code, message)
	}
}

func (k *checker) text(field, s string, least, most int) {
	n := length(s)
	switch {
	case n == 0 && least > 0:
		k.fail(field, "BASE_TYPE_REQUIRED", "This field is required")
	case n > most && least == 0:
		k.fail(field, "BASE_TYPE_MAX_LENGTH", fmt.Sprintf("Must be %d or fewer in length.", most))
	case n > most || n < least:
		k.fail(field, "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between %d and %d in length.", least, most))
	}
}

func (k *checker) count(field string, n, least, most int) {
	if n < least || n > most {
		k.fail(field, "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between %d and %d in length.", least, most))
	}
}

// components checks the rows of a message, by
// https://docs.discord.com/developers/components/reference.
func (k *checker) components(rows []Component) {
	if len(rows) > maxRows {
		k.fail("components", "BASE_TYPE_BAD_LENGTH", fmt.Sprintf("Must be between 1 and %d in length.", maxRows))
	}
	seen := make(map[string]bool)
	for i, row := range rows {
		at := fmt.Sprintf("components.%d", i)
		if row.Type != ActionRow {
			k.fail(at+".type", "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (1,).")
			continue
		}
		k.count(at+".components", len(row.Components), 1, maxRowButtons)
		for j, c := range row.Components {
			k.component(fmt.Sprintf("%s.components.%d", at, j), c, len(row.Components), seen)
		}
	}
}

func (k *checker) component(at string, c Component, beside int, seen map[string]bool) {
	switch c.Type {
	case Button:
		k.button(at, c)
	case StringSelect:
		k.count(at+".options", len(c.Options), 1, maxOptions)
		k.text(at+".placeholder", c.Placeholder, 0, 150)
		values := make(map[string]bool)
		for i, o := range c.Options {
			in := fmt.Sprintf("%s.options.%d", at, i)
			k.text(in+".label", o.Label, 1, 100)
			k.text(in+".value", o.Value, 1, 100)
			k.text(in+".description", o.Description, 0, 100)
			if values[o.Value] {
				k.fail(in+".value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
			}
			values[o.Value] = true
		}
	default:
		k.fail(at+".type", "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (2, 3).") // of those we make
	}
	if c.Type != Button && beside > 1 {
		k.fail(at, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
	}
	k.text(at+".custom_id", c.CustomID, 1, 100)
	if seen[c.CustomID] {
		k.fail(at+".custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
	}
	seen[c.CustomID] = true
}

// field checks a text input of a modal, in its label or the row of older clients.
func (k *checker) field(at string, c Component) {
	inner := c.Component
	if c.Type == ActionRow && len(c.Components) == 1 {
		inner = &c.Components[0]
		k.text(at+".components.0.label", inner.Label, 1, 45)
	} else if c.Type == Label && inner != nil {
		k.text(at+".label", c.Label, 1, 45)
		k.text(at+".description", c.Description, 0, 100)
	}
	if inner == nil || inner.Type != TextInput {
		k.fail(at+".type", "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (1, 10, 18).")
		return
	}
	k.text(at+".custom_id", inner.CustomID, 1, 100)
	k.text(at+".placeholder", inner.Placeholder, 0, 100)
	if inner.Style < 1 || inner.Style > 2 {
		k.fail(at+".style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
	}
	if n := inner.MaxLength; n != nil && (*n < 1 || *n > maxTyped) {
		k.fail(at+".max_length", "NUMBER_TYPE_MAX", fmt.Sprintf("int value should be between 1 and %d.", maxTyped))
	}
}

func (k *checker) button(at string, c Component) {
	k.text(at+".label", c.Label, 0, 80)
	if c.Label == "" && c.Emoji == nil {
		k.fail(at, "BUTTON_COMPONENT_INVALID_EMOJI_OR_LABEL", "A button must have a label or an emoji")
	}
	if c.Style < 1 || c.Style > 4 { // of those we make: the others are links and offers
		k.fail(at+".style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4}.")
	}
}

type allowedMentions struct {
	Parse       []string `json:"parse"`
	Users       []string `json:"users"`
	Roles       []string `json:"roles"`
	RepliedUser bool     `json:"replied_user"`
}

func (k *checker) allowed(a *allowedMentions) {
	if a == nil {
		return
	}
	k.count("allowed_mentions.users", len(a.Users), 0, 100)
	k.count("allowed_mentions.roles", len(a.Roles), 0, 100)
	for i, p := range a.Parse {
		if p != "users" && p != "roles" && p != "everyone" {
			k.fail(fmt.Sprintf("allowed_mentions.parse.%d", i), "BASE_TYPE_CHOICES", "Value must be one of ('users', 'roles', 'everyone').")
		}
		if p == "users" && len(a.Users) > 0 || p == "roles" && len(a.Roles) > 0 {
			k.fail("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", "parse:[\""+p+"\"] and "+p+": [ids...] are mutually exclusive.")
		}
	}
}

var (
	codeText    = regexp.MustCompile("(?s)```.*?```|``.+?``|`[^`]+`")
	userMention = regexp.MustCompile(`<@!?(\d+)>`)
	roleMention = regexp.MustCompile(`<@&(\d+)>`)
	linkText    = regexp.MustCompile(`(^|[^<\w])(https?://[^\s<>]+)`)
)
