// Package reading holds the functions on text that memory and agent share: sentences, quotations, dates, numbers
// with units, languages, names, and what a question asks for. They are pure: the same text gives the same result, and they keep no
// state. Package rank decides which spellings are equal and which terms are searched for.
package reading
