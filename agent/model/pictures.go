package model

import "github.com/tmc/langchaingo/llms"

const picturesLeftOut = "PicturesLeftOut"

// PicturesLeftOut reports whether the model answered without the pictures it was sent, because the endpoint refused them.
func PicturesLeftOut(r *llms.ContentResponse) bool {
	if r == nil {
		return false
	}
	for _, c := range r.Choices {
		if c != nil && c.GenerationInfo[picturesLeftOut] == true {
			return true
		}
	}
	return false
}

// note notes something about a response where UsageOf and its like look.
func note(r *llms.ContentResponse, name string, value any) {
	for _, c := range r.Choices {
		if c.GenerationInfo == nil {
			c.GenerationInfo = map[string]any{}
		}
		c.GenerationInfo[name] = value
	}
}
