package reading

import (
	"slices"
	"strings"
	"sync"

	"threadkeeper/memory/rank"
)

// concepts are words, phrases and abbreviations that people use for one another, mostly in English, German, French
// and Spanish, each group between semicolons. Behind a colon stand kinds of what stands before it, which are not used for one
// another: a dog is a pet, and no cat. A word may stand in several groups.
const concepts = `
child, children, kid, kids, kinder, kind, enfant, enfants, niño, niños: daughter, son, tochter, sohn, fille, fils, hija, hijo; guest, guests, friend, friends, visitor, visitors, gast, gäste, invité, invitado; weekend, wochenende: saturday, sunday, samstag, sonntag, samedi, dimanche, sábado, domingo;
ceo, chief executive officer, chief executive, managing director, geschäftsführer, geschäftsführerin, vorstandsvorsitzender, directeur général, director general, consejero delegado;
cfo, chief financial officer, finance director, head of finance, finanzvorstand, directeur financier, director financiero; coo, chief operating officer;
cto, chief technology officer; chair, chairman, chairwoman, chairperson, vorsitzender, vorsitzende, président, presidente;
hq, headquarters, head office, principal executive offices, executive offices, registered office, hauptsitz, firmensitz, siège social, sede;
capex, capital expenditure, capital expenditures, purchases of property, additions to property, investitionen, investissements;
opex, operating expenses, betriebsausgaben; eps, earnings per share, ergebnis je aktie, bénéfice par action;
profit, net income, net earnings, net profit, earnings, gewinn, jahresüberschuss, bénéfice, résultat net, beneficio, ganancia;
loss, net loss, verlust, perte, pérdida; revenue, revenues, net sales, sales, turnover, net revenue, umsatz, umsatzerlöse, chiffre d'affaires, ingresos, ventas;
gross margin, gross profit, cost of sales, cost of goods sold, rohertrag, marge brute, margen bruto;
operating margin, operating income, operating profit, operating earnings, ebit; cogs, cost of goods sold, cost of sales;
debt, borrowings, loans, notes payable, schulden, verbindlichkeiten, dette, emprunts, deuda; liabilities, obligations;
cash flow, cash provided by operating activities, net cash provided; fcf, free cash flow; r&d, research and development, forschung und entwicklung;
sg&a, selling general and administrative; ppe, property plant and equipment; m&a, acquisitions, mergers; yoy, year over year, prior year, vorjahr;
guidance, outlook, forecast, expects, prognose, ausblick, perspectives, previsiones; results, performance;
employees, staff, workforce, headcount, people work, personnel, people employed, employed, mitarbeiter, beschäftigte, belegschaft, salariés, effectif, empleados, plantilla;
hr, human resources, personnel; it, information technology; vat, value added tax, sales tax, mehrwertsteuer, umsatzsteuer, ust, tva, iva;
tax, taxes, steuer, steuern, impôt, impuesto; nda, non-disclosure agreement, confidentiality agreement; sla, service level agreement;
kpi, key performance indicator; roi, return on investment; eta, expected, arrival; asap, soon, urgent; faq, questions;
pto, vacation, annual leave, paid leave, holiday, holidays, days off, urlaub, urlaubstage, congés, vacaciones;
sick leave, sick pay, illness, krankheit, arrêt maladie, baja; home office, remote work, telework, working from home, télétravail, teletrabajo;
wfh, remote, home office;
pet, pets, animal, animals, haustier, haustiere, tier, tiere, tierhaltung, animaux, mascota, mascotas, animales: dog, dogs, cat, cats, hund, katze, chien, chat, perro, gato;
smoke, smoking, rauchen, fumer, fumar;
allowed, permitted, consent, permission, dürfen, darf, erlaubt, zustimmung, permis, autorisé, permitido; forbidden, prohibited, verboten, interdit, prohibido;
notice, termination, terminate, cancel, cancellation, quit, resign, resignation, kündigung, kündigen, kündigungsfrist, résiliation, préavis, rescisión, preaviso, cancelar;
refund, reimbursement, reimburse, reimbursed, returned, erstattung, remboursement, reembolso;
penalty, fine, late fee, surcharge, strafe, vertragsstrafe, pénalité, multa; late, delay, delayed, verspätet, verspätung, retard, retraso, tarde;
guarantee, warranty, garantie, gewährleistung, garantía; liable, liability, responsible, haftung, haftet, responsable, responsabilidad;
deposit, kaution, caution, fianza, depósito; rent, lease, miete, mietvertrag, loyer, alquiler, renta; tenant, lessee, renter, mieter, locataire, inquilino;
landlord, landlady, lessor, owner, lets, vermieter, vermieterin, vermietet, propriétaire, bailleur, casero, casera, arrendador, padrone;
utilities, nebenkosten, charges: heating, electricity, water, heizung, strom, wasser;
repair, repairs, fix, mend, maintenance, broken, breaks, reparieren, repariert, reparatur, réparer, réparation, arreglar, reparar, reparación, riparare;
pay, pays, paid, payable, payment, payments, zahlen, zahlt, bezahlt, zahlung, payer, payé, paiement, pagar, pagado, pago;
insurance, insured, cover, covered, coverage, versicherung, versichert, assurance, assuré, seguro, asegurado;
excess, deductible, selbstbeteiligung, franchise, franquicia; theft, stolen, diebstahl, robo; drinks, beverages, getränke, boissons, bebidas;
vegetarian, vegetarisch, végétarien: vegan;
price, prices, cost, costs, fee, fees, charge, charges, rate, kosten, kostet, preis, gebühr, prix, coût, coûte, tarif, precio, coste, costo, cuesta, costa, prezzo, teuer, expensive, cheap, cheaper, cheapest, dearer, billig, billiger, günstiger, cher, caro, barato: euro, euros, dollar, dollars, pound, pounds, usd, eur, gbp, chf, quote, quotation;
salary, wage, pay, gehalt, lohn, salaire, sueldo, salario, stipendio; heavy, weight, weighs, schwer, gewicht, poids, peso;
tall, high, height, höhe, hauteur, altura; long, length, duration, länge, dauer, durée, duración; wide, width, breite, largeur, ancho;
big, large, size, area, square metres, größe, taille, tamaño; fast, speed, geschwindigkeit, vitesse, velocidad;
temperature, degrees, temperatur, température, temperatura; old, age, born, alter, geboren, âge, edad; oven, bake, backofen, backen, horno;
begin, begins, began, start, starts, launch, kickoff, opens, commence, beginnen, beginnt, starten, anfangen, commencer, début, empezar, empieza, comenzar, inicio, inizia;
end, ends, finish, until, expire, expires, enden, endet, ablauf, fin, vence, scadenza; deadline, due, payable, frist, abgabe, fällig, échéance, plazo, scadenza;
hours, opening hours, open, opens, öffnungszeiten, geöffnet, horaires, ouvert, ouverte, horario, abierto, abierta;
limit, maximum, up to, at most, höchstens, obergrenze, plafond, límite, máximo; minimum, at least, mindestens, au moins, mínimo;
arrive, arrives, arrival, lands, ankunft, ankommen, arrive, arrivée, llegar, llega; leave, leaves, departure, departs, abfahrt, départ, salida;
eat, food, meal, meals, essen, manger, comer: catering, menu, lunch, dinner, breakfast, allergic; complain, complained, complaint: object, objected, objection; crash, accident, collision, unfall, accidente; fridge, refrigerator, kühlschrank; bag, luggage, baggage, belongings, tasche; cook, cooking, kochen: simmer, boil, fry, bake, roast; submit, hand in, abgeben, einreichen, soumettre, presentar; task, responsible, in charge, duty, aufgabe; licence plate, license plate, number plate, registration, kennzeichen; stock options, share options; buy back, bought back, repurchase, repurchased, repurchases, buyback; 
like, likes, love, prefer, favourite, favorite, enjoy, mag, lieber, aime, préfère, gusta, prefiero; hate, dislike, allergic, allergy;
name, called, named, heisse, heisst, heißt, appelle, appelles, nom, llamo, llamas, nombre, chiamo, nome;
live, lives, reside, dwell, home, wohnen, wohnt, wohne, leben, lebt, habiter, habite, vivir, vivo, vive, abitare, abita;
wifi, wi-fi, wlan, wireless, wireless network;
password, passcode, passphrase, pin, access code, kennwort, passwort, zugangscode, mot de passe, clave, contraseña, código, codice;
decide, decided, decision, agreed, agree, settled, chose, beschlossen, entschieden, vereinbart, décidé, convenu, decidido, acordado, deciso;
risk, risks, risk factors, uncertainties, could go wrong, risiko, risiken, risques, riesgos; return, returns, give back, rückgabe, devolución, devuelvo, devolver, retour;
contact, kontakt: phone, telephone, email, address; setup, set-up, set up, installation, aufbau, montage, montaje; lift, elevator, aufzug, ascenseur, ascensor;
boss, manager, supervisor, lead, head, chef, chefin, leiter, leiterin, vorgesetzter, patron, jefe, jefa, capo;
job, employer, work, arbeit, stelle, arbeitgeber, emploi, travail, trabajo, empleo, lavoro;
buy, bought, purchase, purchased, order, kaufen, gekauft, bestellen, acheter, acheté, comprar, comprado; travel, trip, journey, reise, voyage, viaje, viaggio;
boiler, heating, furnace, heizung, chaudière, caldera; recommend, suggest, advise, propose;
failed, failure, hurt, badly, poor, weak, decline, declined, decrease;
car, auto, automobile, vehicle, wagen, fahrzeug, pkw, voiture, vehicule, coche, carro, vehiculo, macchina, veicolo;
van, lorry, truck, vehicle, transporter, lkw, lieferwagen, camion, camionnette, furgoneta, furgone;
bike, bicycle, fahrrad, rad, velo, bicyclette, bicicleta, bici;
meeting, appointment, session, termin, besprechung, sitzung, treffen, reunion, cita, riunione, appuntamento;
doctor, physician, gp, arzt, arztin, hausarzt, medecin, docteur, medico, medica, dottore, dottoressa;
phone, telephone, mobile, cellphone, handy, telefon, portable, telefono, movil, cellulare; address, anschrift, adresse, direccion, domicilio, indirizzo;
flat, apartment, wohnung, appartement, piso, apartamento, appartamento;
choose, chose, chosen, pick, select, opt, wahlen, gewahlt, entscheiden, entschieden, choisir, choisi, elegir, elegido, elegimos, scegliere, scelto;
email, mail, mailbox, courriel, correo, posta; network, netz, netzwerk, reseau, red, rete;
bug, error, fault, issue, problem, defect, fehler, mangel, panne, erreur, probleme, fallo, errore, guasto, problema; key, schlussel, cle, clef, llave, chiave;
company, firm, business, firma, unternehmen, entreprise, societe, empresa, azienda, ditta; room, chamber, zimmer, raum, salle, piece, sala, habitacion, stanza;
shop, store, laden, geschaft, magasin, boutique, tienda, negozio; delivery, shipment, consignment, lieferung, sendung, livraison, entrega, envio, consegna;
supplier, vendor, provider, lieferant, anbieter, fournisseur, proveedor, fornitore; customer, client, kunde, kundin, mandant, cliente;
invoice, bill, rechnung, facture, factura, fattura; birthday, born, turns, geburtstag, geboren, anniversaire, cumpleanos, compleanno; colour, color, farbe, couleur; film, movie;
photo, picture, image, bild, foto, imagen, immagine;become, became; bite, bit, bitten; blow, blew, blown; break, broke, broken; bring, brought; build, built; buy, bought; catch, caught; come, came; deal, dealt;
draw, drew, drawn; drink, drank, drunk; drive, drove, driven; eat, ate, eaten; fall, fell, fallen; feed, fed; feel, felt; fight, fought; find, found; fly, flew, flown, flight;
forget, forgot, forgotten; freeze, froze, frozen; give, gave, given; go, went, gone; grow, grew, grown, growth; hang, hung; hear, heard; hide, hid, hidden; hold, held;
keep, kept; know, knew, known; lead, led; leave, left; lend, lent; lose, lost; make, made; mean, meant; meet, met; pay, paid; ride, rode, ridden; rise, rose, risen;
run, ran; see, saw, seen; seek, sought; sell, sold; send, sent; shake, shook, shaken; shoot, shot; show, shown; shrink, shrank, shrunk; sing, sang, sung; sink, sank, sunk; sit, sat;
sleep, slept; speak, spoke, spoken; spend, spent; stand, stood; steal, stole, stolen; strike, struck; swim, swam, swum; take, took, taken; teach, taught; think, thought;
throw, threw, thrown; understand, understood; wake, woke; wear, wore, worn; win, won; write, wrote, written; close, closed, shut, shut down; vote, voted: against, in favour, abstained;
storehouse, warehouse, depot, lager, lagerhaus, entrepot, almacen, deposito, magazzino;
basement, cellar, keller, cave, sotano, cantina; garage, carport, garaje;
study, studied, degree, university, studium, studieren, studiert, abschluss: bachelor, master, bsc, msc, phd, diploma; medication, medicine, drug, medikament, médicament, medicina: mg, tablet, tablets, pill, pills, dose;
teacher, instructor, lehrer, lehrerin, professeur, enseignant, profesor, maestro, insegnante; ill, sick, unwell, krank, malade, enfermo, malato
`

// A Phrase is the search terms of words that belong together.
type Phrase []string

// Among reports whether a set of terms contains all of the phrase, in any places.
func (p Phrase) Among(terms map[string]bool) bool {
	return len(p) > 0 && !slices.ContainsFunc(p, func(t string) bool { return !terms[t] })
}

// In reports whether a [PhraseSet] contains the phrase, its terms side by side.
func (p Phrase) In(set map[string]bool) bool {
	for i := range p[1:] {
		if !set[p[i]+" "+p[i+1]] {
			return false
		}
	}
	return set[p[0]]
}

// TermSet returns the search terms of a text.
func TermSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, t := range rank.Terms(text) {
		set[t] = true
	}
	return set
}

// PhraseSet returns the search terms of a text, and the pairs of adjacent ones.
func PhraseSet(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		terms := rank.Terms(line)
		for i, t := range terms {
			set[t] = true
			if i > 0 {
				set[terms[i-1]+" "+t] = true
			}
		}
	}
	return set
}

// Alike returns how many of the first terms form a phrase with synonyms, and these synonyms. It returns 1 and nil
// for a term without any.
func Alike(terms []string) (n int, others []Phrase) {
	n = 1
	for _, c := range conceptsFrom()[terms[0]] {
		if len(c.own) < n || len(c.own) > len(terms) || !slices.Equal(c.own, terms[:len(c.own)]) {
			continue
		}
		if len(c.own) > n {
			n, others = len(c.own), nil
		}
		others = append(others, c.others...)
	}
	return n, others
}

// Synonyms returns the terms of single words that people use for a word of this term; nil for none.
func Synonyms(term string) []string {
	var terms []string
	for _, c := range conceptsFrom()[term] {
		for _, o := range c.others {
			if len(c.own) == 1 && len(o) == 1 {
				terms = append(terms, o[0])
			}
		}
	}
	return terms
}

// concept is one phrase of a group with the rest of it.
type concept struct {
	own    Phrase
	others []Phrase
}

// conceptsFrom are the phrases by their first term, made when they are first needed.
var conceptsFrom = sync.OnceValue(func() map[string][]concept {
	all := map[string][]concept{}
	for group := range strings.SplitSeq(concepts, ";") {
		same, kinds, _ := strings.Cut(group, ":")
		alike := phrasesIn(same)
		for i, p := range alike {
			all[p[0]] = append(all[p[0]], concept{p, slices.Concat(alike[:i], alike[i+1:], phrasesIn(kinds))})
		}
		for _, k := range phrasesIn(kinds) {
			all[k[0]] = append(all[k[0]], concept{k, alike})
		}
	}
	for name, names := range datesFrom() {
		for _, p := range phrasesIn(name) {
			all[p[0]] = append(all[p[0]], concept{p, phrasesIn(strings.Join(names, ","))})
		}
	}
	return all
})

// phrasesIn are the phrases of a list, each once.
func phrasesIn(list string) []Phrase {
	var phrases []Phrase
	for text := range strings.SplitSeq(list, ",") {
		if terms := rank.Terms(text); len(terms) > 0 && !slices.ContainsFunc(phrases, func(p Phrase) bool { return slices.Equal(p, terms) }) {
			phrases = append(phrases, terms)
		}
	}
	return phrases
}

// HasForm reports whether a term or one that begins alike, as forms of one word do, is in a set.
func HasForm(in map[string]bool, t string) bool {
	if in[t] {
		return true
	}
	for s := range in {
		n := 0
		for n < len(s) && n < len(t) && s[n] == t[n] {
			n++
		}
		if n >= 5 && n*10 >= 7*min(len(s), len(t)) {
			return true
		}
	}
	return false
}
