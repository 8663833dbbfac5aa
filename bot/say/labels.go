package say

import (
	"slices"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

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
