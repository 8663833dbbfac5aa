// Package hearing reads what people say to us, by rules alone: it cleans an event, says whether a message is for us, and
// which answer to our question it gives. It stores nothing and asks nobody.
package hearing
