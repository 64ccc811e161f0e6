// A group of cabins that share the calls of a house. A call is given to one of the cabins, which goes there level by level.
depth 200;
const TOP = 3;
const CABINS = 1;

type Level = 0..TOP;
type Goal = -1..TOP;
type Door = { shut, open };
type Lit = array 0..TOP of Flag;
type Flag = { off, on };

// The buttons that are lit.
var lit: Lit = off;

input press;

machine Cabin(c: 0..CABINS) {
  var level: Level = 0;
  // Where it is sent; -1 where it waits.
  var goal: Goal = -1;
  var door: Door = shut;

  // A free cabin takes a call that no other cabin has.
  action sent(l) when lit[l] and goal = -1 and door = shut and (forall o: Cabin | goal[o] != l) { goal := l }
  action up when goal > level and door = shut { level := level + 1 }
  action down when goal >= 0 and goal < level and door = shut { level := level - 1 }
  action opens when goal = level and door = shut { door := open; lit[level] := off; goal := -1 }
  action shuts when door = open { door := shut }
}

action press(l) when not lit[l] { lit[l] := on }

invariant shut_on_the_way: forall c: Cabin | goal[c] != -1 -> door[c] = shut;
invariant one_cabin_for_a_call: forall c: Cabin | forall o: Cabin | c = o or goal[c] = -1 or goal[c] != goal[o];
invariant goals_are_lit: forall l: Level | (exists c: Cabin | goal[c] = l) -> lit[l];

do press(L) for L: Level [] sent(C, L) for C: Cabin, L: Level [] up(C) for C: Cabin [] down(C) for C: Cabin
  [] opens(C) for C: Cabin [] shuts(C) for C: Cabin od
