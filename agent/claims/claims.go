// Package claims checks the claims of an answer against its citations. It is pure: it calls no model, and asks a [Source] to
// find words in a document. A reply goes through five steps:
//
//	reply
//	  │ 1 blocks    a paragraph, an item of a list, a table           NextBlock      block.go
//	  │ 2 marks     its citations and computations, and the places    Reply.Add      mark.go, resolve.go
//	  │ 3 claims    a sentence or a row with its places; headings,                   split.go, exempt.go
//	  │             questions and caveats claim nothing
//	  │ 4 numbers   value and unit, in the row, the column and the    Reply.Judge    verdict.go, window.go, stands.go
//	  │             year that the claim names; or computed                           compute.go, sum.go
//	  │ 5 words     negation, direction, enough in common                            words.go
//	  ▼
//	Plain, Verified, Unchecked or Contradicted, with a [Reason]
package claims

import (
	"fmt"

	"threadkeeper/memory/reading"
)

// Source finds the places that a reply cites.
type Source interface {
	// Find looks words up in a document, numbered from 1: on that page, else on another. Words then holds the exact words.
	Find(document, page int, words string) (p Place, found bool, err error)
	// Text returns the text of a page, "" if there is none.
	Text(document, page int) (string, error)
	// Named is the number of a document by what a reply calls it, 0 for none.
	Named(name string) int
	// Documents is how many there are.
	Documents() int
}

// Place is a quote found in a document.
type Place struct {
	Document, Page int // from 1
	Quote          string
}

// Outcome is the result for a claim.
type Outcome int

// The outcomes, from those that need no check to the wrong ones.
const (
	Plain        Outcome = iota // a heading, an intro, a question, a caveat: it claims nothing
	Verified                    // the cited place says so, or it is computed from such numbers
	Unchecked                   // it cites nothing, or nothing that can be compared
	Contradicted                // the document says something else, or nothing of the kind
)

// Cause says why a claim is not verified.
type Cause int

// The causes. Those from Elsewhere on belong to unchecked claims.
const (
	NoCause   Cause = iota
	Says            // the page says something else: Reason.Words
	Nowhere         // a number that is nowhere in the cited places: Reason.Number
	Result          // a computation has another result: Reason.Words
	Invented        // the words cited are not in the document: Reason.Words
	Uncited         // no citation
	Elsewhere       // the number is on the page, but not with the claim's words about it
	Unlike          // the cited words say little about the claim
	Disputed        // a reader finds that the page says otherwise: Reason.Words
)

// Reason is a cause with its place.
type Reason struct {
	Cause          Cause
	Number         string // as the claim shows it
	Words          string
	Document, Page int

	weak, certain bool // the number may be elsewhere; another thing is meant: a number of the same row or sentence, another scale, a denial, a subject
}

// String is a reason in words, "" for none.
func (r Reason) String() string { return r.At(fmt.Sprintf("page %d", r.Page)) }

// At is a reason in words for the model, with the name of its place ("page 3", "rows 4–9"); "" for none.
func (r Reason) At(place string) string {
	words := reading.Shorten(reading.CollapseSpace(r.Words), 200)
	switch r.Cause {
	case Says:
		if r.Number == "" {
			return fmt.Sprintf("one of the two denies what the other says, or has it rise where it falls; %s says: %s", place, words)
		}
		return fmt.Sprintf("not %s; %s says: %s", r.Number, place, words)
	case Nowhere:
		return fmt.Sprintf("%s is cited nowhere; quote the words or the table line it stands in, or write the computation as [= …]", r.Number)
	case Result:
		return "the computation gives " + words
	case Invented:
		return fmt.Sprintf("the words %q do not stand in the document; copy what stands there", words)
	case Uncited:
		return "nothing is cited for it"
	case Elsewhere:
		return fmt.Sprintf("%s stands in %s, but not with what is said of it", r.Number, place)
	case Unlike:
		return "what is cited says little of it"
	case Disputed:
		return fmt.Sprintf("%s may say otherwise: %s", place, words)
	}
	return ""
}
