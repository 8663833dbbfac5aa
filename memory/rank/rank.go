// Package rank turns text into search terms and scores texts against a query.
//
// It owns the one definition of a word that documents, messages, citation checks and
// ambiguity checks share: [Fold] and [Words] decide which spellings are equal, [Terms]
// what is searched for and [Stored] what is found, [Table] how well a stored text fits a query, [Numbers] and
// [Names] what a claim must find in its source. It keeps no state and contains no SQL.
//
// A stored text is its terms joined by single spaces. A full-text index over that column
// must split at spaces only: terms hold letters of any script, digits and, inside numbers,
// a full stop.
package rank
