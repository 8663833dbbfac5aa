package discord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

// Flags of messages (https://discord.com/developers/docs/resources/message).
const (
	flagNoEmbeds  = 1 << 2 // links show no preview
	flagUnsaid    = 1 << 3 // what it repeats from another channel was deleted there
	flagHasThread = 1 << 5 // a thread began on it
	flagEphemeral = 1 << 6
	flagLoading   = 1 << 7 // the "thinking…" of a deferred answer; Discord calls the first change of it no edit
)

// message is the body that creates or changes one. A created one has a nonce where
// the endpoint knows nonces, so that the same is never posted twice.
type message struct {
	Content         string                           `json:"content"`
	Nonce           string                           `json:"nonce,omitempty"`
	EnforceNonce    bool                             `json:"enforce_nonce,omitempty"`
	AllowedMentions discordgo.MessageAllowedMentions `json:"allowed_mentions"`
	Components      []discordgo.MessageComponent     `json:"components"`
	Flags           int                              `json:"flags"`
	Reference       *reference                       `json:"message_reference,omitempty"`
	Attachments     *[]attachment                    `json:"attachments,omitempty"` // all there are from now on

	file *platform.Upload
}

type reference struct {
	Message string `json:"message_id"`
	Must    bool   `json:"fail_if_not_exists"`
}

type attachment struct {
	ID   int    `json:"id"` // index of the part files[n]
	Name string `json:"filename"`
}

// newMessage is one that mentions nobody and shows no previews.
func newMessage(content string) message {
	return message{Content: content, Flags: flagNoEmbeds, Components: []discordgo.MessageComponent{},
		AllowedMentions: discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}}
}

func (m message) encode() (string, []byte, error) {
	if m.file == nil {
		b, err := json.Marshal(m)
		return "application/json", b, err
	}
	m.Attachments = &[]attachment{{0, m.file.Name}}
	payload, err := json.Marshal(m)
	if err != nil {
		return "", nil, err
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part := func(disposition, media string, data []byte) error {
		p, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {media}})
		if err == nil {
			_, err = p.Write(data)
		}
		return err
	}
	if err := part(`form-data; name="payload_json"`, "application/json", payload); err != nil {
		return "", nil, err
	}
	if err := part(fmt.Sprintf(`form-data; name="files[0]"; filename=%q`, m.file.Name), m.file.Media, m.file.Data); err != nil {
		return "", nil, err
	}
	err = w.Close()
	return w.FormDataContentType(), form.Bytes(), err
}
