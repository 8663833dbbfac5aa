package agent

import (
	"context"
	"slices"
	"strings"
)

// answer makes the reply of a request that is clear enough.
func (r *run) answer(ctx context.Context) (*Reply, error) {
	if r.Model == nil || r.certain() {
		text, cited, err := r.answerByRule(ctx)
		if err != nil {
			return nil, err
		}
		if slices.Contains([]string{r.say.hello, r.say.welcome, r.say.noted}, text) {
			r.route = routeSocial
		}
		return r.whole(&Reply{Text: text, Citations: cited}), nil
	}
	return r.withModel(ctx)
}

// certain reports whether the deterministic form is the answer, so that no model is needed.
func (r *run) certain() bool {
	in := r.understanding.intent
	return strings.TrimSpace(r.request) == "" || (in.thanks || in.greeting) && len(in.content) == 0
}
