package agent

// What may be meant by a request that does not say, by what it is about; %s stands for the thing.

var englishOptions = map[matter][]string{
	anyMatter: {"Make a proposal with usual choices", "Give several ideas to choose from", "Explain the steps to do it myself"},
	aTopic:    {"Give an overview: %s", "Explain how it works: %s", "Weigh up pros and cons: %s"},
	aThing:    {"Suggest what to do with the %s", "Solve a problem with the %s", "Just remember the %s"},
	someData:  {"Analyse and visualise the %s", "Predict something from the %s", "Sort the %s into groups", "Check and clean the %s"},
	someText:  {"Write a first draft", "Make an outline first", "Improve a text that I have"},
	someCode:  {"Write complete code with usual choices", "Explain the steps first", "Compare tools and libraries for it", "Fix code that I have"},
	aService:  {"On my own server", "On a cloud platform", "On this computer, for testing", "A checklist of what it needs"},
	aFinding:  {"Work it out from data that I have", "Explain the usual signs and causes", "Say which data it takes", "Show a method step by step"},
	nothing:   {"A text that I will paste", "Explain how to do it in general"},
	twoSides:  {"Two things that I will name", "Explain what to look at in general"},
}

var germanOptions = map[matter][]string{
	anyMatter: {"Einen Vorschlag mit üblichen Annahmen machen", "Mehrere Ideen zur Auswahl geben", "Die Schritte zum Selbermachen erklären"},
	aTopic:    {"Einen Überblick geben: %s", "Erklären, wie es funktioniert: %s", "Vor- und Nachteile abwägen: %s"},
	aThing:    {"Vorschlagen, was damit zu tun ist: %s", "Ein Problem damit lösen: %s", "Nur merken: %s"},
	someData:  {"Auswerten und darstellen: %s", "Etwas daraus vorhersagen: %s", "In Gruppen einteilen: %s", "Prüfen und bereinigen: %s"},
	someText:  {"Einen ersten Entwurf schreiben", "Zuerst eine Gliederung machen", "Einen vorhandenen Text verbessern"},
	someCode:  {"Vollständigen Code mit üblichen Annahmen schreiben", "Zuerst die Schritte erklären", "Werkzeuge und Bibliotheken dafür vergleichen", "Vorhandenen Code reparieren"},
	aService:  {"Auf meinem eigenen Server", "Bei einem Cloud-Anbieter", "Auf diesem Rechner, zum Testen", "Eine Checkliste, was nötig ist"},
	aFinding:  {"Aus vorhandenen Daten ermitteln", "Die üblichen Anzeichen und Ursachen erklären", "Sagen, welche Daten nötig sind", "Ein Verfahren Schritt für Schritt zeigen"},
	nothing:   {"Einen Text, den ich einfüge", "Erklären, wie es allgemein geht"},
	twoSides:  {"Zwei Dinge, die ich nenne", "Erklären, worauf es allgemein ankommt"},
}

var frenchOptions = map[matter][]string{
	anyMatter: {"Faire une proposition avec les choix habituels", "Donner plusieurs idées au choix", "Expliquer les étapes pour le faire moi-même"},
	aTopic:    {"Donner une vue d'ensemble : %s", "Expliquer le fonctionnement : %s", "Peser le pour et le contre : %s"},
	aThing:    {"Proposer quoi en faire : %s", "Résoudre un problème : %s", "Simplement retenir : %s"},
	someData:  {"Analyser et visualiser : %s", "Prédire quelque chose à partir de : %s", "Répartir en groupes : %s", "Vérifier et nettoyer : %s"},
	someText:  {"Écrire un premier jet", "Faire d'abord un plan", "Améliorer un texte que j'ai"},
	someCode:  {"Écrire le code complet avec les choix habituels", "Expliquer d'abord les étapes", "Comparer les outils et bibliothèques", "Corriger le code que j'ai"},
	aService:  {"Sur mon propre serveur", "Sur une plateforme cloud", "Sur cet ordinateur, pour tester", "Une liste de ce qu'il faut"},
	aFinding:  {"Le déterminer à partir de données que j'ai", "Expliquer les signes et causes habituels", "Dire quelles données il faut", "Montrer une méthode étape par étape"},
	nothing:   {"Un texte que je vais coller", "Expliquer comment faire en général"},
	twoSides:  {"Deux choses que je vais nommer", "Expliquer ce qui compte en général"},
}

var spanishOptions = map[matter][]string{
	anyMatter: {"Hacer una propuesta con las opciones habituales", "Dar varias ideas para elegir", "Explicar los pasos para hacerlo yo"},
	aTopic:    {"Dar una visión general: %s", "Explicar cómo funciona: %s", "Sopesar ventajas e inconvenientes: %s"},
	aThing:    {"Proponer qué hacer con ello: %s", "Resolver un problema: %s", "Solo recordar: %s"},
	someData:  {"Analizar y visualizar: %s", "Predecir algo a partir de: %s", "Dividir en grupos: %s", "Revisar y limpiar: %s"},
	someText:  {"Escribir un primer borrador", "Hacer primero un esquema", "Mejorar un texto que tengo"},
	someCode:  {"Escribir el código completo con opciones habituales", "Explicar primero los pasos", "Comparar herramientas y bibliotecas", "Corregir código que tengo"},
	aService:  {"En mi propio servidor", "En una plataforma en la nube", "En este equipo, para probar", "Una lista de lo necesario"},
	aFinding:  {"Averiguarlo con datos que tengo", "Explicar las señales y causas habituales", "Decir qué datos hacen falta", "Mostrar un método paso a paso"},
	nothing:   {"Un texto que voy a pegar", "Explicar cómo se hace en general"},
	twoSides:  {"Dos cosas que voy a nombrar", "Explicar en qué fijarse en general"},
}
