depthOfSearch(3).
var([x], t).
