// Package claims judges what an answer claims against what it cites: the grammar of citations and computations, the
// arithmetic, and whether a sentence may be shown. It is pure: it asks no model and reads no document; the caller
// verifies the quotes and hands in what was found.
package claims
