package figures

import (
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// dependencies are what a project asks for: package.json, go.mod or requirements.txt.
type dependencies []dependency

type dependency struct {
	name, version string
	section       string // "dependencies", "devDependencies", "indirect", …; "" for none
	at            Place
}

func readDependencies(f File) source {
	t := textOf(f)
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
		switch {
		case len(l.path) == 2 && slices.Contains(sections, l.path[0]):
			d = append(d, dependency{l.path[1], l.value, l.path[0], t.at(l.at)})
		case len(l.path) == 2 && l.path[0] == "engines":
			d = append(d, dependency{l.path[1], l.value, l.path[0], t.at(l.at)})
		}
	}
	if d == nil {
		return nil
	}
	return d
}

func goMod(t *text) source {
	var d dependencies
	module, block := false, ""
	for line, at := range t.lines {
		line, comment, _ := strings.Cut(line, "//")
		fields := strings.Fields(line)
		if len(fields) > 0 && block == "" {
			switch fields[0] {
			case "module":
				module = true
			case "go", "toolchain":
				if len(fields) == 2 {
					d = append(d, dependency{fields[0], strings.TrimPrefix(fields[1], "go"), "engines", at})
				}
			}
			if len(fields) == 2 && fields[1] == "(" {
				block = fields[0]
				continue
			}
			if fields[0] != "require" {
				continue
			}
			fields = fields[1:]
		} else if block != "require" || len(fields) == 1 && fields[0] == ")" {
			if len(fields) == 1 && fields[0] == ")" {
				block = ""
			}
			continue
		}
		if len(fields) == 2 {
			section := ""
			if strings.TrimSpace(comment) == "indirect" {
				section = "indirect"
			}
			d = append(d, dependency{fields[0], fields[1], section, at})
		}
	}
	if !module {
		return nil
	}
	return d
}

var requirement = reading.Lazy(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*((?:===?|~=|!=|<=?|>=?)[^;#]*)?(?:[;#].*)?$`)

func requirements(t *text) source {
	var d dependencies
	for line, at := range t.lines {
		if line == "" || line[0] == '#' || line[0] == '-' {
			continue
		}
		m := requirement.FindStringSubmatch(line)
		if m == nil {
			return nil
		}
		d = append(d, dependency{m[1], strings.TrimSpace(m[2]), "", at})
	}
	if d == nil {
		return nil
	}
	return d
}

// own are the dependencies without what runs the project.
func (d dependencies) own() dependencies {
	return slices.DeleteFunc(slices.Clone(d), func(x dependency) bool { return x.section == "engines" })
}

func (d dependencies) answer(q *question) (Answer, bool) {
	var names []string
	for _, x := range d {
		names = append(names, x.name)
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
		case "use", "uses", "using", "require", "required", "requires", "need", "needs", "project", "which", "installed", "pinned":
		default:
			return word{}, false
		}
		return word{roles: []role{filler}}, true
	})
	q.vocabulary()
	if !q.only(aDependency, aVersion, opCount, opSum, which, value) {
		return Answer{}, false
	}
	var a Answer
	if len(found) > 0 {
		for _, i := range found {
			a.Rows = append(a.Rows, d[i].row())
		}
		return a, !q.has(opCount) && q.has(aVersion, aDependency) && !dev && !direct
	}
	if !q.has(aDependency) {
		return a, false
	}
	list := slices.DeleteFunc(d.own(), func(x dependency) bool {
		return dev && x.section != "devDependencies" || indirect && x.section != "indirect" || direct && x.section == "indirect"
	})
	if q.has(opCount) {
		at := Place{}
		if len(list) > 0 {
			at = list[0].at
			at.To = list[len(list)-1].at.To
		}
		a.Rows = []Row{{What: Dependencies, Value: strconv.Itoa(len(list)), Place: at}}
		return a, len(list) > 0
	}
	for _, x := range list {
		a.Rows = append(a.Rows, x.row())
	}
	return a, true
}

func (x dependency) row() Row {
	section := x.section
	if section == "dependencies" || section == "engines" {
		section = ""
	}
	return Row{What: Dependency, Of: x.name, Value: x.version, Group: section, Place: x.at}
}
