package agent

import (
	"context"
	"strings"
	"testing"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

// Requests that lack what they depend on, said at the beginning of a conversation.
const ambiguousRequests = `
I have a dataset of 10k customers
I need to find out who will leave
I want to write a Python function to scrape data from a news website
Champions League (C1)
Deploy FastAPI app
We have 3 years of sensor readings
I've got a spreadsheet of expenses
I have a list of suppliers and their prices
We have a folder of scanned invoices
I have 500 survey responses.
My logs from last night
We want to predict which machines will fail
I need to figure out why sales dropped
I want to build a chatbot
I'd like to create a newsletter
Help me write a cover letter
Can you help me with a presentation?
Set up a database
Migrate the server
Write a report
Create a logo
Plan a workshop
Translate this
Fix it
Make it shorter
Is it cheaper?
Which one is better?
What is the difference?
How does it compare?
Kubernetes
Solar panels
World Cup 2026
Quarterly turbine maintenance
GDPR compliance
Electric bikes vs
Wien Hauptbahnhof
Optimize the query
Please design a landing page
I need a plan
I need a script that cleans data
Ich habe einen Datensatz mit Kundendaten
Ich habe 200 Rechnungen
Ich möchte eine App entwickeln
Ich will herausfinden, wer kündigen wird
Erstelle ein Dashboard
Schreibe einen Bericht
Wärmepumpen
Was ist besser?
J'ai un fichier de ventes
J'ai une base de 5000 clients
Je veux créer un site web
Je voudrais prédire les ventes
Écris un rapport
Déployer l'application
Quelle est la différence ?
Énergie solaire
Tengo un archivo de ventas
Tengo 300 encuestas
Quiero construir una aplicación
Necesito averiguar quién se irá
Crea un informe
¿Cuál es mejor?
Ho un dataset di clienti
Voglio creare un sito web
Scrivi una relazione
Qual è meglio?
Tenho uma planilha de vendas
Quero criar um aplicativo
Escreva um relatório
Qual é melhor?
Ik heb een dataset met klanten
Ik wil een app bouwen
Schrijf een rapport
Wat is beter?
`

// Messages to be answered without asking, said at the beginning of a conversation.
const clearRequests = `
Hello!
Good morning everyone
Thanks a lot!
ok
Great, that works
Yes please
no
What is the capital of Chad?
How do I reverse a list in Python?
Who wrote the Odyssey?
Why is the sky blue?
Could you tell me what a lathe is?
Can you tell me a joke?
Can you explain what an API is?
Kannst du mir sagen, was eine Drehbank ist?
¿Puedes explicarme qué es un torno?
Peux-tu m'expliquer ce qu'est un tour ?
When did the Berlin Wall fall?
How many days are in a leap year?
What does HTTP 502 mean?
What is the difference between TCP and UDP?
Which is better for a blog, WordPress or Hugo?
Compare PostgreSQL and MySQL for analytics
Is tea healthier than coffee?
Is it possible to run two versions of Python on one machine?
Is it raining in Oslo?
What time is it in Tokyo?
It is raining here.
It's my birthday today
I have a meeting at noon.
I have a headache
I have two kids and a dog
I have a question about Go channels: do they block when full?
I have a dentist appointment on Tuesday
I have a car that needs new tyres by May
We have decided to move to Lyon
We have a new colleague, her name is Ines
We have an office in Porto with forty desks, and the lease ends in June
My favourite colour is teal
My name is Priya and I live in Pune
I live in Lisbon
I prefer short answers
I like jazz
I work as a nurse
Our deadline is 14 May
The server is called heron-2
The password for the guest wifi is blue-otter-88
Remember that the invoice number is INV-2203
Please remember: the gate code is 4471
Note: Tomas is on leave until Friday
Project Alder starts on 3 March.
The launch was moved to October
Anna will call the supplier tomorrow.
I moved to Berlin last year
I finished the migration yesterday
I am allergic to nuts
He arrives on Monday at ten.
It was a great trip
Write a haiku about rain using the word silver
Write a Python function that returns the n-th Fibonacci number
Write a limerick about a cat that hates Mondays
Write a birthday message for my sister Carla who turns 30
Translate "good night" into Japanese
Translate this to French: The train is late.
Fix this: for i in range(10) print(i)
Explain recursion to a ten-year-old
Explain how photosynthesis works
Give me three synonyms for happy
List the planets of the solar system
Tell me a joke
Tell me about the history of Venice
Summarise the plot of Hamlet
Calculate 17 * 23
Convert 5 miles to kilometres
Convert 20 USD to EUR
Plan a three-day trip to Rome for two adults who like food
Create a SQL table for users with id, name and email
Create a regex that matches ISO dates
Build a Dockerfile for a Node 22 app that listens on port 3000
Deploy the FastAPI app in ./api to Fly.io with two machines
Generate a random password with 16 characters
Draft an email to Ben that says the delivery is two days late
Sort these numbers: 5, 3, 9, 1
Set a reminder for 9 am tomorrow
Show me what you can do
What can you do?
Can you speak Spanish?
How are you?
Who are you?
How does it feel to be an AI?
What should I cook tonight with rice and eggs?
Should I use tabs or spaces in Go?
What is the best way to learn the piano?
What is the meaning of life?
Do you remember what I said about the budget?
What did we decide about the logo?
What is my favourite colour?
Where do I live?
What is the wifi password?
What is the next step?
Stop
Continue
Never mind
help
42
???
:-)
lol
SELECT name, count(*) FROM users GROUP BY name;
def add(a, b): return a + b
https://example.org/report
Traceback (most recent call last): KeyError: 'id'
panic: runtime error: index out of range [3] with length 3
I want to scrape https://news.example.org with Python and store title and date in SQLite
I want to predict churn with logistic regression from the columns age, plan and last_login
I need to know the boiling point of ethanol
I want to know who won the 1998 World Cup
I would like to thank you for your help
I need to leave early today
I want to go home
I need to buy milk on the way home
Wie hoch ist der Eiffelturm?
Was ist der Unterschied zwischen HTTP und HTTPS?
Ich habe einen Termin um drei.
Ich habe Hunger
Ich wohne in Graz
Mein Lieblingstier ist der Otter
Danke schön!
Unsere Besprechung ist am Montag
Schreibe ein Gedicht über den Herbst mit dem Wort Nebel
Wie geht es dir?
Gibt es Leben auf dem Mars?
Merk dir: der Code ist 4711
Übersetze „guten Morgen“ ins Polnische
Ich möchte wissen, wann der Zug nach Linz fährt
Quelle est la capitale du Pérou ?
Merci beaucoup !
J'ai un rendez-vous à midi
J'habite à Nantes
Y a-t-il de la vie sur Mars ?
Mon numéro de dossier est 7731
Écris un poème sur la mer avec le mot vent
Quelle est la différence entre un virus et une bactérie ?
¿Cuál es la capital de Bolivia?
Tengo una reunión a las cinco
Tengo hambre
Vivo en Sevilla
Gracias por todo
Mi color favorito es el verde
¿Qué es mejor para un blog, WordPress o Hugo?
Qual è la capitale del Perù?
Ho fame
Abito a Torino
Grazie mille
Qual é a capital do Peru?
Moro em Braga
Obrigado!
Tenho uma reunião às dez
Wat is de hoofdstad van Peru?
Ik woon in Gent
Dank je wel
Ik heb honger
Ik heb om drie uur een afspraak
`

func TestWhatIsAskedAbout(t *testing.T) {
	check := func(list string, want bool) {
		for text := range strings.SplitSeq(strings.TrimSpace(list), "\n") {
			r := &run{Chain: &Chain{Clarify: ClarifyWhenHelps}, say: speak(text), request: text, history: &memory.History{},
				turn: Turn{Messages: []*memory.Message{{Text: text}}}}
			r.understand()
			q, err := r.ask(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if (q != nil) != want {
				t.Errorf("%q: asked about: %v, as %q", text, q != nil, r.understanding.Reason)
			}
			if q == nil {
				continue
			}
			u := r.understanding.Understanding
			if n := len(q.Options); n < 2 || n > maxOptions || len(u.PossibleInterpretations) != n || len(u.ClarifyingQuestions) != 1 || !u.IsAmbiguous {
				t.Errorf("%q: %d options, %+v", text, n, u)
			}
			for _, o := range q.Options {
				if !strings.Contains(rank.Fold(o.Query), rank.Fold(strings.TrimRight(strings.TrimSpace(text), ".?! "))) {
					t.Errorf("%q: the option %q loses the request: %q", text, o.Label, o.Query)
				}
			}
		}
	}
	check(ambiguousRequests, true)
	check(clearRequests, false)
}
