package claims

import (
	"fmt"

	"threadkeeper/memory/reading"
)

// String is a reason in words for the model, "" for none.
func (r Reason) String() string {
	words := reading.Shorten(reading.CollapseSpace(r.Words), 200)
	switch r.Cause {
	case Says:
		return fmt.Sprintf("page %d says: %s", r.Page, words)
	case Nowhere:
		return fmt.Sprintf("%s is cited nowhere; quote the words or the table line it stands in, or write the computation as [= …]", r.Number)
	case Result:
		return "the computation gives " + words
	case Invented:
		return fmt.Sprintf("the words %q do not stand in the document; copy what stands there", words)
	case Uncited:
		return "nothing is cited for it"
	case Elsewhere:
		return fmt.Sprintf("%s stands on page %d, but not with what is said of it", r.Number, r.Page)
	case Unlike:
		return "what is cited says little of it"
	}
	return ""
}
