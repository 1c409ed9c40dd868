import os
import subprocess

import svc
from svc.exceptions import BadRequestException

configuration = svc.Configuration(
    host=os.environ["SVC_BASE_URL"], access_token=os.environ["SVC_API_KEY"]
)
client = svc.ApiClient(configuration)
accounts, activities = svc.AccountsApi(client), svc.ActivitiesApi(client)
plans, portfolio = svc.PlansApi(client), svc.PortfolioApi(client)


def hand(*arguments):
    return subprocess.check_output(["node", os.environ["HAND"], *arguments], text=True)


account_id = accounts.create_account(
    svc.CreateAccount(signer_type="eoa", signer_address=hand("signer"))
).account_id
hand("fund", account_id)


def carry_out(plan):
    signature = hand("sign", plan.details.eip712_data.digest)
    body = svc.ExecutePlan(plan_id=plan.plan_id, signature=signature)
    executed = plans.execute_plan(account_id, body)
    cursor = 0
    while True:
        cursor = activities.list_events(account_id, since=cursor, poll=True).cursor
        activity = activities.get_activity(executed.activity_id)
        if activity.activity_status != "pending":
            break
    assert activity.activity_status == "confirmed", activity
    actions = [
        action.actual_instance for execution in activity.executions for action in execution.actions
    ]
    intent = activity.svc_intent.actual_instance
    print(type(intent).__name__, *(type(action).__name__ for action in actions))


def earn(amount):
    body = svc.EarnIntent(amount=amount, asset="USDC", network="base", protocol="compound")
    return plans.plan_earn(account_id, body)


carry_out(earn("2000000"))
swap = svc.SwapIntent(sell_asset="USDC", buy_asset="WETH", network="base", sell_amount="3000000")
carry_out(plans.plan_swap(account_id, swap))
carry_out(earn("15000000"))
try:
    earn("900000000000")
    raise SystemExit("not refused")
except BadRequestException as refused:
    assert refused.data.error == "plan_failed", refused
listed = activities.list_activities(account_id).activities
balances = portfolio.get_folio(account_id).folio.balances
weth = [balances[key] for key in balances if key.startswith("token/base/WETH/")]
assert len(weth) == 1, "no WETH in the folio"
print(f"done: {len(listed)} activities, WETH {weth[0]}")
