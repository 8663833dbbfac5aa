package slack

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// handled are the event types that event.go has a case for.
func handled(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(gotoken.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "callback" && fn.Name.Name != "other" {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				for _, e := range c.List {
					if lit, ok := e.(*ast.BasicLit); ok {
						name, err := strconv.Unquote(lit.Value)
						if err != nil {
							t.Fatal(err)
						}
						all = append(all, name)
					}
				}
			}
			return true
		})
	}
	return all
}

// TestSubscriptionsAreWhatIsHandled: an event that is handled and not subscribed to
// never comes, and one that is subscribed to and not handled is noise.
func TestSubscriptionsAreWhatIsHandled(t *testing.T) {
	unasked := []string{"event_callback", "app_rate_limited", "user_profile_changed"} // envelopes, and what comes as user_change as well
	known := handled(t)
	var subscribed []string
	for _, n := range slices.Concat(subscriptions(true), subscriptions(false)) {
		kind, _, _ := strings.Cut(n.Name, ".") // message.im is told as message
		subscribed = append(subscribed, kind)
		if !slices.Contains(known, kind) {
			t.Errorf("%s is subscribed to and not handled", n.Name)
		}
	}
	for _, k := range known {
		if !slices.Contains(subscribed, k) && !slices.Contains(unasked, k) {
			t.Errorf("%s is handled and not subscribed to", k)
		}
	}
}
