// Two-phase commit: a coordinator, participants, and a network that may lose any message.
//
// The coordinator asks every participant to prepare, waits for the votes and then tells all of them the outcome. What is lost is sent
// again when the clock of the coordinator runs out; a vote that does not come in time counts as no.
depth 200;
const LAST = 1;

type Phase = { idle, voting, committing, aborting };
type Stand = { working, ready, refused, committed, undone };
type Letter = { none, prepare, commit, abort };
type Answer = { nothing, yes, no, done };
type Heard = { open, agreed, against, finished };

var phase: Phase = idle;

input begin, votes_yes, votes_no, loses_letter, loses_answer, timeout;

machine Site(p: 0..LAST) {
  var stand: Stand = working;
  var letter: Letter = none;
  var answer: Answer = nothing;
  var heard: Heard = open;

  // The coordinator sends.
  action asks when phase = voting and heard = open and letter = none and answer = nothing and stand = working {
    letter := prepare
  }
  action tells when (phase = committing or phase = aborting) and heard != finished and letter = none and answer = nothing {
    choose { when phase = committing { letter := commit } } or { when phase = aborting { letter := abort } }
  }

  // The application of the participant decides.
  action votes_yes when letter = prepare and stand = working { stand, letter, answer := ready, none, yes }
  action votes_no when letter = prepare and stand = working { stand, letter, answer := refused, none, no }

  // The participant does what it is told; it answers again what was asked before.
  action applies when letter = commit and stand = ready { stand, letter, answer := committed, none, done }
  action undoes when letter = abort and stand != committed and stand != undone { stand, letter, answer := undone, none, done }
  action repeats when (letter = commit and stand = committed) or (letter = abort and stand = undone) {
    letter, answer := none, done
  }

  // The coordinator hears.
  action hears when answer != nothing {
    choose { when answer = yes and phase = voting { heard := agreed } }
        or { when answer = no and phase = voting { heard := against } }
        or { when answer = done { heard := finished } }
        or { when (answer = yes or answer = no) and phase != voting { skip } };
    answer := nothing
  }

  // The network loses.
  action loses_letter when letter != none { letter := none }
  action loses_answer when answer != nothing { answer := nothing }
}

let all_for = forall p: Site | heard[p] = agreed;
let any_against = exists p: Site | heard[p] = against;
let quiet = forall p: Site | letter[p] = none and answer[p] = nothing;

action begin when phase = idle { phase := voting }
action decides_commit when phase = voting and all_for { phase := committing }
action decides_abort when phase = voting and any_against { phase := aborting }
// A vote was lost, or is late.
action timeout when phase = voting and quiet and not all_for and not any_against and
    (forall p: Site | stand[p] != working) { phase := aborting }

invariant agreement: not ((exists p: Site | stand[p] = committed) and (exists q: Site | stand[q] = undone));
invariant no_commit_without_votes: (exists p: Site | stand[p] = committed) -> (forall q: Site | stand[q] = ready or stand[q] = committed);

do Site [] begin [] decides_commit [] decides_abort [] timeout od
