package reading

import (
	"strings"

	"threadkeeper/memory/rank"
)

// synonymLines are everyday words that people use for one another, in English, German, French,
// Spanish and Italian, a line each. A word may stand in several lines. They are looked at only
// when the words of a question itself find nothing.
const synonymLines = `
password passcode passphrase pin code combination kennwort passwort passe zugangscode clave contrasena codigo codice parola
alarm security
car auto automobile vehicle wagen fahrzeug pkw voiture vehicule coche carro vehiculo macchina veicolo
van lorry truck vehicle transporter lkw lieferwagen camion camionnette furgoneta furgone
bike bicycle cycle fahrrad rad velo bicyclette bicicleta bici
meeting appointment session termin besprechung sitzung treffen reunion cita riunione appuntamento
boss manager supervisor lead chef chefin leiter leiterin vorgesetzte vorgesetzter patron jefe jefa capo
doctor physician gp arzt arztin hausarzt medecin docteur medico medica dottore dottoressa
phone telephone mobile cellphone handy telefon portable telefono movil cellulare
buy bought purchase order acquire kaufen kaufe gekauft bestellen bestellt acheter achete commander comprar compra comprare comprato
cost price fee charge kosten kostet preis cout coute prix tarif coste cuesta precio costo costa prezzo
begin began start launch kickoff beginnen beginnt starten startet anfangen commencer commence demarre debut empezar empieza comenzar inizia inizio cominciare
end finish run until deadline due expire enden endet frist abgabe ablauf echeance fin plazo vence scadenza scade
live reside dwell wohnen wohnt wohne leben lebt habiter habite vit vivir vive reside abitare abita
address anschrift adresse direccion domicilio indirizzo
flat apartment wohnung appartement piso apartamento appartamento
landlord landlady vermieter vermieterin proprietaire bailleur casero casera padrone
recommend suggest advise propose
choose chose chosen pick select opt wahlen gewahlt entscheiden entschieden choisir choisi elegir elegido elegimos scegliere scelto
decide decided agree agreed settle beschlossen vereinbart entschieden decide convenu decidido acordado deciso concordato
job employer work arbeit stelle arbeitgeber emploi travail trabajo empleo lavoro
holiday vacation trip travel urlaub ferien reise vacances voyage vacaciones viaje vacanza viaggio
email mail mailbox courriel correo posta
wifi wlan wireless
network netz netzwerk reseau red rete
bug error fault issue problem defect fehler mangel panne erreur probleme fallo errore guasto problema
fix repair mend reparieren repariert reparer arreglar reparar riparare
broken defective faulty kaputt defekt casse cassee roto rota rotto rotta
key schlussel cle clef llave chiave
company firm business firma unternehmen entreprise societe empresa azienda ditta
room chamber zimmer raum salle piece sala habitacion stanza
shop store laden geschaft magasin boutique tienda negozio
delivery shipment consignment lieferung sendung livraison entrega envio consegna
supplier vendor provider lieferant anbieter fournisseur proveedor fornitore
customer client kunde kundin mandant cliente
invoice bill rechnung facture factura fattura
salary wage pay gehalt lohn salaire sueldo salario stipendio
birthday geburtstag anniversaire cumpleanos compleanno
colour color farbe couleur
film movie
photo picture image bild foto imagen immagine
leave left
give gave given
take took taken
meet met
see saw seen
pay paid
sell sold
lose lost
find found
keep kept
drive drove
fly flew flight
write wrote written
build built
send sent
spend spent
hang hung
teach taught
break broke broken
bring brought
go went gone
big large gross grand grande
storehouse warehouse depot lager lagerhaus entrepot almacen deposito magazzino
basement cellar keller cave sotano cantina
garage carport garaje
teacher instructor lehrer lehrerin professeur enseignant profesor maestro insegnante
ill sick unwell krank malade enfermo malato
`

// Synonyms are the terms of words that people use for a word of this term; nil for none.
func Synonyms(term string) []string { return synonymsOf[term] }

// synonymsOf are for each term those that stand in a line with it.
var synonymsOf = func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(synonymLines) {
		terms := rank.Terms(line)
		for _, t := range terms {
			all[t] = append(all[t], terms...)
		}
	}
	return all
}()
