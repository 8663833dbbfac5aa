package docs

import "testing"

// TestNotesChartsAndDiagramsOfASlideAreRead, also where it has nothing else; not those of a hidden one, nor its number.
func TestNotesChartsAndDiagramsOfASlideAreRead(t *testing.T) {
	notes := func(text string) string {
		return `<p:notes><p:sp><p:nvSpPr><p:cNvPr id="2"/><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:sp>` +
			`<p:sp><p:nvSpPr><p:cNvPr id="3"/><p:nvPr><p:ph type="sldNum"/></p:nvPr></p:nvSpPr><a:p><a:fld><a:t>7</a:t></a:fld></a:p></p:sp></p:notes>`
	}
	data := archive(t, map[string]string{
		presentationPart:                   `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="x"/><p:sldId id="257" r:id="y"/><p:sldId id="258" r:id="z"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels":  `<Relationships><Relationship Id="x" Target="slides/slide1.xml"/><Relationship Id="y" Target="slides/slide2.xml"/><Relationship Id="z" Target="slides/slide3.xml"/></Relationships>`,
		"ppt/slides/slide1.xml":            `<p:sld><a:p><a:r><a:t>Plan</a:t></a:r></a:p></p:sld>`,
		"ppt/slides/slide2.xml":            `<p:sld show="0"><a:p><a:r><a:t>hidden</a:t></a:r></a:p></p:sld>`,
		"ppt/slides/slide3.xml":            `<p:sld><p:graphicFrame/></p:sld>`,
		"ppt/slides/_rels/slide1.xml.rels": `<Relationships><Relationship Id="a" Target="../notesSlides/notesSlide1.xml"/><Relationship Id="b" Target="../diagrams/data1.xml"/><Relationship Id="c" Target="../diagrams/drawing1.xml"/></Relationships>`,
		"ppt/slides/_rels/slide2.xml.rels": `<Relationships><Relationship Id="a" Target="../notesSlides/notesSlide2.xml"/></Relationships>`,
		"ppt/slides/_rels/slide3.xml.rels": `<Relationships><Relationship Id="a" Target="../charts/chart1.xml"/><Relationship Id="b" Target="../charts/chart1.xml"/></Relationships>`,
		"ppt/notesSlides/notesSlide1.xml":  notes("Say that it starts in May."),
		"ppt/notesSlides/notesSlide2.xml":  notes("secret"),
		"ppt/diagrams/data1.xml":           `<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Order</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Deliver</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>`,
		"ppt/diagrams/drawing1.xml":        `<dsp:drawing><a:p><a:r><a:t>Order</a:t></a:r></a:p></dsp:drawing>`,
		"ppt/charts/chart1.xml": `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales </a:t></a:r><a:r><a:t>2026</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>` +
			`<c:ser><c:tx><c:strRef><c:f>S!A1</c:f><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx="0"><c:v>4.3</c:v></c:pt><c:pt idx="1"><c:v>2.4000000000000004</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>` +
			`<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>South</c:v></c:pt></c:strCache></c:strRef></c:tx><c:val><c:numRef><c:numCache><c:pt idx="1"><c:v>7</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>` +
			`</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
	})
	slides, cut, err := readPPTX(data, 0)
	if err != nil || cut || len(slides) != 3 {
		t.Fatalf("%+v, %v, %v", slides, cut, err)
	}
	if want := "Plan\nOrder\nDeliver\nNotes:\nSay that it starts in May."; slides[0].Text != want {
		t.Errorf("got %q", slides[0].Text)
	}
	if want := "Sales 2026\n | North | South\nQ1 | 430%\nQ2 | 240% | 7"; slides[2].Text != want || slides[2].Label != "slide 3" {
		t.Errorf("got %q of %s", slides[2].Text, slides[2].Label)
	}
}
