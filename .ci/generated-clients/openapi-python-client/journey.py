import os
import subprocess

from svc import AuthenticatedClient
from svc.api.accounts import create_account
from svc.api.activities import get_activity, list_activities, list_events
from svc.api.plans import execute_plan, plan_earn, plan_swap
from svc.api.portfolio import get_folio
from svc.models import (
    CreateAccount,
    CreateAccountSignerType,
    EarnIntent,
    EarnIntentNetwork,
    EarnIntentProtocol,
    Error,
    ExecutePlan,
    SwapIntent,
    SwapIntentNetwork,
)

client = AuthenticatedClient(
    base_url=os.environ["SVC_BASE_URL"], token=os.environ["SVC_API_KEY"], timeout=60
)


def hand(*arguments):
    return subprocess.check_output(["node", os.environ["HAND"], *arguments], text=True)


def wanted(answer):
    if answer is None or isinstance(answer, Error):
        raise SystemExit(f"unexpected answer: {answer}")
    return answer


account = wanted(
    create_account.sync(
        client=client,
        body=CreateAccount(
            signer_type=CreateAccountSignerType.EOA, signer_address=hand("signer")
        ),
    )
)
hand("fund", account.account_id)


def carry_out(answer):
    plan = wanted(answer)
    signature = hand("sign", plan.details.eip712_data.digest)
    body = ExecutePlan(plan_id=plan.plan_id, signature=signature)
    executed = wanted(execute_plan.sync(account.account_id, client=client, body=body))
    cursor = 0
    while True:
        page = wanted(list_events.sync(account.account_id, client=client, since=cursor, poll=True))
        cursor = page.cursor
        activity = wanted(get_activity.sync(executed.activity_id, client=client))
        if activity.activity_status != "pending":
            break
    assert activity.activity_status == "confirmed", activity
    actions = [action for execution in activity.executions for action in execution.actions]
    print(type(activity.svc_intent).__name__, *(type(action).__name__ for action in actions))
    # A union without its discriminator gives the first variant that fits.
    for action in actions:
        assert type(action).__name__ == action.action_type.title().replace("_", "") + "Action"


def earn(amount):
    body = EarnIntent(
        amount=amount,
        asset="USDC",
        network=EarnIntentNetwork.BASE,
        protocol=EarnIntentProtocol.COMPOUND,
    )
    return plan_earn.sync(account.account_id, client=client, body=body)


carry_out(earn("2000000"))
swap = SwapIntent(
    sell_asset="USDC", buy_asset="WETH", network=SwapIntentNetwork.BASE, sell_amount="3000000"
)
carry_out(plan_swap.sync(account.account_id, client=client, body=swap))
carry_out(earn("15000000"))
refused = earn("900000000000")
assert isinstance(refused, Error) and refused.error == "plan_failed", refused
activities = wanted(list_activities.sync(account.account_id, client=client)).activities
balances = wanted(get_folio.sync(account.account_id, client=client)).folio.balances
weth = [balances[key] for key in balances.additional_keys if key.startswith("token/base/WETH/")]
assert len(weth) == 1, "no WETH in the folio"
print(f"done: {len(activities)} activities, WETH {weth[0]}")
