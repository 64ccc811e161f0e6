% The car alarm system, all times a hundred times as long.
%
% Inputs are possible in settled states only: every effect of entering or leaving a state is pending until its
% output has happened. Leaving the alarm switches lamps and horn off, the horn a second time after the half minute.
%
% place: 0 open and unlocked, 1 closed and unlocked, 2 open and locked, 3 closed and locked, 4 armed,
%        5 alarm with lamps and horn, 6 alarm with lamps only, 7 silent and open
searchDepth(30).
var([place], places).
var([arming, disarming, lamps, horn, hush], flag).
state_def([place, arming, disarming, lamps, horn, hush]).
init([0, 0, 0, 0, 0, 0]).
input(['close', 'open', 'lock', 'unlock', 'after']).
as :- methods(none),
 actions(
  'close' :: (arming #= 0 #/\ disarming #= 0 #/\ lamps #= 0 #/\ horn #= 0 #/\ hush #= 0) => (
       (place #= 0) => (place := 1)
     ; (place #= 2) => (place := 3)
     ; (place #= 7) => (place := 4, arming := 1)),
  'open' :: (arming #= 0 #/\ disarming #= 0 #/\ lamps #= 0 #/\ horn #= 0 #/\ hush #= 0) => (
       (place #= 1) => (place := 0)
     ; (place #= 3) => (place := 2)
     ; (place #= 4) => (place := 5, disarming := 1, lamps := 1, horn := 1)),
  'lock' :: (arming #= 0 #/\ disarming #= 0 #/\ lamps #= 0 #/\ horn #= 0 #/\ hush #= 0) => (
       (place #= 0) => (place := 2)
     ; (place #= 1) => (place := 3)),
  'unlock' :: (arming #= 0 #/\ disarming #= 0 #/\ lamps #= 0 #/\ horn #= 0 #/\ hush #= 0) => (
       (place #= 2) => (place := 0)
     ; (place #= 3) => (place := 1)
     ; (place #= 4) => (place := 1, disarming := 1)
     ; (place #= 5) => (place := 0, lamps := 1, horn := 1)
     ; (place #= 6) => (place := 0, lamps := 1, horn := 1)
     ; (place #= 7) => (place := 0)),
  'after'(seconds) :: (arming #= 0 #/\ disarming #= 0 #/\ lamps #= 0 #/\ horn #= 0 #/\ hush #= 0) => (
       (place #= 3 #/\ seconds #= 2000) => (place := 4, arming := 1)
     ; (place #= 5 #/\ seconds #= 3000) => (place := 6, hush := 1)
     ; (place #= 6 #/\ seconds #= 27000) => (place := 7, lamps := 1, horn := 1)),
  'armedOn'  :: (arming #= 1) => (arming := 0),
  'armedOff' :: (disarming #= 1) => (disarming := 0),
  'flashOn'  :: (place #= 5 #/\ disarming #= 0 #/\ lamps #= 1) => (lamps := 0),
  'flashOff' :: (place #\= 5 #/\ lamps #= 1) => (lamps := 0),
  'soundOn'  :: (place #= 5 #/\ disarming #= 0 #/\ horn #= 1) => (horn := 0),
  'soundOff' :: (place #\= 5 #/\ (horn #= 1 #\/ hush #= 1)) => (horn := 0, hush := 0)
 ),
 dood( 'close' ; 'open' ; 'lock' ; 'unlock' ; [T:time] : 'after'(T)
     ; 'armedOn' ; 'armedOff' ; 'flashOn' ; 'flashOff' ; 'soundOn' ; 'soundOff' ),
 qdes(none).
type(flag, X) :- X in 0..1, labeling([],[X]).
type(places, X) :- X in 0..7, labeling([],[X]).
type(time, X) :- X in 0..27000, labeling([],[X]).
