"""The first plan of docs/start/first-plan.md, with nothing but Python's standard library. Beside it: signer.py."""

import json
import os
import urllib.error
import urllib.request

import signer

BASE = os.environ.get("SVC_BASE_URL", "http://127.0.0.1:4477")
KEY = os.environ.get("SVC_API_KEY", "qk_local0_00000000000000000000")


def call(method, path, body=None):
    request = urllib.request.Request(
        BASE + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"authorization": f"Bearer {KEY}", "content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        hint = error.headers.get("x-svc-sim-hint")
        raise SystemExit(f"{problem['error']}: {problem['message']} ({hint})") from None


# 1. An account: the signer's key stays here.
private_key = signer.new_key()
account = call("POST", "/accounts", {"signer_type": "eoa", "signer_address": signer.address(private_key)})
path = f"/accounts/{account['account_id']}"

# 2. Funds from the faucet: 10 USDC on base.
usdc = {"asset": "USDC", "network": "base"}
call("POST", "/_sim/fund", {**usdc, "account_id": account["account_id"], "amount": "10000000"})

# 3. A plan: supply 4 USDC.
plan = call("POST", f"{path}/plan/earn", {**usdc, "amount": "4000000", "protocol": "compound"})

# 4. The signature over its digest, and execution.
signature = signer.sign(private_key, plan["details"]["eip712_data"]["digest"])
executed = call("POST", f"{path}/plan/execute", {"plan_id": plan["plan_id"], "signature": signature})

# 5. Events until the activity is through; each call waits until there is something new.
status, cursor = "pending", 0
while status == "pending":
    page = call("GET", f"{path}/events?since={cursor}&poll=true")
    cursor = page["cursor"]
    for event in page["events"]:
        # Events may come late or out of order: what is confirmed or failed stays so.
        if event["data"]["activity_id"] == executed["activity_id"] and status == "pending":
            status = event["data"]["activity_status"]

print(f"{status}: {executed['activity_id']}")
