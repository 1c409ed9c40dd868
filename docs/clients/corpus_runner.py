"""Runs the probes of `svc-sim corpus` with nothing but Python's standard library. Beside it: signer.py.

    svc-sim corpus --out corpus.json
    SVC_BASE_URL=... SVC_API_KEY=... python3 corpus_runner.py corpus.json [REACH]

REACH is read, plan (the default) or all, as of `svc-sim verify --only`. Accounts get money from SVC_FUND_URL, which receives a POST of
{address, asset, amount, network}. Prints a JSON object: the verdict of each probe that has steps. Slow probes are left out.
"""

import http.client
import json
import os
import re
import sys
import time
import urllib.parse

import signer

BASE = urllib.parse.urlsplit(os.environ.get("SVC_BASE_URL", "http://127.0.0.1:4477"))
KEY = os.environ.get("SVC_API_KEY", "qk_local0_00000000000000000000")
FUND_URL = os.environ.get("SVC_FUND_URL")
REACHES = ["read", "plan", "all"]


class Differs(Exception):
    """The server does not do what the step expects."""


class NotExercised(Exception):
    """The probe cannot find out."""


def ask(base, method, path, body=None, headers={}):
    """One request; returns the status, and the body parsed where it is JSON."""
    connection = http.client.HTTPConnection(base.hostname, base.port, timeout=60)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    kind = response.getheader("content-type", "")
    return response.status, json.loads(text) if kind.startswith("application/json") and text else text


def post(path, body, base=BASE):
    sent = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    return ask(base, "POST", path, json.dumps(body), sent)


def get(path):
    return ask(BASE, "GET", path, headers={"authorization": f"Bearer {KEY}"})


accounts, granted, shared = {}, set(), {}


def enter(name, funds):
    """The account of a name, made once in the run and paid for once."""
    if name not in accounts:
        key = signer.new_key()
        address = signer.address(key)
        status, body = post("/accounts", {"signer_type": "eoa", "signer_address": address})
        if status != 201:
            raise NotExercised(f"needs an account: {status} {body}")
        accounts[name] = {"key": key, "signer": address, "id": body["account_id"], "wallet": body["svc_wallet_address"]}
    for fund in funds or []:
        if FUND_URL is None:
            raise NotExercised("needs money: set SVC_FUND_URL")
        grant = (name, fund["asset"], fund["network"])
        if grant not in granted:
            url = urllib.parse.urlsplit(FUND_URL)
            post(url.path, {**fund, "address": accounts[name]["wallet"]}, url)
            granted.add(grant)
    return accounts[name]


def fill(value, names):
    """Puts values in place of their names; a text that is one name becomes the value itself."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\{([\w.]+)\}", value)
        if whole and whole[1] in names:
            return names[whole[1]]
        return re.sub(r"\{([\w.]+)\}", lambda found: str(names.get(found[1], found[0])), value)
    if isinstance(value, list):
        return [fill(item, names) for item in value]
    if isinstance(value, dict):
        return {key: fill(item, names) for key, item in value.items()}
    return value


def has(value, part):
    if not isinstance(part, dict):
        return value == part
    return isinstance(value, dict) and all(has(value.get(key), each) for key, each in part.items())


MISSING = object()


def inside(value, place):
    for key in place:
        if isinstance(key, dict):
            value = next((item for item in value if has(item, key)), MISSING) if isinstance(value, list) else MISSING
        elif isinstance(key, int):
            value = value[key] if isinstance(value, list) and -len(value) <= key < len(value) else MISSING
        else:
            value = value.get(key, MISSING) if isinstance(value, dict) else MISSING
    return value


def check(body, rule):
    seen = inside(body, rule["at"])
    if "equals" in rule:
        holds = type(seen) is type(rule["equals"]) and seen == rule["equals"]
    elif "length" in rule:
        holds = isinstance(seen, (list, dict)) and len(seen) == rule["length"]
    elif "absent" in rule:
        holds = seen is MISSING
    else:
        holds = isinstance(seen, {"object": dict, "list": list, "text": str}[rule["type"]])
    if not holds:
        raise Differs(f"{rule}: seen {seen}")


def expect(answer, allowed):
    status, body = answer
    code = (body.get("error", "") if isinstance(body, dict) else "") if status >= 400 else None
    if not any(status == each["status"] and code == each.get("code") for each in allowed):
        raise Differs(f"expected {allowed}, seen {status} {body}")
    return body


def sign(how, digest, key):
    if how == "valid":
        return signer.sign(key, digest)
    if how == "other_key":
        return signer.sign(signer.new_key(), digest)
    if how == "personal_sign":
        prefix = b"\x19Ethereum Signed Message:\n32"
        return signer.sign(key, "0x" + signer.keccak(prefix + bytes.fromhex(digest[2:])).hex())
    return how


def settle(account, activity):
    status, cursor = "pending", 0
    until = time.time() + 120
    while status not in ("confirmed", "failed") and time.time() < until:
        _, page = get(f"/accounts/{account['id']}/events?since={cursor}&poll=true")
        cursor = page["cursor"]
        for event in page["events"]:
            if event["data"].get("activity_id") == activity:
                status = event["data"]["activity_status"]


def play(step, names, plans):
    if "account" in step:
        account = enter(step["account"], step.get("funds"))
        for field in ("id", "wallet", "signer"):
            names[f"{step['account']}.{field}"] = account[field]
            names[f"{step['account']}.{field}_lower"] = account[field].lower()
        return
    if "wait" in step:
        return time.sleep(step["wait"])
    if "settle" in step:
        return settle(plans[step["settle"]]["account"], plans[step["settle"]]["activity"])
    if "send" in step:
        body = expect(send(step["send"]), step["expect"])
    elif "plan" in step:
        account = accounts[step["by"]]
        body = expect(post(f"/accounts/{account['id']}/plan/{step['kind']}", step["body"]), [{"status": 201}])
        plans[step["plan"]] = {"account": account, "body": body}
    else:
        plan = plans[step["execute"]]
        digest = plan["body"]["details"]["eip712_data"]["digest"]
        signature = sign(step["sign"], digest, plan["account"]["key"])
        sent = {"plan_id": plan["body"]["plan_id"], "signature": signature}
        body = expect(post(f"/accounts/{plan['account']['id']}/plan/execute", sent), step["expect"])
        plan["activity"] = body.get("activity_id")
    for rule in step.get("checks", []):
        check(body, rule)
    for name, place in step.get("keep", {}).items():
        names[name] = inside(body, place)


def send(request):
    key = request.get("key", KEY)
    headers = {} if key is None else {"authorization": f"Bearer {key}"}
    text = request.get("raw", json.dumps(request["body"]) if "body" in request else None)
    if text is not None:
        headers["content-type"] = "application/json"
    return ask(BASE, request["method"], request["path"], text, {**headers, **request.get("headers", {})})


def play_all(steps):
    names, plans = {}, {}
    for step in steps:
        if "once" not in step:
            play(fill(step, names), names, plans)
            continue
        if step["once"] not in shared:
            try:
                shared[step["once"]] = play_all(step["steps"])
            except Differs as problem:
                shared[step["once"]] = NotExercised(f"needs {step['once']}: {problem}")
        if isinstance(shared[step["once"]], NotExercised):
            raise shared[step["once"]]
        names.update(shared[step["once"]][0])
        plans.update(shared[step["once"]][1])
    return names, plans


def verdict(probe):
    try:
        play_all(probe["steps"])
        return "conforms"
    except Differs as problem:
        print(f"{probe['name']}: {problem}", file=sys.stderr)
        return "differs"
    except NotExercised:
        return "not exercised"


corpus = json.load(open(sys.argv[1], encoding="utf-8"))
reach = REACHES[: REACHES.index(sys.argv[2] if len(sys.argv) > 2 else "plan") + 1]
chosen = [each for each in corpus["probes"] if each["steps"] and each["reach"] in reach and not each["slow"]]
print(json.dumps({f"{each['axis']}: {each['name']}": verdict(each) for each in chosen}, indent=1))
