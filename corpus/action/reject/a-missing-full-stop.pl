searchDepth(3)
var([x], t).
