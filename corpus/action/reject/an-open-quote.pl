var([x], t).
state_def([x]).
init(['0]).
