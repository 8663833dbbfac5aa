package agent

// The weights of ClearEnough: a logistic regression over clearFeatures, fitted to public English requests that people labelled
// clear or ambiguous. Positive weights mean clear. In five-fold cross-validation 37 % of the clear requests and
// 6 % of the ambiguous ones pass (area under the curve .79).
const (
	clearBias = -0.56
	clearFrom = 0.60
)

var clearWeights = map[string]float64{
	"=marks": 0.9, "#names>": 0.39, "#names≤2": 0.38, "#names≤3": 0.73, "#names≤4": 0.69, "#numbers≤2": 0.69, "#terms≤1": -2.75, "#terms≤2": -0.59,
	"#words≤7": -0.36, "#words≤80": 0.54, "^ analyze": -0.62, "^ classify": 0.63, "^ create": -0.41, "^ does": 0.16, "^ help": -0.74, "^ how": 0.22,
	"^ i": -0.50, "^ identify": 0.22, "^ in": 0.26, "^ is": 0.89, "^ list": 0.53, "^ my": -1.48, "^ name": 0.38, "^ research": -0.70, "^ tell": 0.49,
	"^ think": 0.32, "^ where": -0.21, "^ which": 0.48, "^ write": 0.15, "a script": -0.83, "a short": 0.20, "am": -0.31, "analyze": -0.83,
	"analyze the": -0.20, "and a": 0.30, "and how": 0.60, "and the": -0.76, "and what": 0.25, "are the": 0.36, "as a": 0.20, "at home": -0.42,
	"at the": 0.38, "author": 0.71, "author of": 1.44, "average": 0.41, "be": -0.63, "been": 0.32, "best": -0.32, "book": 0.28, "can do": -1.18,
	"can i": -0.91, "classify": 0.63, "classify the": 0.45, "come": -0.41, "common": -0.87, "compare the": -0.54, "create a": -0.20, "current": 0.48,
	"day": -0.36, "design": -0.96, "develop": -1.00, "develop a": -0.90, "did the": -0.32, "do i": 0.41, "does the": 0.91, "each": 0.34, "explain": 0.16,
	"explain the": 0.95, "file": -1.92, "film": 2.33, "find a": -0.77, "find the": 0.19, "five": 0.68, "following": 0.69, "for a": -0.45,
	"for an": -0.82, "for me": -1.32, "for my": -0.30, "for the": 0.46, "free": -0.31, "generate": -0.48, "get": 0.98, "good": -0.75, "has": -0.24,
	"has the": -0.65, "have a": -0.62, "he wanted": 1.03, "help": -0.54, "help me": -0.74, "how can": -0.35, "i can": -0.22, "i should": -0.43,
	"i ve": -0.88, "i want": -0.39, "ideas": -0.79, "identify the": 1.00, "identify which": 1.97, "if": -0.18, "in": 0.32, "in a": -0.37,
	"in new": -0.21, "is a": 1.14, "it": 0.15, "its": -0.36, "last": -0.16, "last time": -0.77, "latest": -1.03, "list the": 1.13, "main": -0.23,
	"make a": -0.66, "many": 0.20, "me a": 0.39, "me about": 1.06, "me how": -0.25, "me the": -0.68, "me with": -0.56, "meaning of": -0.22,
	"month": -1.20, "more": 1.03, "most common": -0.19, "my": -0.49, "my home": -0.64, "name of": -0.50, "need to": -0.50, "new": -0.19, "next": -0.77,
	"next month": -0.73, "next week": -0.80, "of these": 0.35, "on a": -1.20, "on how": -0.64, "or a": 0.52, "place": 0.37, "plan for": -0.76,
	"plays": 0.87, "popular": -0.55, "provide me": -0.40, "recent": 0.65, "recommend": -0.44, "research": -0.26, "script": -1.06, "script that": -1.57,
	"script to": -0.54, "search for": 0.28, "she is": -1.46, "short": 0.22, "should i": -1.75, "show": 0.54, "steps": 0.38, "story": 0.96,
	"suggest": -1.12, "suggest a": -0.75, "summarize": 0.54, "summarize the": 0.29, "tell": 0.47, "that": 0.15, "that are": -0.64, "that can": 0.71,
	"that i": -0.61, "the author": 1.44, "the average": 0.41, "the best": -1.17, "the first": 0.40, "the following": 0.34, "the latest": -0.83,
	"the meaning": -0.22, "the movie": 0.77, "the name": 0.49, "the new": -0.34, "the next": -0.54, "the song": 0.41, "them": 0.56, "these": 0.17,
	"these are": 1.29, "think": 0.33, "this": -0.21, "three": 0.32, "time": -0.52, "tips": -1.40, "to a": -1.06, "to create": 0.58, "to find": 0.43,
	"to make": -0.26, "told": 0.15, "town": -1.54, "two": 0.20, "type": -0.36, "type of": 0.54, "types": -0.26, "us": 0.60, "use": -0.42, "using": -1.15,
	"ve": -0.88, "wanted": 0.22, "wanted to": 0.22, "was": 0.19, "ways to": -0.50, "were": 0.44, "what are": -0.29, "what does": -0.58, "what is": -0.22,
	"when does": -0.47, "when is": -0.87, "where": -0.46, "where does": -0.88, "where was": -0.59, "which": 0.79, "who played": 0.19, "who plays": 0.62,
	"who wanted": 2.06, "who won": 0.83, "who wrote": 0.24, "why": 1.02, "will": -0.23, "with the": 0.57, "write": 0.17, "wrote the": 0.24,
	"year": -0.35, "you create": -0.80, "you find": 0.20, "your": -0.45,
}
