package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEverydayMessages plays what people write without a model. Each file of testdata/everyday is a
// setting; below the first "===" stand messages, each said in a fresh copy of it. -v prints the replies.
func TestEverydayMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/everyday/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no settings", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "\n===\n")
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		for _, message := range parts[1:] {
			said, _, _ := strings.Cut(message, "\n")
			t.Run(name+"/"+said, func(t *testing.T) {
				reply := play(t, parts[0]+"\n"+message).last
				t.Logf("%s\n%s", said, reply.Text)
				if reply.Text == "" {
					t.Error("no reply")
				}
				for _, denied := range []string{"is not in ", "are not in ", "was not said", "were not said", "nobody said"} {
					if strings.Contains(strings.ToLower(reply.Text), denied) {
						t.Errorf("it denies what it did not find: %s", reply.Text)
					}
				}
				if strings.HasPrefix(reply.Text, "Noted.") && strings.ContainsAny(said, "?？") {
					t.Errorf("a question is noted: %s", reply.Text)
				}
			})
		}
		t.Run(name+" with a model", func(t *testing.T) { withAModel(t, parts[0], parts[1:]) })
	}
}

// withAModel says the messages of a setting in one conversation with a model: each reaches it as it was written, and its reply
// is what people read.
func withAModel(t *testing.T, setting string, messages []string) {
	k := play(t, "model:\n"+otherwise+"\nend\n"+setting)
	for _, message := range messages {
		line, _, _ := strings.Cut(message, "\n")
		author, text, ok := strings.Cut(line, "> ")
		if !ok {
			continue
		}
		before := len(k.server.Requests())
		r := k.turn(author, text, ChoiceNone)
		if len(k.server.Requests()) != before+1 || r.Question != nil || r.Text != "Fine." || r.Understanding.Method != "model" {
			t.Errorf("%q: %d calls, %+v", text, len(k.server.Requests())-before, r)
			continue
		}
		if prompt := k.lastRequest().User(); !strings.Contains(prompt, "\ntext:\n"+text+"\n</request") {
			t.Errorf("%q was changed in %s", text, prompt[strings.Index(prompt, "<request"):])
		}
	}
}

// TestShownMessagesAreNotMissed: the names of columns above a row, and sentences beside the one that is cited, count as found.
func TestShownMessagesAreNotMissed(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("stock.csv", "name,city,units\nAlpha,Oslo,12\nBeta,Bonn,31\nGamma,Oslo,7\n")
	r := k.turn("Ada", "Which city is Beta in?", ChoiceNone)
	if !strings.Contains(r.Text, "Beta,Bonn,31") || strings.Contains(r.Text, "“city”") {
		t.Errorf("answered %q", r.Text)
	}
	if r := k.turn("Ada", "Which ZIP does Beta in Bonn have?", ChoiceNone); !strings.Contains(r.Text, "“ZIP”") || len(r.Citations) == 0 || r.Ledger.NotFound {
		t.Errorf("answered %q, not found %v", r.Text, r.Ledger.NotFound)
	}
}

// TestRowsThatOnlyTheirColumnsFit: a question that names no row is not answered by any row.
func TestRowsThatOnlyTheirColumnsFit(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("prices.csv", "item,price EUR,days\nFlyers,48.00,5\nStickers,79.00,7\n")
	if r := k.turn("Ada", "Which items have a good price?", ChoiceNone); len(r.Citations) > 0 || !r.Ledger.NotFound {
		t.Errorf("answered %q", r.Text)
	}
	if r := k.turn("Ada", "What costs 79 euros?", ChoiceNone); !strings.Contains(r.Text, "Stickers,79.00") || strings.Contains(r.Text, "Flyers") {
		t.Errorf("answered %q", r.Text)
	}
}

// TestWhatMayBeNoAnswerIsSaidSo: a row for something else, and words that stand nowhere together.
func TestWhatMayBeNoAnswerIsSaidSo(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.document("Acme_2018_10K.pdf", "The chief executive officer is Jim Old. He joined us in May.", "Deferred revenue 72,135 71,846\nPrepaid rent 1,200 1,100\n")
	k.document("Acme_2023_10K.pdf", "We closed the plant in Leeds in the spring of the year.", "Net sales 412,600 380,600\nInterest 12 14\n")
	for question, want := range map[string]string{
		"Who was the CEO in 2018?":              "I am not sure that this answers",
		"What was the turnover of Acme_2018?":   "I am not sure that this answers",
		"What was the turnover in Acme_2023?":   "I am not sure that this answers",
		"Where was the plant in Leeds closed?":  "",
		"Who is the CEO of the plant in Leeds?": "I am not sure that this answers",
	} {
		r := k.turn("Ada", question, ChoiceNone)
		if len(r.Citations) == 0 || want != "" && !strings.HasPrefix(r.Text, want) || want == "" && !strings.HasPrefix(r.Text, "This is what I found") {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
}

// TestWhatWasSaidOfAPlan: a later change and a line of who asks stand beside a document; of what is only pointed at nothing is shown.
func TestWhatWasSaidOfAPlan(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.document("plan.md", "# Trip\n\nBea brings the cool bag and the cups.\n\nStefan Bright has extension 204, on the first floor.\n\n# Next steps\n\n1. Hire a second mechanic by September.\n2. Clear out the garage in August.")
	for _, c := range [][2]string{
		{"What are the next steps?", "Clear out the garage"}, {"The second one, when is that?", "I did not find"},
		{"Ma fille est en quelle classe", "Je n'ai pas trouvé"}, {"Which extension does Stefan Bright have?", "extension 204"},
	} {
		if r := k.turn("Ada", c[0], ChoiceNone); !strings.Contains(r.Text, c[1]) {
			t.Errorf("%q: %q", c[0], r.Text)
		}
	}
	k = newTalk(t, "")
	k.chain.Model = nil
	k.document("plan.md", "Bea brings the cool bag and the cups.\n\nStefan Bright has extension 204, on the first floor.")
	k.say("Ada", "bea says she can't come after all")
	k.say("Ada", "stefan's extension changed to 209 last week")
	k.say("Ada", "Then we move it to Friday. Everybody ok? Pia writes to the customers")
	for question, want := range map[string]string{
		"Who brings the cool bag?": "can't come", "What is Stefan's extension?": "209", "Who writes to the customers?": "Pia writes",
	} {
		if r := k.turn("Ada", question, ChoiceNone); !strings.Contains(r.Text, want) {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
}

// TestWordsWithinStatements: which words make a question or an order of a text, and which point at something, in each language.
func TestWordsWithinStatements(t *testing.T) {
	for text, want := range map[string]bool{
		"le loyer est de combien":            true,
		"On peut livrer n'importe quel jour": false, "Die Firma, welche den Kran baut, heisst Otis": false, "Se paga cuanto antes": false,
	} {
		if got := asksUs(text); got != want {
			t.Errorf("asks: %q: %v", text, got)
		}
	}
	for text, want := range map[string]bool{
		"forward this to Bob": true, "schick das an Pia": true, "book a room": true, "can you send messages?": true,
		"forward looking statements": false, "schick mir den Vertrag": false, "order number": false,
	} {
		if got := acts(text); got != want {
			t.Errorf("acts: %q: %v", text, got)
		}
	}
}

// TestOnlyWhatBearsOnAQuoteStandsBesideIt: in German every noun has a capital, and "Die" is no name.
func TestOnlyWhatBearsOnAQuoteStandsBesideIt(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.document("vertrag.md", "Die Kündigungsfrist beträgt drei Monate zum Ende des Quartals.\n\nMilan bringt die Kühltasche und die Becher mit.\n\nWann das erste Treffen ist: am 4. Mai.")
	k.say("Ada", "die Heizung geht seit Monaten nicht")
	k.say("Ada", "Milan kann nicht kommen")
	for question, want := range map[string][2]string{
		"Wie lang ist die Kündigungsfrist?": {"drei Monate", "Heizung"}, "Wer bringt die Kühltasche?": {"Milan kann nicht", "Heizung"}, "Wann ist das erste Treffen?": {"4. Mai", "Heizung"},
	} {
		if r := k.turn("Ada", question, ChoiceNone); !strings.Contains(r.Text, want[0]) || strings.Contains(r.Text, want[1]) {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
}

// TestWhatTheNamedDocumentLacksIsSaid: another one that has it is no answer.
func TestWhatTheNamedDocumentLacksIsSaid(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.document("harbour_2018.txt", "The dividend was talked about at length by the members of the board.")
	k.document("harbour_2023.txt", "The dividend per share was 4 euros, paid in June.")
	r := k.turn("Ada", "What was the dividend per share paid in June in harbour_2018?", ChoiceNone)
	if strings.Contains(r.Text, "4 euros") || !strings.HasPrefix(r.Text, "I did not find “share”, “June” in harbour_2018.txt") {
		t.Errorf("answered %q", r.Text)
	}
}

// TestWhomATextSpeaksTo: "du" is German where a verb says so.
func TestWhomATextSpeaksTo(t *testing.T) {
	for text, want := range map[string]bool{
		"Kannst du Bilder lesen?": true, "du verstehst Deutsch?": true, "can you read this?": true, "Tu peux lire ?": true,
		"Quel est le prix du loyer ?": false, "taille du document": false, "l'adresse du bailleur": false, "what is the notice period?": false,
	} {
		if got := toUs(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestANameMeantAsAWord: what a document called like a word of the question does not say is looked for in the others.
func TestANameMeantAsAWord(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("prices.csv", "item,price\nFlyers,48.00\n")
	k.file("contract.txt", "The client pays 2,150 pounds per month plus VAT.\n")
	if r := k.turn("Ada", "Do the prices include VAT?", ChoiceNone); !strings.Contains(r.Text, "plus VAT") || !strings.Contains(r.Text, "I did not find a clear answer in prices.csv") {
		t.Errorf("answered %q", r.Text)
	}
}

// TestTheRecordStandsInForAModel that fails: what was decided has no other words to search for.
func TestTheRecordStandsInForAModel(t *testing.T) {
	k := newTalk(t, "otherwise:\nsay: x\nfault: 500\n")
	k.say("Bob", "We decided to use the blue banner.")
	if r := k.turn("Ada", "What did we decide?", ChoiceNone); !strings.HasPrefix(r.Text, english.instead) || !strings.Contains(r.Text, "blue banner") {
		t.Errorf("answered %q", r.Text)
	}
}

// TestAQuestionOfOneWord takes the sentence before it along; the paragraph that answers is shown.
func TestAQuestionOfOneWord(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("rules.txt", "Telephones stay in the locker during consultations.\n\nThe notice period is four weeks. After a year it is eight weeks. Keys are returned on the last day.\n")
	if r := k.turn("Ada", "I want to quit. How long do I have to stay?", ChoiceNone); !strings.Contains(r.Text, "eight weeks") {
		t.Errorf("answered %q", r.Text)
	}
}

// TestAGroupOfDocumentsIsQuotedOneByOne: of the offers, each that says something about what is asked has its part.
func TestAGroupOfDocumentsIsQuotedOneByOne(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	for name, offer := range map[string][3]string{"ferrum": {"roaster", "38,700", "two years"}, "aroma": {"roaster", "41,250", "three years"}, "torrefa": {"roaster", "35,980", "one year"},
		"cleanwell": {"window cleaning", "1,180", "no time"}} {
		k.document("offer_"+name+".md", "Subject\n\nWe offer the following "+offer[0]+".\n\nPrice\n\nThe price of the "+offer[0]+" is €"+offer[1]+" net.\n\nWarranty\n\nThe warranty lasts "+offer[2]+" from delivery.\n\nPlace\n\nThe court of Hamburg decides.")
	}
	k.document("minutes.txt", "The members set a budget of €45,000 for a roaster with a warranty.")
	r := k.turn("Ada", "How long is the warranty in the offers for a roaster?", ChoiceNone)
	for _, want := range []string{"two years", "three years", "one year"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("%s is not in %q", want, r.Text)
		}
	}
	if strings.Contains(r.Text, "1,180") || strings.Contains(r.Text, "45,000") {
		t.Errorf("what is not about them is in %q", r.Text)
	}
	if r := k.turn("Ada", "Which court do the offers name?", ChoiceNone); strings.Count(r.Text, "The court of Hamburg decides.") < 4 {
		t.Errorf("the same words of several are shown once: %q", r.Text)
	}
}

// TestWordsSideBySide: words that stand side by side in a question count more where they do so in a text, or in its title.
func TestWordsSideBySide(t *testing.T) {
	k := newTalk(t, "")
	k.document("report.pdf", "Coffee and suppliers\n\nThe old roaster failed its inspection on 6 October. Until another one is installed, a new contract has the coffee roasted in Aldwick.\n",
		"1 A new roaster\n\nThe cooperative buys an electric roaster from Ferrum & Sons for €38,700. Adopted with 7 votes to 1.\n")
	if r := k.turn("Ada", "Who supplies the new roaster?", ChoiceNone); !strings.Contains(r.Text, "Ferrum & Sons") {
		t.Errorf("answered %q", r.Text)
	}
	if r := k.turn("Ada", "section 5.02", ChoiceNone); !strings.Contains(r.Text, "I did not find “section 5.02”") || len(r.Citations) > 0 {
		t.Errorf("answered %q", r.Text)
	}
}

// TestSynonymsAloneAreTooLittle: a line of another conversation is quoted for a word of the question, not for one that only
// means the same.
func TestSynonymsAloneAreTooLittle(t *testing.T) {
	k := newTalk(t, "")
	k.say("Ben", "The interest rate is 4.1 percent.")
	k.thread++
	if r := k.turn("Ada", "What does it cost?", ChoiceNone); strings.Contains(r.Text, "4.1") {
		t.Errorf("answered %q", r.Text)
	}
	if r := k.turn("Ada", "What is the interest rate?", ChoiceNone); !strings.Contains(r.Text, "4.1") {
		t.Errorf("answered %q", r.Text)
	}
}

// TestAnOrderLeavesItsWords: what follows the verb of an order is looked for as it is written, whatever letters and signs it has.
func TestAnOrderLeavesItsWords(t *testing.T) {
	for request, want := range map[string]string{"shorter pls: dogs": "dogs", "explique : août": "août", "Erkläre: Übung": "Übung", "Explain. Rent": "Rent"} {
		if s := (&run{request: request}).soughtFor(); len(s.parts) != 1 || s.parts[0].word != want {
			t.Errorf("%q: %+v", request, s.parts)
		}
	}
}

// TestRowsOfWordsAreFound: a row needs no number to answer, in a table of any kind; it is quoted as the file has it.
func TestRowsOfWordsAreFound(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	for name, text := range map[string]string{
		"stock.csv": "Part,Lead,Stock\nBolt,fast,plenty\nGear,slow,none\n",
		"team.md":   "# Team\n\nOwner: Priya.\n\n| Module | Owner | State |\n|---|---|---|\n| Parser | Tom | done |\n| Sync | Ana | blocked |\n",
		"jobs.json": "{\n \"jobs\": [\n  {\n   \"id\": 7,\n   \"client\": \"Zenith\",\n   \"state\": \"paused\"\n  },\n  {\n   \"id\": 8,\n   \"client\": \"Acme\",\n   \"state\": \"paid\"\n  }\n ]\n}",
		"days.csv":  "name,pay,since\nBob,71000,2020-07-15\nEve,45000,2017-05-20\n",
	} {
		k.file(name, text)
	}
	k.new = nil
	for question, want := range map[string]string{
		"What is the stock of the Gear?": "> Gear,slow,none", "plenty": "**Bolt,fast,plenty**", "blocked?": "Sync | Ana | blocked", "Who is the owner of the Parser?": "Parser | Tom | done",
		"which jobs are paused?": `"client": "Zenith", "state": "paused`, "Bob?": "**Bob,71000,2020-07-15**",
	} {
		if r := k.turn("Ada", question, ChoiceNone); !strings.Contains(r.Text, want) {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
	if r := k.turn("Ada", "Did Bob get paid before 2018?", ChoiceNone); strings.Contains(r.Text, "**") || !strings.HasPrefix(r.Text, english.unsure) {
		t.Errorf("%q", r.Text)
	}
	if r := k.turn("Ada", "Who has pay over 50,000?", ChoiceNone); !strings.Contains(r.Text, "pay > 50,000:\n\nBob, pay: **71000** (cell B2) [1]") {
		t.Errorf("%q", r.Text)
	}
}

// TestWhetherIsNotToldByWords: no row is a yes, a bound is not compared with a number anywhere, and a year of the question is no amount.
func TestWhetherIsNotToldByWords(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("orders.csv", "date,who,item,state\n2024-02-01,Nora,lamp,shipped\n2025-03-01,Bar Sud,oven,open\n")
	k.file("terms.csv", "who,days to pay,discount\nNora,30,10\nBar Sud,14,5\n")
	k.document("report.pdf", "Marketing in 2015 was higher than what rivals spend.")
	k.new = nil
	for _, question := range []string{"did Nora pay for the lamp", "is Bar Sud on board since 2016?", "who has more than 10 days to pay", "how much did they spend on marketing in 2015"} {
		if r := k.turn("Ada", question, ChoiceNone); strings.Contains(r.Text, "> **") || strings.Contains(r.Text, "≥ 2016") {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
}

// TestARowIsNotJoinedToTheNext where its file has other rows too, and what a table's head names is not missing.
func TestARowIsNotJoinedToTheNext(t *testing.T) {
	for question, want := range map[string]string{"Wie hoch ist die Miete?": "> 28.05.2026;Ost;Miete Juni;-1.140,00;4.012,45 [1]", "Which order had a payment timeout?": `> **{"level":"error","msg":"payment gateway timeout","order":"A-17"}** [1]`,
		"What was the revenue of North in Q2?": "I did not find “revenue” in plan.csv"} {
		k := newTalk(t, "")
		k.chain.Model = nil
		name, text := "konto.csv", "Auszug;;;;\nTag;Name;Zweck;Betrag;Saldo\n03.05.2026;Werke;\"Strom\nZähler 4711\";-85,20;1.914,80\n15.05.2026;Weber;Gehalt Mai;3.250,00;5.152,45\n28.05.2026;Ost;Miete Juni;-1.140,00;4.012,45\n02.06.2026;Werke;\"Gas\";-64,00;3.948,45\n"
		switch {
		case strings.Contains(want, "order"):
			name, text = "events.jsonl", `{"level":"info","msg":"service started","version":"2.3.1"}`+"\n"+`{"level":"error","msg":"payment gateway timeout","order":"A-17"}`+"\n"+`{"level":"warn","msg":"disk 91% full","host":"db-2"}`+"\n"
		case strings.Contains(want, "plan"):
			name, text = "plan.csv", "Region,Q1,Q2\nNorth,120,130\nSouth,90,95\n"
		}
		k.file(name, text)
		if r := k.turn("Ada", question, ChoiceNone); !strings.Contains(r.Text, want) {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
}

// TestASearchIsNoFinding: what somebody searched for before is not what they said.
func TestASearchIsNoFinding(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("sales.csv", "Month,Region,Revenue\nJan,South,233\nMar,South,339\n")
	k.new = nil
	k.thread++
	k.say("Ada", "revenue of South in March")
	k.thread--
	if r := k.turn("Ada", "What was the revenue of South in March?", ChoiceNone); !strings.Contains(r.Text, "**Mar,South,339**") || strings.Contains(r.Text, "Jan") || strings.Contains(r.Text, "“revenue of South") {
		t.Errorf("%q", r.Text)
	}
}

// TestAFollowUpIsNotAnsweredByItself: numbers and words that say little without the question before are not looked for; what has
// words of its own is, and the reply says how it was taken.
func TestAFollowUpIsNotAnsweredByItself(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.document("orchard.txt", "The orchard yielded 41 tonnes of pears in 2019.\n\nIn 2018 there were 12 pickers, and in 1990 the barn burnt down.\n\nThe year of the first cider was a wet one.")
	for _, c := range [][2]string{
		{"How many tonnes of pears did the orchard yield in 2019?", "41 tonnes"}, {"and in 2018?", ""}, {"And when?", ""}, {"what about the year before?", ""},
		{"and the pickers?", "12 pickers"}, {"Wie viele Tonnen Birnen waren es 2019?", ""}, {"und 1990?", ""}, {"Combien de tonnes de poires en 2019 ?", ""}, {"et en 1990 ?", ""},
	} {
		r := k.turn("Ada", c[0], ChoiceNone)
		if follows := continues(c[0]); follows && c[1] == "" && len(r.Citations) > 0 || !strings.Contains(r.Text, c[1]) || follows && !byItself(r.Text) {
			t.Errorf("%q: %q", c[0], r.Text)
		}
	}
}

// TestAnOlderChangeIsNotTheLatest: lines that change what a document says stand among the others in the order they were said.
func TestAnOlderChangeIsNotTheLatest(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.document("harbour.txt", "Parking costs 6 euros a day.")
	k.say("Tom", "parking moved, visitors stand behind the mill")
	k.say("Mia", "parking costs 7 euros now")
	r := k.turn("Ada", "What does parking cost?", ChoiceNone)
	if tom, mia := strings.Index(r.Text, "Tom said"), strings.Index(r.Text, "Mia said"); tom < 0 || mia < tom {
		t.Errorf("%q", r.Text)
	}
}

// TestAQuestionOfItsOwnIsNoFollowUp, although it begins like one, or speaks to somebody as "Sie".
func TestAQuestionOfItsOwnIsNoFollowUp(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.document("moulin.txt", "Le moulin a ouvert en 1990.\n\nEl molino abrió en 1990.\n\nEin Liegeplatz kostet 40 Euro.\n\nUn parking est prévu pour les visiteurs.\n\nTo paint a boat takes two days.")
	for _, c := range [][2]string{
		{"Was kostet ein Liegeplatz?", "40 Euro"}, {"Wissen Sie, was ein Liegeplatz kostet?", "40 Euro"}, {"En quelle année le moulin a ouvert ?", "1990"}, {"¿En qué año abrió el molino?", "1990"},
		{"Y a-t-il un parking ?", "parking"}, {"How long does it take to paint a boat?", "two days"},
	} {
		if r := k.turn("Ada", c[0], ChoiceNone); byItself(r.Text) || !strings.Contains(r.Text, c[1]) || len(r.Citations) == 0 {
			t.Errorf("%q: %q", c[0], r.Text)
		}
	}
	if !continues("En quelle année ?") || !continues("¿Y en qué año?") {
		t.Error("follow-ups")
	}
}

// byItself reports whether a reply opens by saying that a follow-up was taken by itself, in any language.
func byItself(reply string) bool {
	for _, p := range phrasesIn {
		if strings.HasPrefix(reply, p.byItself) {
			return true
		}
	}
	return false
}

// TestRowsThatAreNotShownAreCounted, where all pages of the table were read, and a word that no row has is named.
func TestRowsThatAreNotShownAreCounted(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("crew.csv", "name,team,port\nAnders,rigging,Kiel\nBirte,rigging,Kiel\nCem,galley,Kiel\nDunja,rigging,Emden\nEmil,rigging,Emden\nFrauke,rigging,Kiel\nGerda,rigging,Kiel\nHeino,rigging,Kiel\nIda,rigging,Kiel\nJonte,rigging,Kiel\nKai,rigging,Emden\n")
	for question, want := range map[string]string{
		"Who is in rigging?": "… and 2 more", "galley": "Cem,galley,Kiel", "Wer ist in Kiel?": "Zeile 2, Zeile 3", "Who is the best in rigging?": "I did not find “best”",
	} {
		if r := k.turn("Ada", question, ChoiceNone); !strings.Contains(r.Text, want) || question == "galley" && strings.Contains(r.Text, "more") {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
}

// TestAMonthIsFoundInADateOfDigits, as tables have them.
func TestAMonthIsFoundInADateOfDigits(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.file("boats.csv", "boat,launched,owner\nHeron,2025-03-22,Mara\nGull,2025-11-02,Mara\n")
	for question, want := range map[string]string{"which boat of mara was launched in march": "Heron", "Welches Boot von Mara im November?": "Gull"} {
		if r := k.turn("Ada", question, ChoiceNone); len(r.Citations) == 0 || !strings.Contains(r.Citations[0].Quote, want) {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
}

// TestWhatIsBold holds all that is asked, and still holds; where there is such a place, those that hold less are left out.
func TestWhatIsBold(t *testing.T) {
	k := newTalk(t, "")
	k.chain.Model = nil
	k.document("harbour.md", "# Parking\n\nUntil 2024 parking cost 6 euros a day. That charge was dropped.\n\n# Office\n\nThe office opened at nine on Mondays. It now opens at ten.\n\n# Berths\n\nA berth in the north basin costs 40 euros. The keeper of the north gate is Ole Brandt, since 2023. The employment of the keeper expires in May.")
	k.document("kran.md", "# Rabatt\n\nBis März galt ein Rabatt von 5 Prozent für Vereine. Er ist entfallen.\n\n# Kran\n\nDer Kran hebt 12 Tonnen. Es gibt zwei Schlüssel.")
	for question, want := range map[string][2]string{
		"What does parking cost?":                           {"6 euros a day", "**Until"},
		"When does the office open on Mondays?":             {"It now opens", "**The office"},
		"Wie hoch ist der Rabatt für Vereine?":              {"entfallen", "**Bis"},
		"What does a berth in the north basin cost?":        {"**A berth in the north basin costs 40 euros.**", "**The keeper"},
		"Who is the keeper of the north gate for visitors?": {"I did not find “visitors”", "**The keeper"},
		"whats the deadline":                                {"I did not find “deadline”", "[1]"},
		"compare the two":                                   {"odel", "[1]"},
		"vergleiche die zwei":                               {"odel", "[1]"},
	} {
		if r := k.turn("Ada", question, ChoiceNone); !strings.Contains(r.Text, want[0]) || strings.Contains(r.Text, want[1]) {
			t.Errorf("%q: %q", question, r.Text)
		}
	}
}
