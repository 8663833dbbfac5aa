package figures

import "testing"

func TestDependencies(t *testing.T) {
	check(t, lined("package.json", "{\"name\": \"app\",\n\"dependencies\": {\n \"react\": \"^18.2.0\",\n \"@types/node\": \"20.1.0\"},\n\"devDependencies\": {\"jest\": \"29\"}}"), []ask{
		{"which dependencies are there?", "dependency react = ^18.2.0 @3; dependency @types/node = 20.1.0 @4; dependency jest devDependencies = 29 @5"},
		{"how many dev dependencies", "dependencies = 1 @5"},
		{"What version of react do we use?", "dependency react = ^18.2.0 @3"},
		{"which version of @types/node", "dependency @types/node = 20.1.0 @4"},
		{"which version of lodash", ""},
		{"is react any good?", ""},
	})
	check(t, lined("go.mod", "module x\n\ngo 1.26\n\nrequire (\n\tgolang.org/x/net v0.59.0 // indirect\n\tgithub.com/a/b v1.0.0\n)\n\nrequire c.org/d v2.0.0"), []ask{
		{"how many dependencies", "dependencies = 3 @6-10"},
		{"list direct dependencies", "dependency github.com/a/b = v1.0.0 @7; dependency c.org/d = v2.0.0 @10"},
		{"version of x/net", "dependency golang.org/x/net indirect = v0.59.0 @6"},
		{"which go version", "dependency go = 1.26 @3"},
	})
	check(t, lined("requirements.txt", "# tools\nrequests[socks]==2.31.0\nscikit-learn>=1.2,<2 ; python_version > \"3.8\"\n-r more.txt\nflask"), []ask{
		{"list all packages", "dependency requests = ==2.31.0 @2; dependency scikit-learn = >=1.2,<2 @3; dependency flask =  @5"},
		{"version of scikit-learn", "dependency scikit-learn = >=1.2,<2 @3"},
	})
	check(t, lined("requirements.txt", "The system must be fast.\nIt must be safe."), []ask{{"how many requirements", ""}})
}
