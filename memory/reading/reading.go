// Package reading holds the functions on text that memory and agent share: sentences, quotations, dates, numbers
// with units, languages, names, and what a question asks for. They are pure: the same text gives the same result, and nothing is
// kept. What is equal, and what is searched for, is decided by package rank.
package reading
