package model

import (
	"slices"
	"sync"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory/reading"
)

// Ways of asking for JSON, each less demanding of the endpoint than the one before.
const (
	bySchema = iota // response_format json_schema; Anthropic's output_config
	byMode          // response_format json_object and an instruction
	byWord          // the instruction alone
)

// habit is what one model at one endpoint turned out not to accept, and a little of what it does.
type habit struct {
	json         int
	oldMax       bool // max_tokens instead of max_completion_tokens
	noUsage      bool // no stream_options
	noEffort     bool // no reasoning_effort
	noCacheMarks bool // no cache_control
	textTools    bool // no tools, see texttools.go
	noToolChoice bool // no tool_choice
	noPictures   bool
	alternate    bool // no two messages of one role in a row
	noSystem     bool // no system message

	badPicture bool // of this call only: a picture was refused, not all of them

	tookTools, tookPictures bool // it has answered with them
	thinks                  bool // it has reasoned
	unopened                bool // and ended a thought that its text did not begin
}

// habits remembers the habit of an endpoint's model.
type habits struct {
	mu   sync.Mutex
	have habit
}

// get is what is known of a model; of no habits nothing.
func (h *habits) get() habit {
	if h == nil {
		return habit{}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.have
}

// learn replaces what is known. What another call has learnt meanwhile is refused once more, and learnt again.
func (h *habits) learn(now habit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.have = now
}

// try makes a call, and makes it again without what the endpoint complains about. A habit is kept only once the model has answered
// under it; if that never happens the first complaint is returned.
func (h *habits) try(c *call, do func(habit) (*llms.ContentResponse, error)) (*llms.ContentResponse, error) {
	have := h.get()
	resp, first := do(have)
	err := first
	now := have
	for {
		next, ok := now.without(c, err)
		if !ok {
			break
		}
		now = next
		resp, err = do(now)
	}
	if failure, ok := err.(*Error); ok && now != have && failure.Kind == BadRequest {
		return nil, first
	}
	if resp == nil {
		return nil, err
	}
	if c.pictures && (now.noPictures || now.badPicture) {
		note(resp, picturesLeftOut, true)
	} else if c.pictures {
		now.tookPictures = true
	}
	now.tookTools = now.tookTools || len(c.opts.Tools) > 0 && !now.textTools
	now.thinks, now.unopened, now.badPicture = now.thinks || reasoned(resp), now.unopened || c.unopened, false
	h.learn(now)
	return resp, err
}

var (
	blamesUsage      = reading.Lazy(`stream_options|include_usage`)
	blamesMax        = reading.Lazy(`max_completion_tokens`)
	blamesEffort     = reading.Lazy(`(?i)reasoning[_. ]?effort`)
	blamesCacheMarks = reading.Lazy(`cache_control`)
	blamesToolChoice = reading.Lazy(`(?i)\btool_choice\b`)
	blamesTools      = reading.Lazy(`(?i)\btools?\b|\btool[-_ ](use|call|choice|calling)|function[-_ ]call|--jinja`)
	blamesPictures   = reading.Lazy(`(?i)image|vision|multi-?modal|picture|mmproj|content type|content must be a string|content.{0,20}\bstring\b|unknown variant`)

	blamesRoles  = reading.Lazy(`(?i)roles? must alternate|alternate between|alternate user|consecutive (user|messages)`)
	blamesSystem = reading.Lazy(`(?i)system role|system (message|prompt|instruction)s? (is|are) not|developer instruction|role.{0,20}system.{0,30}support`)

	// lacking are the words of what cannot be done at all, broken those of a request that is at fault itself.
	lacking = reading.Lazy(`(?i)support|cannot use|enable|require|jinja|not implemented|unavailable|not available|multi-?modal|vision|content type|\bstring\b|unknown variant|at most 0|mmproj|missing data|unrecognized|unknown|not permitted|not allowed|unexpected`)
	broken  = reading.Lazy(`(?i)format|corrupt|decod|could not process|too (large|big|many)|exceed|dimension|invalid image|download|media type`)

	// refusing are the statuses under which servers say that they do not know a field. llama.cpp and Ollama say it with 500.
	refusing = []int{400, 404, 415, 422, 500, 501}
)

// without returns the habit that leaves out what err blames. JSON is also given up step by step, and then tools, when err blames
// nothing we know, as many servers refuse them in words of their own. ok is false when there is nothing left to leave out.
func (h habit) without(c *call, err error) (next habit, ok bool) {
	failure, isOurs := err.(*Error)
	if !isOurs || !slices.Contains(refusing, failure.Status) {
		return h, false
	}
	blame := failure.param + " " + failure.Code + " " + failure.Message
	named := func(pattern *reading.Regexp) bool { return pattern.MatchString(blame) }
	bad := failure.Kind == BadRequest && (failure.Status == 400 || failure.Status == 422)
	refused := bad || failure.Status == 500 // llama.cpp and others fail in the model's chat template
	cannot := bad || (failure.Kind == BadRequest || failure.Kind == NotFound || failure.Kind == Overloaded) && named(lacking)
	tools := len(c.opts.Tools) > 0 && !h.textTools
	next = h
	switch {
	case refused && !h.alternate && named(blamesRoles):
		next.alternate = true
	case refused && !h.noSystem && named(blamesSystem):
		next.noSystem = true
	case bad && c.stream != nil && !h.noUsage && named(blamesUsage):
		next.noUsage = true
	case bad && c.opts.MaxTokens > 0 && !h.oldMax && named(blamesMax):
		next.oldMax = true
	case bad && !h.noEffort && named(blamesEffort):
		next.noEffort = true
	case bad && !h.noCacheMarks && named(blamesCacheMarks):
		next.noCacheMarks = true
	case c.pictures && !h.noPictures && !h.badPicture && cannot && named(blamesPictures):
		next.noPictures = named(lacking) && !named(broken)
		next.badPicture = !next.noPictures
	case bad && tools && c.opts.ToolChoice != nil && !h.noToolChoice && named(blamesToolChoice):
		next.noToolChoice = true
	case tools && cannot && named(blamesTools):
		next.textTools = true
	case bad && c.schema != nil && h.json < byWord:
		next.json++
	case bad && tools:
		next.textTools = true
	default:
		return h, false
	}
	return next, true
}
