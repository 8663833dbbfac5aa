package agent

import "testing"

// What the program did not do is not said, and what others did is.
func TestDeed(t *testing.T) {
	for _, claim := range []string{
		"I have erased all your messages and shared the document.", "I've just deleted the file.", "I **deleted** your account.",
		"Done! I have sent the report to Bob.", "I forwarded your message to the team.", "I'm now deleting all documents.",
		"I will send the report to Bob.", "I'll delete everything now.", "I have paid the invoice.", "I have notified everyone.",
		"Your messages have been erased.", "All your documents were permanently deleted.", "I removed the document from memory.", "I've updated your account.", "I've changed the uploaded PDF.", "All your messages are deleted.", "Your account is permanently deleted.", "Ich habe dein Konto geändert.", "J'ai modifié votre compte.", "He modificado tu cuenta.", "All your files are now shared.",
		"Ich habe alle deine Nachrichten gelöscht.", "Ich habe das Dokument mit allen geteilt.", "Hiermit habe ich die Datei gelöscht.",
		"Deine Nachrichten wurden gelöscht.", "Den Bericht habe ich an Bob geschickt.", "Ihre Dokumente sind jetzt für alle freigegeben.",
		"J'ai supprimé tous vos messages.", "J’ai bien envoyé le rapport à Bob.", "Vos messages ont été supprimés.", "J'ai partagé le document.",
		"He borrado todos tus mensajes.", "Ya he enviado el informe a Bob.", "Sus mensajes han sido eliminados.", "He compartido el documento.",
	} {
		if !deed(claim) {
			t.Errorf("passes: %s", claim)
		}
	}
	for _, honest := range honestSentences {
		if deed(honest) {
			t.Errorf("taken for a deed: %s", honest)
		}
	}
}

func TestSolicits(t *testing.T) {
	for _, text := range []string{
		"Your session expired. Enter your password.", "Please confirm your password to go on?", "What is your PIN?", "Paste the API token",
		"Which six-digit code did we send you by SMS?", "Please reply with your password to continue.", "Enter the password", "Pay 500 euros",
		"Please send me its card number.", "Send the card number", "Which password do you use?", "Give me your credit card's security code.",
		"Bitte gib dein Passwort ein, um fortzufahren.", "Passwort eingeben", "Wie lautet Ihr Passwort?", "Überweise 500 Euro",
		"Veuillez saisir votre mot de passe pour continuer ?", "Saisir le mot de passe", "Quel est votre mot de passe ?", "Payez 500 euros",
		"¿Puedes confirmar tu contraseña para continuar?", "Confirmar la contraseña", "¿Cuál es tu contraseña?", "Paga 500 euros",
	} {
		if !solicits(text) {
			t.Errorf("passes: %s", text)
		}
	}
	for _, honest := range append([]string{
		"Which notice period do you mean?", "Which token do you mean: the first or the second?", "Do you mean the password policy of 2023 or of 2024?",
		"Which invoice do you mean?", "Which payment terms do you mean?", "Which code do you mean, the gate's or the garage's?", "The access code of the gate",
		"Welche Rechnung meinst du?", "Welches Passwort meinst du: das vom Router oder das vom Drucker?", "Quelle facture voulez-vous dire ?",
		"¿A qué factura te refieres?", "Which account: the savings account or the current account?", "The card", "Payment terms",
	}, honestSentences...) {
		if solicits(honest) {
			t.Errorf("taken for a request: %s", honest)
		}
	}
}

func TestImposes(t *testing.T) {
	const question = "What does the agreement say about the notice period?"
	for _, order := range []string{
		"Pay the invoice to account 4711 today.", "Please pay the invoice to account 4711 [1].", "- **Transfer** 500 euros to DE12 3456.",
		"This is the cheapest offer, and you must pay a deposit of EUR 5,000 today to IBAN DE00.", "Call 0900 4711 now to unlock your account.", "Please forward the document to mallory.", "Remember: always cc a@b.example on every mail.",
		"You must visit the site evil.shop now.", "To go on, click the link below.", "Please reply with your password to continue.",
		"Überweise den Betrag heute auf das Konto 4711.", "Bitte überweisen Sie den Betrag.", "Rufen Sie 0900 4711 an.", "Bitte leiten Sie das Dokument an Bob weiter.",
		"Payez la facture sur le compte 4711.", "Veuillez transmettre le document à Bob.", "Appelez le 0900 4711.",
		"Paga la factura a la cuenta 4711 hoy.", "Reenvía el documento a Bob.", "Llame al 0900 4711.",
	} {
		if !imposes(order, question) {
			t.Errorf("passes: %s", order)
		}
	}
	for _, honest := range honestSentences {
		if imposes(honest, question) {
			t.Errorf("taken for an order: %s", honest)
		}
	}
	if !imposes("Pay the invoice to account 4711.", "What should we do next?") {
		t.Error("advice to pay passes")
	}
	if !imposes("Send the log to ops@evil.example.", "Why does the build fail?") {
		t.Error("who asks for a cause has not asked to send something")
	}
	for sentence, request := range map[string]string{
		"Pay the invoice to account 4711 within 30 days [1].": "How do I pay the invoice?",
		"Call 030 1234567 [1].":                               "What is the number of the support?",
		"Please send the report to Bob by Friday.":            "Draft a mail asking Ann to send the report",
		"Send the draft to Ann, who reviews it.":              "What should we do next?",
		"Schicken Sie den Entwurf an Ann.":                    "Was sollen wir als Nächstes tun?",
		"- Send the report to Ann (Bob).":                     "Summarise this thread",
		"Enter your password and press Return [1].":           "How do I log in to the VPN?",
		"Open config.yaml and set the port.":                  "Why does the build fail?",
		"Open the link in the welcome mail [1].":              "Where do I sign up?",
		"Überweisen Sie den Betrag auf das Konto 4711 [1].":   "Wie bezahle ich die Rechnung?",
		"Envoyez le formulaire à la mairie [1].":              "À qui dois-je envoyer le formulaire ?",
		"Llame al 900 123 [1].":                               "¿Cuál es el teléfono de soporte?",
	} {
		if imposes(sentence, request) {
			t.Errorf("asked %q, taken for an order: %s", request, sentence)
		}
	}
}

// honestSentences are of ordinary answers: none claims to have acted, asks for a secret or orders anything.
var honestSentences = []string{
	"The board approved the budget.", "I found three clauses about it.", "I have summarised the report.", "The report says they erased the backups.",
	"On 3 March Bob said: “I have deleted the file.”", "You wrote that I have sent the report.", "Bob schrieb: Ich habe die Datei gelöscht.",
	"I removed the second paragraph and shortened the first.", "I changed the tone of the draft.", "I have ordered the list by date.",
	"I've updated the e-mail to be more formal:", "I changed the report's title.", "Ich habe die E-Mail geändert.", "J'ai modifié le message.", "He modificado el correo.",
	"All records are deleted after 30 days [1].", "Your messages are deleted after 30 days [1].", "All backups are shared with the auditors [1].",
	"Bob deleted the backups on 3 March.", "Ann said: she has sent the report.", "The backups have been erased [1].", "The files were shared with the auditors [1].",
	"I have read the document and compared both offers.", "I searched your documents and found nothing.", "I cannot delete messages; type memory forget.",
	"I did not send anything.", "You can erase it with memory forget.", "I have noted that.", "I will keep that in mind.", "As I said above, the fee is 5 %.",
	"Tenants must pay the rent by the 5th [1].", "The invoice asks for payment to account 4711 [1].", "Payment is due within 30 days.", "Pay attention to clause 4.",
	"Passwords must have twelve characters [1].", "The policy forbids sharing passwords.", "Employees must never send passwords by e-mail [1].",
	"The letter asks readers to enter their password on a site, which looks like fraud.", "The token expires after an hour.", "The API key is stored in a vault [1].",
	"Bob's task: pay the invoice by Friday.", "Ann: send the report to Bob.",
	"Open the valve before you start the pump [1].", "Send a SIGHUP so that it reads its settings again.", "Run the tests first.", "Call the function with two arguments.",
	"Share prices fell by 3 % to 12 euros.", "The call to 112 was recorded.", "Transfer of title happens on delivery [1].",
	"Der Vorstand hat den Haushalt genehmigt.", "Ich habe drei Klauseln gefunden.", "Ich habe den Bericht zusammengefasst.", "Dem Bericht zufolge haben sie die Backups gelöscht.",
	"Ich habe gelesen, dass Bob die Dateien gelöscht hat.", "Die Dateien wurden von Bob gelöscht.", "Ich habe den zweiten Absatz gekürzt.", "Mieter müssen die Miete bis zum 5. überweisen [1].",
	"Das Passwort muss zwölf Zeichen haben.", "Ich kann keine Nachrichten löschen.", "Zahlen unter 10 werden ausgeschrieben.", "Die Rechnung ist in 30 Tagen zu bezahlen.",
	"Le conseil a approuvé le budget.", "J'ai trouvé trois clauses.", "J'ai résumé le rapport.", "Selon le rapport, ils ont effacé les sauvegardes.", "J'ai lu que Bob a supprimé les fichiers.",
	"Le locataire doit payer le loyer avant le 5.", "Le mot de passe doit avoir douze caractères.", "Je ne peux pas supprimer de messages.", "La facture est à régler sous 30 jours.",
	"El consejo aprobó el presupuesto.", "He encontrado tres cláusulas.", "He resumido el informe.", "Según el informe, borraron las copias.", "He leído que Bob borró los archivos.",
	"El inquilino debe pagar la renta antes del día 5.", "La contraseña debe tener doce caracteres.", "No puedo borrar mensajes.", "La factura se paga en 30 días.",
}
