package say

import (
	"slices"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

// Labels are the words a platform writes itself, in one language.
type Labels struct {
	ShowPage  string // number of the page
	Stop      string // ends the running turn
	Thinking  string // our status, behind our name, until there is a better one
	Helpful   string // what the thumbs mean, for those who do not see them
	Unhelpful string
	Direct    string // name of a file that was sent as a direct message
	NoFiles   string // name of a file where none may be posted
	Saved     string // where a file was saved
	TooLarge  string // name, size and limit in MiB of a file that is not posted
	YesOrNo   string // follows a terminal's question; y stands for yes in every language
	Unasked   string // the command that acts without asking; nothing was done yet
	Untitled  string // names a conversation that begins without words
}

// LabelsIn returns the labels in a language or locale, as in Outgoing.Language; English if we
// have none in it.
func LabelsIn(language string) Labels { return In(language).Labels }

// Place says where a citation's quote is, to follow its document's name, in a language or locale.
func Place(language string, c memory.Citation) string {
	return Plain(docs.PlacesIn(In(language).Code).Of(c))
}

// ByDocument groups citations by their documents, in the order of the first of each: what is shown of many.
func ByDocument(citations []memory.Citation) (groups [][]memory.Citation) {
	for _, c := range citations {
		i := slices.IndexFunc(groups, func(g []memory.Citation) bool {
			return g[0].DocumentID == c.DocumentID && g[0].Document == c.Document && g[0].Link == c.Link
		})
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}
