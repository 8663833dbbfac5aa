package reading

import "testing"

// TestFits compares numbers as claims write them with those of a document.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		claim, document string
		scale           int
		want            bool
	}{
		{"$6.78 billion", "6,779,511", 3, true},
		{"about $7 billion", "6,779,511", 3, true},
		{"more than 6.7 billion", "6,779,511", 3, true},
		{"6,779,511", "6,779,511", 3, true},
		{"$6,779,511,000", "6,779,511", 3, true},
		{"$6.78 million", "6,779,511", 3, false},
		{"$122,641 million", "122,641", 3, false},
		{"$(203.1) million", "(203,136)", 3, true},
		{"6.87 billion", "6,779,511", 3, false},
		{"$80 to $100 million", "$80 million to $100 million", -1, true},
		{"from $950 to $1.2 million", "$950 million", -1, false},
		{"5.4%", "5.4", -1, true},
		{"5.4%", "5.4 euros", -1, false},
		{"120 basis points", "1.2%", -1, true},
		{"84,3 Mio. EUR", "84.312", 3, true},
		{"6.940 Mio. EUR", "6.940", 3, false},
		{"30 days", "thirty days", -1, true},
		{"30 days", "30 months", -1, false},
		{"EUR 5", "$5", -1, false},
		{"$52 crore", "Rs. 52 crore", -1, false},
		{"Rs. 52 lakh", "Rs. 52 crore", -1, false},
		{"Rs. 4.2932 crore", "Rs. 4,29,32,000", -1, true},
		{"Rs. 88.73 crore", "8,873.49", 5, true},
		{"3 May 2023", "2023-05-03", -1, true},
		{"3 May 2023", "2023-05-04", -1, false},
		{"1,254億円", "125,430", 6, true},
	} {
		_, q := Quantities(c.claim)
		_, v := Quantities(c.document)
		if len(q) == 0 || len(v) == 0 {
			t.Errorf("%s, %s: no numbers", c.claim, c.document)
		} else if got := q[0].Fits(v[0], c.scale); got != c.want {
			t.Errorf("%s for %s with scale %d: %v, want %v", c.claim, c.document, c.scale, got, c.want)
		}
	}
}
