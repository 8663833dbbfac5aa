package say

import (
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// Labels are what a platform writes itself, in one language.
type Labels struct {
	ShowPage  string // number of the page
	Stop      string // ends the running turn
	Thinking  string // what we do, behind our name, until there is more to tell
	Helpful   string // what the thumbs mean, for those who do not see them
	Unhelpful string
	Direct    string // name of a file that was sent as a direct message
	NoFiles   string // name of a file where none may be posted
	Saved     string // where a file was saved
	TooLarge  string // name, size and limit in MiB of a file that is not posted
	YesOrNo   string // behind what a terminal asks; y stands for yes in every language
	Unasked   string // nothing was done yet; the command that does it
}

// LabelsIn are those in a language or locale, as Outgoing.Language has it; English for
// one we have none in.
func LabelsIn(language string) Labels { return In(language).Labels }

// Place is where a citation's quote stands, behind its document's name, in a language or locale.
func Place(language string, c memory.Citation) string {
	return Plain(docs.PlacesIn(In(language).Code).Of(c))
}
