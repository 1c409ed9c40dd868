"""What the Python clients of this folder share. Standard library alone; the signer is that of docs/clients."""

import json
import os
import sys
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "docs", "clients"))
import signer  # noqa: E402

BASE = os.environ["SVC_BASE_URL"]
CONTROL = os.environ["SVC_CONTROL_URL"]
KEY = "0x" + "5" * 64
FRIEND = "0x00000000000000000000000000000000000f41e7"
GIFT = {"asset": "USDC", "amount": "2000000", "network": "base", "recipient": FRIEND}
NO_ANSWER = (urllib.error.URLError, OSError, ValueError, EOFError)


def request(method, path, body=None, timeout=2.0):
    """One request: status, body, and how long the service asks to wait. Status 0 when no whole answer comes."""
    data = None if body is None else json.dumps(body).encode()
    headers = {
        "authorization": "Bearer " + os.environ["SVC_API_KEY"],
        "content-type": "application/json",
    }
    asked = urllib.request.Request(BASE + path, data=data, method=method, headers=headers)
    try:
        try:
            response = urllib.request.urlopen(asked, timeout=timeout)
        except urllib.error.HTTPError as refused:
            response = refused
        with response:
            wait = float(response.headers.get("retry-after", 0))
            return response.status, json.loads(response.read()), wait
    except Exception as error:  # cut, late, or half an answer
        return 0, {"error": str(error)}, 0.0


def passes(status):
    return status in (0, 408, 422, 429) or status >= 500


def patiently(method, path, body=None, timeout=2.0, send=request):
    for tries in range(10):
        status, answer, wait = send(method, path, body, timeout)
        if not passes(status):
            break
        time.sleep(max(wait, min(0.02 * 2**tries, 0.5)))
    return status, answer


def open_account(amount="5000000", send=request):
    address = signer.address(KEY)
    status, account = patiently(
        "POST", "/accounts", {"signer_type": "eoa", "signer_address": address}, send=send
    )
    if status == 409:
        _, listed = patiently("GET", "/accounts", send=send)
        account = next(
            each for each in listed["accounts"] if each["signer_address"].lower() == address.lower()
        )
    fund = {"account_id": account["account_id"], "asset": "USDC", "amount": amount, "network": "base"}
    asked = urllib.request.Request(
        CONTROL + "/fund", json.dumps(fund).encode(), {"content-type": "application/json"}
    )
    urllib.request.urlopen(asked).close()
    return "/accounts/" + account["account_id"]


def make_plan(path, intent, kind="transfer", send=request):
    status, plan = patiently("POST", f"{path}/plan/{kind}", intent, send=send)
    if status != 201:
        raise SystemExit(f"no plan: {status} {plan}")
    return plan


def execute(path, plan, timeout=2.0, send=request):
    signature = signer.sign(KEY, plan["details"]["eip712_data"]["digest"])
    body = {"plan_id": plan["plan_id"], "signature": signature}
    return send("POST", f"{path}/plan/execute", body, timeout)


def activity_of(path, plan, send=request):
    _, listed = patiently("GET", f"{path}/activities", send=send)
    for each in listed["activities"]:
        if each["plan_id"] == plan["plan_id"]:
            return each["activity_id"]
    return None


def carry_out(path, intent, send=request, plan=None, note=lambda plan: None):
    """
    Exactly once: after an answer that says neither yes nor no it looks, before it does anything again. It begins with `plan`, of an
    earlier life; `note` keeps each plan before it is executed.
    """
    if plan:
        done = activity_of(path, plan, send=send)
        if done:
            return done
    for _ in range(6):
        plan = plan or make_plan(path, intent, send=send)
        note(plan)
        for _ in range(6):
            status, answer, wait = execute(path, plan, send=send)
            if status in (200, 202):
                return answer["activity_id"]
            done = activity_of(path, plan, send=send)
            if done:
                return done
            if status in (404, 409):
                break
            time.sleep(max(wait, 0.05))
        plan = None
    raise SystemExit("no plan could be executed")


def follow(path, activity_id, send=request):
    cursor = 0
    for _ in range(60):
        _, activity = patiently("GET", f"/activities/{activity_id}", send=send)
        if activity.get("activity_status") == "confirmed":
            return
        if activity.get("activity_status") == "failed":
            raise SystemExit(f"{activity_id} failed")
        status, page, wait = send("GET", f"{path}/events?since={cursor}&poll=true", None, 30.0)
        if status == 200:
            cursor = page["cursor"]
        else:
            time.sleep(max(wait, 0.05))
    raise SystemExit(f"{activity_id} does not end")
