package figures

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// dependencies are what a project asks for: package.json, go.mod or requirements.txt.
type dependencies struct {
	list    []dependency
	further []string // lines that bring others
}

type dependency struct {
	name, version string
	section       string // "dependencies", "devDependencies", "indirect", …; "" for none
	at            Place
}

func readDependencies(f File, t *text) source {
	switch name := strings.ToLower(f.Name); {
	case strings.HasSuffix(name, ".json"):
		return packageJSON(t)
	case strings.HasSuffix(name, ".mod"):
		return goMod(t)
	case strings.Contains(name, "requirements") && (strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".in")):
		return requirements(t)
	}
	return nil
}

var sections = []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}

func packageJSON(t *text) source {
	var d dependencies
	for _, l := range leaves(t.string) {
		if len(l.path) == 2 && (l.path[0] == engines || slices.Contains(sections, l.path[0])) {
			d.list = append(d.list, dependency{l.path[1], l.value, l.path[0], t.at(l.at)})
		}
	}
	return d.orNil()
}

const engines = "engines" // the section of what runs the project

func (d dependencies) orNil() source {
	if len(d.list) == 0 {
		return nil
	}
	return d
}

func goMod(t *text) source {
	var d dependencies
	module, block := false, ""
	replaced := map[string]string{} // modules, with their version if only that is
	for line, at := range t.lines {
		line, comment, _ := strings.Cut(line, "//")
		fields, directive := strings.Fields(line), block
		switch {
		case len(fields) == 0:
			continue
		case block == "":
			directive, fields = fields[0], fields[1:]
			if slices.Equal(fields, []string{"("}) {
				block = directive
				continue
			}
		case fields[0] == ")":
			block = ""
			continue
		}
		switch {
		case directive == "module":
			module = true
		case (directive == "go" || directive == "toolchain") && len(fields) == 1:
			d.list = append(d.list, dependency{directive, strings.TrimPrefix(fields[0], "go"), engines, at})
		case directive == "require" && len(fields) == 2:
			section := ""
			if strings.TrimSpace(comment) == "indirect" {
				section = "indirect"
			}
			d.list = append(d.list, dependency{fields[0], fields[1], section, at})
		case directive == "replace":
			if i := slices.Index(fields, "=>"); i > 0 {
				replaced[strings.Join(fields[:i], " ")] = strings.Join(fields[i+1:], " ")
			}
		}
	}
	for i, x := range d.list {
		if by := cmp.Or(replaced[x.name+" "+x.version], replaced[x.name]); by != "" {
			d.list[i].version += " → " + by
		}
	}
	if !module {
		return nil
	}
	return d.orNil()
}

var requirement = reading.Lazy(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*((?:===?|~=|!=|<=?|>=?)[^;#]*)?(?:[;#].*)?$`)

func requirements(t *text) source {
	var d dependencies
	for line, at := range t.lines {
		line = strings.TrimSpace(strings.TrimSuffix(line, "\\"))
		if reference.MatchString(line) {
			d.further = append(d.further, line)
		}
		if line == "" || line[0] == '#' || line[0] == '-' {
			continue
		}
		line, _, _ = strings.Cut(line, " --")
		m := requirement.FindStringSubmatch(line)
		if m == nil {
			return nil
		}
		d.list = append(d.list, dependency{m[1], strings.TrimSpace(m[2]), "", at})
	}
	return d.orNil()
}

// reference is a line that names further requirements: another file, or a project.
var reference = reading.Lazy(`^(?:-r|--requirement|-e|--editable)\b`)

// asideWords are those of a question about dependencies that say nothing more.
var asideWords = reading.WordSet(`require required requires need needs project which pinned dev development direct indirect`)

func (d dependencies) answer(q *question) (Answer, bool) {
	q.fileName(false)
	versions := slices.ContainsFunc(q.words, func(w word) bool { return slices.Contains(roles()[w.text], aVersion) })
	var names []string
	for _, x := range d.list {
		plain := len(roles()[x.name]) > 0 || asideWords[x.name]
		if !plain && (versions || x.section != engines) && !slices.Contains(names, x.name) {
			names = append(names, x.name)
		}
	}
	found := q.named(names)
	dev, indirect, direct := false, false, false
	q.each(1, func(run []string) (word, bool) {
		switch run[0] {
		case "dev", "development":
			dev = true
		case "indirect":
			indirect = true
		case "direct":
			direct = true
		}
		return word{roles: []role{filler}}, asideWords[run[0]]
	})
	q.vocabulary()
	if !q.only(aDependency, aVersion, opCount, opSum, aUse, which, value) {
		return Answer{}, false
	}
	var a Answer
	if len(found) > 0 {
		for _, i := range found {
			for _, x := range d.list {
				if x.name == names[i] {
					a.Rows = append(a.Rows, x.row())
				}
			}
		}
		a.Bare = !q.has(aVersion, aDependency)
		return a, !q.has(opCount) && (!a.Bare || q.has(aUse)) && !dev && !direct
	}
	if !q.has(aDependency) {
		return a, false
	}
	list := slices.DeleteFunc(slices.Clone(d.list), func(x dependency) bool {
		return x.section == engines || dev && x.section != "devDependencies" || indirect && x.section != "indirect" || direct && x.section == "indirect"
	})
	if len(list) == 0 {
		return a, false
	}
	a.Further = d.further
	if q.has(opCount) {
		at := list[0].at
		at.To = list[len(list)-1].at.To
		different := map[string]bool{}
		for _, x := range list {
			different[x.name] = true
		}
		a.Rows = []Row{{What: Dependencies, Value: strconv.Itoa(len(different)), Place: at}}
		return a, true
	}
	for _, x := range list {
		a.Rows = append(a.Rows, x.row())
	}
	return a, true
}

func (x dependency) row() Row {
	section := x.section
	if section == "dependencies" || section == engines {
		section = ""
	}
	return Row{What: Dependency, Of: x.name, Value: x.version, Group: section, Place: x.at}
}
