package rank

import "strings"

// Stop reports whether a folded word says nothing about a text's subject. The list contains the
// common words of English, German, French, Spanish, Italian, Portuguese, Dutch and Russian,
// except those that mean something in English (die, war, man, son, pour, sin, van, may).
func Stop(word string) bool {
	_, ok := stopWords[word]
	return ok
}

var stopWords = func() map[string]struct{} {
	set := map[string]struct{}{}
	for w := range strings.FieldsSeq(stopEnglish + stopGerman + stopRomance + stopDutch + stopRussian) {
		set[w] = struct{}{}
	}
	return set
}()

const stopEnglish = `
a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my
no not of on or our shall should so such than that the their them then there these they this those to was we were
what when where which while who whom whose why will with would you your s t d ll re ve m `

const stopGerman = `
aber als am auch auf aus bei beim bis da damit dann das dass dem den denn der des dich dieser dieses diese dir du
durch ein eine einem einen einer eines er es euch fur habe haben hatte hatten ich ihm ihn ihr ihre im ist ja jede
kann kein keine konnen mein mich mir mit muss nach nicht noch nur ob oder ohne sehr sein seine sich sie sind so
uber um und uns unser vom von wann warum weil welche welcher welches wenn werden wie wieder wird wo wurde wurden
zu zum zur `

const stopRomance = `
ai al alla alle allo anche ao aos au aux avec avez avons c ce ces cet cette che chi ci come como da dal dalla das
de degli dei del dell della delle dello des di dos du e el elle elles els em en era eram essa esse esta estan este
estos eu fue fur gli ha han hanno il ils isso isto je l le les leur leurs lo los lui mas mes mi minha mio mon muy
n na nas ne nel nella nelle nos notre nous ou os pela pelo per pero porque qu quando que quel quelle quels quem
quelles questa questo qui quoi se sem ses si sobre sono sont sua suas sui sul sulla sur su sus tu um uma un una
une uno unos unas vos votre vous voi y `

const stopDutch = `
deze dit een het heb hebben heeft hoe ik je jij jullie maar met mijn naar niet nog ook op te uit voor waar waarom
wanneer wat wel welk welke werd wij worden wordt ze zich zij zijn zou `

const stopRussian = `
а без более бы был была были было быть в вам вас весь во вот все всего вы где да для до его ее если есть еще же за
и из или им их к как какая какие какой ко когда кто ли либо мне мы на над надо наш не него нее нет ни них но ну о
об он она они оно от по под при про с со так также такой там те тем то того тоже той только том ты у уже хотя чего
чей чем что чтобы это этой этом этот эти я `
