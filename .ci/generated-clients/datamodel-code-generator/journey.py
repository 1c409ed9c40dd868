import json
import os
import subprocess
import urllib.error
import urllib.request

from models import (
    Account,
    Activity,
    CreateAccount,
    EarnIntent,
    Error,
    ExecutePlan,
    ExecutionResult,
    Folio,
    Plan,
    SwapIntent,
)


def hand(*arguments):
    return subprocess.check_output(["node", os.environ["HAND"], *arguments], text=True)


def call(method, path, body=None):
    request = urllib.request.Request(
        os.environ["SVC_BASE_URL"] + path,
        method=method,
        data=None if body is None else body.model_dump_json(exclude_none=True).encode(),
        headers={
            "authorization": f"Bearer {os.environ['SVC_API_KEY']}",
            "content-type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


account = Account.model_validate(
    call("POST", "/accounts", CreateAccount(signer_type="eoa", signer_address=hand("signer")))
)
hand("fund", account.account_id)
path = f"/accounts/{account.account_id}"


def carry_out(answer):
    plan = Plan.model_validate(answer)
    signature = hand("sign", plan.details.eip712_data.digest)
    body = ExecutePlan(plan_id=plan.plan_id, signature=signature)
    executed = ExecutionResult.model_validate(call("POST", f"{path}/plan/execute", body))
    cursor = 0
    while True:
        cursor = call("GET", f"{path}/events?since={cursor}&poll=true")["cursor"]
        answer = call("GET", f"/activities/{executed.activity_id}")
        activity = Activity.model_validate(answer)
        if activity.activity_status != "pending":
            break
    assert activity.activity_status == "confirmed", activity
    actions = [action.root for execution in activity.executions for action in execution.actions]
    print(activity.svc_intent.root.intent_type, *(type(action).__name__ for action in actions))


def earn(amount):
    body = EarnIntent(amount=amount, asset="USDC", network="base", protocol="compound")
    return call("POST", f"{path}/plan/earn", body)


carry_out(earn("2000000"))
swap = SwapIntent(sell_asset="USDC", buy_asset="WETH", network="base", sell_amount="3000000")
carry_out(call("POST", f"{path}/plan/swap", swap))
carry_out(earn("15000000"))
try:
    earn("900000000000")
    raise SystemExit("not refused")
except urllib.error.HTTPError as refused:
    assert Error.model_validate_json(refused.read()).error == "plan_failed"
activities = [
    Activity.model_validate(each) for each in call("GET", f"{path}/activities")["activities"]
]
balances = Folio.model_validate(call("GET", f"{path}/folio")["folio"]).balances
weth = [balances[key] for key in balances if key.startswith("token/base/WETH/")]
assert len(weth) == 1, "no WETH in the folio"
print(f"done: {len(activities)} activities, WETH {weth[0]}")
