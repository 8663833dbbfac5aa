package say

// Thousands writes 8192 as 8,192.
func Thousands(n int) string { return english.Number(n) }

// Counted is a number of things in English: "1 message", "1,204 messages".
func Counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return Thousands(n) + " " + what
}
