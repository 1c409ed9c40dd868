"""The good client in Python: it does what it was asked for exactly once, also when it is killed and run again."""

import json
import os

import support

NOTES = os.path.join(os.environ["SVC_RUN_DIR"], "plan.json")


def noted():
    """The plan that it was about to execute when it was killed; None when there was none."""
    try:
        with open(NOTES) as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def note(plan):
    """On disk before the plan is executed: written beside, then moved into place."""
    with open(NOTES + ".new", "w") as file:
        json.dump(plan, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(NOTES + ".new", NOTES)


account = support.open_account()
support.follow(account, support.carry_out(account, support.GIFT, plan=noted(), note=note))
