// Package kit holds what several adapters share: how what was missed is caught up with, and what is stored
// compared with what a platform still shows (gap.go has the rules); lanes that keep the order of each
// channel; parts of long Markdown; tables as lines of code; JSON of which what fits is read; stored references to posts; links that go where they say; the words before a
// name; a pause that ends with its context.
package kit
