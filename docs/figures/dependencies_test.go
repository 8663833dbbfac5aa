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
		{"list all packages", "dependency requests = ==2.31.0 @2; dependency scikit-learn = >=1.2,<2 @3; dependency flask =  @5; not counted [-r more.txt]"},
		{"version of scikit-learn", "dependency scikit-learn = >=1.2,<2 @3"},
	})
	check(t, lined("requirements.txt", "The system must be fast.\nIt must be safe."), []ask{{"how many requirements", ""}})
}

// TestTheFileOfDependenciesIsNoDependency, nor is what runs the project, nor a plain word.
func TestTheFileOfDependenciesIsNoDependency(t *testing.T) {
	check(t, lined("go.mod", "module x\n\ngo 1.26\n\nrequire github.com/a/b v1.0.0"), []ask{
		{"Which Go modules do we depend on?", "dependency github.com/a/b = v1.0.0 @5"},
		{"how many dependencies are in go.mod", "dependencies = 1 @5"},
		{"which go version do we use", "dependency go = 1.26 @3"},
	})
	check(t, lined("package.json", "{\"engines\": {\"node\": \">=20\"},\n\"dependencies\": {\"which\": \"^4\",\n\"react\": \"18\"}}"), []ask{
		{"Which dependencies do we have?", "dependency which = ^4 @2; dependency react = 18 @3"},
		{"which node packages do we use", ""},
		{"which node version", "dependency node = >=20 @1"},
	})
}

// TestADependencyOfTwoSectionsIsOne.
func TestADependencyOfTwoSectionsIsOne(t *testing.T) {
	check(t, lined("package.json", "{\"peerDependencies\": {\"react\": \">=17\"},\n\"devDependencies\": {\"react\": \"18.2.0\",\n\"jest\": \"29\"}}"), []ask{
		{"how many dependencies", "dependencies = 2 @1-3"},
		{"which version of react", "dependency react peerDependencies = >=17 @1; dependency react devDependencies = 18.2.0 @2"},
	})
}

// TestAModuleThatIsReplaced is told with what it is replaced by.
func TestAModuleThatIsReplaced(t *testing.T) {
	check(t, lined("go.mod", "module x\nrequire (\n\tgithub.com/a/b v1.0.0\n\tgithub.com/c/d v1.1.0\n\tgithub.com/e/f v1.2.0\n)\nreplace github.com/a/b => ../b\nreplace (\n\tgithub.com/c/d v1.1.0 => github.com/me/d v1.9.0\n\tgithub.com/e/f v0.9.0 => ../f\n)"), []ask{
		{"which version of a/b", "dependency github.com/a/b = v1.0.0 → ../b @3"},
		{"which version of c/d", "dependency github.com/c/d = v1.1.0 → github.com/me/d v1.9.0 @4"},
		{"which version of e/f", "dependency github.com/e/f = v1.2.0 @5"},
	})
}

// TestRequirementsOfOtherFilesAreNotCounted, and it is said.
func TestRequirementsOfOtherFilesAreNotCounted(t *testing.T) {
	check(t, lined("requirements.txt", "-r base.txt\n--index-url https://x.example\nfoo==1.0 \\\n    --hash=sha256:abc\n-e ./own"), []ask{
		{"how many dependencies", "dependencies = 1 @3; not counted [-r base.txt -e ./own]"},
		{"version of foo", "dependency foo = ==1.0 @3"},
	})
}

// TestWhetherAPackageIsUsed is said where it is; where it is not, another file may have it.
func TestWhetherAPackageIsUsed(t *testing.T) {
	f := lined("package.json", "{\"dependencies\": {\"lodash\": \"^4\"}}")
	check(t, f, []ask{
		{"do we use lodash?", "dependency lodash = ^4 @1"},
		{"do we use react?", ""},
		{"lodash", ""},
		{"show lodash", ""},
	})
	if a, ok := Compute("do we use lodash?", f); !ok || !a.Bare {
		t.Error("another document may speak of it")
	}
}
