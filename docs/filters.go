package docs

import (
	"encoding/xml"
	"maps"
	"slices"
	"strings"
)

const maxFilters = 100 // of a sheet

// filters are the ranges of a sheet of which a filter shows some rows: anybody can have it show the others.
type filters struct {
	ranges []merged
	ref    string // of the range whose filters follow
}

func (f *filters) add(t xml.StartElement) {
	switch t.Name.Local {
	case "autoFilter":
		f.ref = attr(t, "ref")
	case "filters", "customFilters", "dynamicFilter", "top10", "colorFilter", "iconFilter": // a column that is not filtered has none
		if m, ok := mergedOf(f.ref); ok && len(f.ranges) < maxFilters {
			f.ranges = append(f.ranges, m)
		}
	}
}

// withoutHidden takes the hidden rows out of those of a sheet, but for those that its filters or the filters of its tables hide. A
// table that cannot be read hides none.
func (w *workbook) withoutHidden(rows []sheetRow, part string, f filters) []sheetRow {
	if !slices.ContainsFunc(rows, func(r sheetRow) bool { return r.unseen }) {
		return rows
	}
	targets, _ := w.relations(part)
	for _, target := range slices.Compact(slices.Sorted(maps.Values(targets))) {
		if strings.Contains(target, "/tables/") {
			_ = w.walk(target, maxXML, func(token xml.Token) error {
				if t, is := token.(xml.StartElement); is {
					f.add(t)
				}
				return nil
			})
		}
	}
	return slices.DeleteFunc(rows, func(r sheetRow) bool {
		filtered := slices.ContainsFunc(f.ranges, func(m merged) bool { return m.from < r.number && r.number <= m.to })
		if r.unseen && !filtered {
			w.omitted = HiddenRows
		}
		w.filtered = w.filtered || r.unseen && filtered
		return r.unseen && !filtered
	})
}
