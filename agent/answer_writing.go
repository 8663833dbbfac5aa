package agent

import (
	"context"
	"regexp"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory/rank"
)

// Orders are requests that begin with a verb and ask for words, which takes a model. They are
// matched on folded text without commas, after the polite opening, in English, German, French and
// Spanish.
var (
	drafting = orderTo(`write|draft|compose|rewrite|rephrase|reword|paraphrase|translate|proofread|formulate|` +
		`(?:schreib|formulier|verfass|ubersetz|umformulier)(?:e|en|en sie)?|entwirf|korrigiere|` +
		`ecris|ecrivez|ecrire|redige|redigez|rediger|traduis|traduisez|traduire|reformule|reformulez|reformuler|corrige|corrigez|` +
		`escribe|escriba|escribir|escribele|redacta|redacte|redactar|traduce|traduzca|traducir|reformula|corrija`)
	sending = orderTo(`send|tell|reply to|respond to|` +
		`schick|schicke|antworte|sag|sage|` +
		`reponds a|repondez a|envoie|envoyez|dis a|dites a|` +
		`responde a|envia|envie|dile a|digale a`)
	explaining = orderTo(`explain|describe|elaborate|brainstorm|suggest|propose|` +
		`(?:erklar|erlauter|beschreib)(?:e|en|en sie)?|schlag|schlage|` +
		`explique|expliquez|expliquer|decris|decrivez|decrire|propose|proposez|` +
		`explica|explicame|expliqueme|explicar|describir|sugiere|propon`)
	// noting is what keeps a statement in mind that follows.
	noting = regexp.MustCompile(`^(?:please |bitte |por favor )?(?:remember|note|keep in mind|merk\pL* (?:dir|euch|ihnen)|notier\pL*|retiens|retenez|souviens-toi|notez?|recuerda|anota|ten en cuenta) ?(?:that|dass|que|:)`)
)

func orderTo(verbs string) *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + verbs + `)(?:-(?:moi|nous|lui|leur))?(?:$|[^\pL-])`)
}

// wantsWriting reports whether the request asks for words that only a model could find. A question
// that asks for an explanation may be answered by a quotation.
func (r *run) wantsWriting() bool {
	in, f := r.understanding.intent, plainRequest(r.request)
	if tellCue.MatchString(rank.Fold(r.request)) || in.summary {
		return false
	}
	return drafting.MatchString(f) || sending.MatchString(f) || explaining.MatchString(f) && !in.question
}

// plainRequest is a folded request without commas and its polite opening.
func plainRequest(request string) string {
	f := strings.ReplaceAll(rank.Fold(strings.TrimSpace(request)), ",", "")
	return f[len(polite.FindString(f)):]
}

// withoutWriting answers an order without a model: that it cannot be done, and what was found about it.
func (r *run) withoutWriting(ctx context.Context) (string, []docs.Citation, error) {
	if len(r.passages) > 0 {
		text, cited, _, err := r.extract(ctx)
		if err != nil {
			return "", nil, err
		}
		if text != "" {
			return r.say.cannotWrite + " " + r.say.found + "\n\n" + text, cited, nil
		}
	}
	text, said, err := r.remember(ctx)
	switch {
	case err != nil:
		return "", nil, err
	case said:
		return r.say.cannotWrite + " " + r.say.found + "\n\n" + text, nil, nil
	}
	return r.say.cannotWrite + " " + r.say.setUp, nil, nil
}
