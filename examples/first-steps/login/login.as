// A login service: three wrong passwords lock the account, an administrator unlocks it.
type Tries = 0..3;
type Inside = { no, yes };
type Answer = { none, welcomed, refused, closed };

var tries: Tries = 0;
var inside: Inside = no;
var answer: Answer = none;   // what is still to be said

input good, bad, logout, unlock;

action good when answer = none and inside = no {
  choose { when tries < 3 { tries := 0; inside := yes; answer := welcomed } }
  or { when tries = 3 { answer := closed } }
}
action bad when answer = none and inside = no {
  choose { when tries < 2 { tries := tries + 1; answer := refused } }
  or { when tries >= 2 { tries := 3; answer := closed } }
}
action logout when answer = none and inside = yes { inside := no }
action unlock when answer = none and tries = 3 { tries := 0 }

action welcome when answer = welcomed { answer := none }
action wrong when answer = refused { answer := none }
action locked when answer = closed { answer := none }

do good [] bad [] logout [] unlock [] welcome [] wrong [] locked od
