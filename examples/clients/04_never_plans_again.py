"""One plan, carried out with care. When it is refused, that is that."""

import time

from support import GIFT, activity_of, execute, follow, make_plan, open_account

account = open_account()
plan = make_plan(account, GIFT)
activity = None
while activity is None:
    status, answer, wait = execute(account, plan)
    if status == 200:
        activity = answer["activity_id"]
    else:
        activity = activity_of(account, plan)
    if activity is None and status in (404, 409):
        raise SystemExit(f"the plan was refused: {answer}")
    time.sleep(wait)
follow(account, activity)
