package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	// MostPictures is how many posted pictures one turn shows.
	MostPictures = 4
	// FreshMessages is among how many messages of people, the last before a turn, a picture is still what they talk about.
	FreshMessages = 3
)

const (
	freshTime    = 10 * time.Minute // the same in direct messages, where the next message may open another thread
	listedAlone  = 8                // pictures that are named in the prompt
	tokenPixels  = 750              // a token each: Anthropic's docs, "Vision", "Calculate image costs"; OpenAI's tiles cost less
	pictureShare = 50               // percent of a prompt that pictures may take, the first apart
)

var (
	pictureCue = reading.Cue(`pictures?|pics?|images?|photos?|photographs?|screenshots?|screen ?(?:caps?|grabs?)|memes?|logos?|selfies?|what do you see|`+
		`bild|bild(?:er|ern|es|s)|fotos?|bildschirmfotos?|was siehst du|`+
		`captures? d'ecran|que vois-tu|que voyez-vous|imagen(?:es)?|capturas? de pantalla|pantallazos?|que ves|`+
		`immagin[ei]|schermat[ae]|cosa vedi|imagem|imagens|fotografias?|afbeelding(?:en)?|schermafbeelding(?:en)?|картинк\pL*|фото|фотографи\pL*|изображени\pL*|скриншот\pL*`,
		`画像|写真|スクリーンショット|スクショ|图片|圖片|照片|截图|截圖|图像|사진|이미지|그림|스크린샷`)
	// otherImages are things called an image that are not pictures.
	otherImages = reading.Lazy(`(?:docker|container|oci|base|disk|boot|iso|vm|machine|system|firmware|raspberry pi|brand|public) images?|images? (?:tags?|registr(?:y|ies)|pull\pL*)|big picture`)
)

// AboutPicture reports whether a request seems to be about a picture.
func AboutPicture(request string) bool {
	return pictureCue.MatchString(otherImages.ReplaceAllString(rank.Fold(request), " "))
}

// TakesPictures reports whether the model with this name takes pictures, as far as is known.
func (c *Chain) TakesPictures(ctx context.Context, name string) bool {
	c = c.using(name)
	return c.Model != nil && model.LimitsOf(ctx, c.Model).Images != model.Unsupported
}

// view is a picture that a model is shown in this turn.
type view struct {
	docs.Picture
	document int64
	line     string // its description
	poor     spot   // the page, if it is a poor scan
}

func (v view) tokens() int { return (v.Width*v.Height + tokenPixels - 1) / tokenPixels }

// pictured is what the prompts of a turn show of pictures.
type pictured struct {
	lines  []string           // that name them among the documents
	parts  []llms.ContentPart // behind the last message: a text that says which is which, and the pictures
	tokens int                // of the parts
}

// showPictures chooses what the model is shown instead of told: the pictures of these messages, those posted before
// that the request is about, and pages that it asks to look at. Nothing is shown to a model that takes none.
func (r *run) showPictures(ctx context.Context) error {
	if r.TakesPictures(ctx, r.Name) && r.Index != nil {
		posted, err := r.postedPictures(ctx)
		if err != nil {
			return err
		}
		pages, err := r.pagePictures(ctx)
		if err != nil {
			return err
		}
		r.show(append(posted, pages...))
	}
	r.pictured.lines = r.pictureLines(ctx)
	return nil
}

// show takes the pictures into the prompts, as far as there is room; the first has all that the rest of a prompt leaves.
func (r *run) show(views []view) {
	var lines []string
	var parts []llms.ContentPart
	var poor bool
	tokens, room, most := 0, r.promptLimit()*pictureShare/100, r.promptLimit()-fixedTokens()-r.given-300
	for i, v := range views {
		if tokens += v.tokens(); tokens > most || tokens > room && i > 0 {
			tokens -= v.tokens()
			break
		}
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, v.line))
		parts = append(parts, llms.BinaryPart(v.Media, v.Data))
		if !slices.Contains(r.looked, v.document) {
			r.looked = append(r.looked, v.document)
		}
		if v.poor != (spot{}) {
			poor = true
			r.tellPoor(v)
		}
	}
	if len(parts) == 0 {
		return
	}
	text := render("pictures.tmpl", picturesData{r.marker, lines, poor})
	r.pictured.parts = append([]llms.ContentPart{llms.TextPart(text)}, parts...)
	r.pictured.tokens = tokens + memory.Count(text)
}

type picturesData struct {
	Marker string
	Lines  []string
	Poor   bool // a poor scan is among them
}

// postedPictures are the posted ones that this turn shows: of its messages, chosen or named, and of the last
// that was said, or any of the session when the request is about a picture; the newest first.
func (r *run) postedPictures(ctx context.Context) ([]view, error) {
	var own, named, other []*memory.Document
	about, fresh, now := AboutPicture(r.request), r.lately(), r.turn.Now.UnixMilli()
	direct := r.turn.Audience.Channel.Kind == memory.DM
	for _, d := range slices.Backward(r.posted) {
		switch here := direct || d.SessionID == r.turn.Session.ID; {
		case r.came(d):
			own = append(own, d)
		case r.meant(d):
			named = append(named, d)
		case here && len(r.turn.Use) == 0 && (about || fresh[d.MessageID] || direct && now-d.CreatedAt < freshTime.Milliseconds()):
			other = append(other, d)
		}
	}
	slices.Reverse(own) // as they were posted
	var views []view
	for _, d := range slices.Concat(own, named, other) {
		if len(views) == MostPictures {
			break
		}
		p, err := r.Index.PostedPicture(ctx, d.ID)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // it was removed meanwhile
			r.Log.WarnContext(ctx, "could not prepare a picture for the model", "document", d.ID, "error", err)
			continue
		}
		views = append(views, view{Picture: p, document: d.ID, line: r.pictureLine(ctx, d)})
	}
	return views, nil
}

// came reports whether a picture was posted with the messages of this turn.
func (r *run) came(d *memory.Document) bool {
	return slices.ContainsFunc(r.turn.Messages, func(m *memory.Message) bool { return m.ID == d.MessageID })
}

func (r *run) meant(d *memory.Document) bool {
	return strings.Contains(rank.Fold(r.request), rank.Fold(d.Name)) || slices.Contains(r.turn.Use, d.ID)
}

// lately are the ids of the last messages of people before this turn, and of the one that a clarifying
// question was about.
func (r *run) lately() map[int64]bool {
	ids := map[int64]bool{}
	if q := r.turn.Question; q != nil {
		ids[q.MessageID] = true
	}
	n := 0
	for _, m := range slices.Backward(r.history.Messages) {
		if m.Role != memory.User {
			continue
		}
		if n++; n > FreshMessages {
			break
		}
		ids[m.ID] = true
	}
	return ids
}

func (r *run) pictureLine(ctx context.Context, d *memory.Document) string {
	line := fmt.Sprintf("picture d%d %s", len(r.library)+1+slices.Index(r.posted, d), oneLine(d.Name)) // it counts behind the documents
	if m, err := r.Store.Message(ctx, d.MessageID); err == nil && m.ErasedAt == 0 {
		line += fmt.Sprintf(", posted by %s at %s", oneLine(m.Author), time.UnixMilli(m.At).In(cmp.Or(r.zone, r.turn.zone())).Format("2006-01-02 15:04"))
	}
	return line
}

// pictureLines name the newest pictures for the list of documents in a prompt.
func (r *run) pictureLines(ctx context.Context) []string {
	var lines []string
	for _, d := range r.posted[max(0, len(r.posted)-listedAlone):] {
		line := r.pictureLine(ctx, d)
		switch {
		case slices.Contains(r.looked, d.ID):
			line += ", shown below"
		case !r.TakesPictures(ctx, r.Name):
			line += ", cannot be looked at: the model takes no pictures"
		default:
			line += ", not shown now"
		}
		lines = append(lines, line)
	}
	for _, name := range r.turn.Unseen {
		lines = append(lines, fmt.Sprintf("picture %s, cannot be looked at: the model takes no pictures", oneLine(name)))
	}
	return lines
}

// blind is what is said to somebody who asks about a picture, or sent nothing else, where no model looks at it;
// "" otherwise. A model that takes no pictures says so itself when it is asked something.
func (r *run) blind(ctx context.Context) string {
	if len(r.turn.Unseen)+len(r.posted) == 0 || r.TakesPictures(ctx, r.Name) {
		return ""
	}
	alone := strings.TrimSpace(r.request) == "" && r.turn.Question == nil && !slices.ContainsFunc(r.turn.New, func(d *memory.Document) bool {
		return d.State == memory.DocumentReady && !d.Picture
	})
	switch {
	case r.Model != nil && alone:
		return r.say.blindModel
	case r.Model == nil && (alone || AboutPicture(r.request)):
		return r.say.blind
	}
	return ""
}

// foundBlind adds to an answer to a question about a picture or a page that the model, as it turned out, has not seen it.
func (r *run) foundBlind(reply *Reply) {
	if len(r.looked) == 0 || !r.leftOut {
		return
	}
	looked := r.looked
	r.looked, r.poor = nil, nil
	about := AboutPicture(r.request) || slices.ContainsFunc(looked, func(id int64) bool {
		i := slices.IndexFunc(r.posted, func(d *memory.Document) bool { return d.ID == id })
		return i < 0 || r.came(r.posted[i]) || r.meant(r.posted[i])
	})
	if about && reply.Text != "" && reply.Question == nil && !reply.Silent {
		r.add(reply, "\n\n"+r.say.blindModel)
	}
}
