package claims

import "testing"

func TestComputed(t *testing.T) {
	for _, c := range []struct {
		number     string
		written    []string
		cited, own []string
		want       bool
	}{
		{"25", []string{"120 - 95"}, []string{"120", "95"}, nil, true},
		{"26", []string{"120 - 95"}, []string{"120", "95"}, nil, false},
		{"25", []string{"120 - 95"}, []string{"120"}, nil, false},
		{"9%", []string{"(412,000 - 378,000) / 378,000 * 100"}, []string{"412000", "378000"}, nil, true},
		{"3.33", []string{"10 / 3 = 3.33"}, []string{"10", "3"}, nil, true},
		{"34000", nil, nil, []string{"412000", "378000"}, true},
		{"9%", nil, nil, []string{"412000", "378000"}, true},
		{"12%", nil, nil, []string{"412000", "378000"}, false},
		{"5", []string{"(2 + 3"}, []string{"2", "3"}, nil, false},
		{"5", []string{"10 / 0"}, []string{"10", "0"}, nil, false},
	} {
		if got := computed(c.number, c.written, c.cited, c.own); got != c.want {
			t.Errorf("%s from %v, %v: %v", c.number, c.written, c.own, got)
		}
	}
}
