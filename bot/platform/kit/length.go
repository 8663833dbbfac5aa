package kit

import "unicode/utf16"

// Length returns the length of a text in UTF-16 units. No chat service counts more than that.
func Length(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}
