package reading

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled when it is first used: the program has hundreds of them, and compiling all
// takes longer than answering a question.
type Regexp struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

// Lazy returns a regular expression; its first use panics if it cannot be parsed. The compiler lays it out: a start pays nothing for it.
func Lazy(expr string) *Regexp { return &Regexp{expr: expr} }

func (r *Regexp) compiled() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.expr) })
	return r.re
}

// The methods are those of regexp.Regexp.

func (r *Regexp) MatchString(text string) bool      { return r.compiled().MatchString(text) }
func (r *Regexp) FindString(text string) string     { return r.compiled().FindString(text) }
func (r *Regexp) FindStringIndex(text string) []int { return r.compiled().FindStringIndex(text) }
func (r *Regexp) FindStringSubmatch(text string) []string {
	return r.compiled().FindStringSubmatch(text)
}
func (r *Regexp) FindStringSubmatchIndex(text string) []int {
	return r.compiled().FindStringSubmatchIndex(text)
}
func (r *Regexp) FindAllString(text string, n int) []string {
	return r.compiled().FindAllString(text, n)
}
func (r *Regexp) FindAllStringIndex(text string, n int) [][]int {
	return r.compiled().FindAllStringIndex(text, n)
}
func (r *Regexp) FindAllStringSubmatch(text string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(text, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(text string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(text, n)
}
func (r *Regexp) ReplaceAllString(text, with string) string {
	return r.compiled().ReplaceAllString(text, with)
}
func (r *Regexp) ReplaceAllStringFunc(text string, with func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(text, with)
}
func (r *Regexp) Split(text string, n int) []string { return r.compiled().Split(text, n) }
