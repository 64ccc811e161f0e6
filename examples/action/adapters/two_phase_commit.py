"""A two-phase commit in Python with the adapter that the tests of two_phase_commit.as need.

The variable TPC_FAULT builds a mistake in:
  hasty      commits as soon as one participant votes yes
  stubborn   does not take a vote against it as one
  forgetful  a participant does not answer a second time
  traitor    a participant that is told to commit undoes its work
  careless   a timeout while votes are missing commits
  unfair     the outcome is told to the first participant only
  lossy      an outcome that was lost is not sent again
The variable TPC_ORDER chooses the order in which the parts of the system act, where several could.
"""
import os
import random

SITES = 2
ORDER = random.Random(int(os.environ.get("TPC_ORDER", "0")))


class Site:
    def __init__(self):
        self.work, self.inbox, self.outbox, self.record = "working", None, None, None
        self.told = False


class Adapter:
    def __init__(self):
        self.fault = os.environ.get("TPC_FAULT", "")

    def reset(self):
        self.outcome, self.asking = None, False
        self.sites = [Site() for _ in range(SITES)]

    def give(self, label):
        name, _, argument = label.rstrip(")").partition("(")
        return getattr(self, "take_" + name)(*([int(argument)] if argument else []))

    def take_begin(self):
        if self.asking or self.outcome:
            return False
        self.asking = True
        return True

    def vote(self, number, work, answer):
        site = self.sites[number]
        if site.inbox != "prepare":
            return False
        site.work, site.inbox, site.outbox = work, None, answer
        return True

    def take_votes_yes(self, number):
        return self.vote(number, "ready", "yes")

    def take_votes_no(self, number):
        return self.vote(number, "refused", "no")

    def take_loses_letter(self, number):
        site = self.sites[number]
        lost, site.inbox = site.inbox, None
        return lost is not None

    def take_loses_answer(self, number):
        site = self.sites[number]
        lost, site.outbox = site.outbox, None
        return lost is not None

    def take_timeout(self):
        waiting = self.asking and all(site.inbox is None and site.outbox is None for site in self.sites)
        votes = [site.record for site in self.sites]
        if not waiting or "no" in votes or votes.count("yes") == SITES or any(s.work == "working" for s in self.sites):
            return False
        self.asking, self.outcome = False, "commit" if self.fault == "careless" else "abort"
        return True

    def watch(self, seconds):
        """What the system does next by itself. A tester that does not wait is mostly faster than the system."""
        able = list(self.acts())
        if not able or (seconds == 0 and ORDER.random() < 0.8):
            return None
        label, act = ORDER.choice(able)
        act()
        return label

    def acts(self):
        votes = [site.record for site in self.sites]
        agreed = "yes" in votes if self.fault == "hasty" else votes.count("yes") == SITES
        if self.asking and agreed:
            yield "decides_commit", lambda: self.decide("commit")
        if self.asking and "no" in votes and self.fault != "stubborn":
            yield "decides_abort", lambda: self.decide("abort")
        for number, site in enumerate(self.sites):
            if site.inbox is None and site.outbox is None:
                if self.asking and site.record is None and site.work == "working":
                    yield f"asks({number})", lambda site=site: setattr(site, "inbox", "prepare")
                again = not (self.fault == "lossy" and site.told) and not (self.fault == "unfair" and number)
                if self.outcome and site.record != "done" and again:
                    yield f"tells({number})", lambda site=site: self.tell(site)
            if site.outbox:
                yield f"hears({number})", lambda site=site: self.hear(site)
            yield from self.obeys(number, site)

    def obeys(self, number, site):
        repeated = (site.inbox, site.work) in [("commit", "committed"), ("abort", "undone")]
        if repeated and self.fault != "forgetful":
            yield f"repeats({number})", lambda: self.finish(site, site.work)
        elif site.inbox == "commit" and site.work == "ready":
            if self.fault == "traitor":
                yield f"undoes({number})", lambda: self.finish(site, "undone")
            else:
                yield f"applies({number})", lambda: self.finish(site, "committed")
        elif site.inbox == "abort" and site.work in ("working", "ready", "refused"):
            yield f"undoes({number})", lambda: self.finish(site, "undone")

    def decide(self, outcome):
        self.asking, self.outcome = False, outcome

    def tell(self, site):
        site.inbox, site.told = self.outcome, True

    def hear(self, site):
        answer, site.outbox = site.outbox, None
        if answer == "done" or self.asking:
            site.record = answer

    def finish(self, site, work):
        site.work, site.inbox, site.outbox = work, None, "done"

    def state(self):
        return None
