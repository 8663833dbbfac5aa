package agent

import "context"

// withModelLeading takes the turn with the model.
func (r *run) withModelLeading(ctx context.Context) (*Reply, error) {
	if card := r.uploadCard(ctx); card != "" {
		r.route, r.understanding.Understanding = routeChat, plain(r.request, r.say.because.file)
		return r.whole(&Reply{Text: card}), nil
	}
	r.understand()
	question, err := r.ask(ctx)
	if err != nil {
		return nil, err
	}
	if question != nil {
		r.route = routeChat
		return r.whole(&Reply{Text: question.Text, Question: question}), nil
	}
	if err := r.retrieve(ctx); err != nil {
		return nil, err
	}
	r.Log.DebugContext(ctx, "understood", "route", r.route, "reason", r.understanding.Reason,
		"recalled", len(r.recalled), "passages", len(r.passages))
	return r.answer(ctx)
}
