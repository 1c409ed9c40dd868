"""Plays the scenarios of `svc-sim corpus` with nothing but Python's standard library. Beside it: signer.py.

    svc-sim corpus --out corpus.json
    SVC_BASE_URL=... SVC_API_KEY=... python3 corpus_runner.py corpus.json [REACH]

REACH is read, plan (the default) or all, as of `svc-sim verify --only`. Accounts get money from SVC_FUND_URL, which receives a POST of
{address, asset, amount, network}. Prints a JSON object: the verdict of each probe that has a scenario. Slow probes are left out.
"""

import http.client
import json
import os
import re
import sys
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

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


def request(method, path, body=None, raw=None, key=KEY, headers={}, base=BASE):
    sent = {} if key is None else {"authorization": f"Bearer {key}"}
    text = raw if raw is not None else None if body is None else json.dumps(body)
    if text is not None:
        sent["content-type"] = "application/json"
    return ask(base, method, path, text, {**sent, **headers})


accounts, granted, shared = {}, set(), {}


def cast(given):
    """The accounts of a scenario, by name: each made once in the run, and paid for once."""
    for name, account in given["accounts"].items():
        if account.get("funds") and FUND_URL is None:
            raise NotExercised("needs money: set SVC_FUND_URL")
        if name not in accounts:
            key = signer.new_key()
            address = signer.address(key)
            status, body = request("POST", "/accounts", {"signer_type": "eoa", "signer_address": address})
            if status != 201:
                raise NotExercised(f"needs an account: {status} {body}")
            own = {"id": body["account_id"], "wallet": body["svc_wallet_address"], "signer": address}
            lower = {f"{field}_lower": own[field].lower() for field in ("wallet", "signer")}
            accounts[name] = {**own, **lower, "key": key}
        for network, assets in account.get("funds", {}).items():
            for asset, amount in assets.items():
                if (name, asset, network) not in granted:
                    url = urllib.parse.urlsplit(FUND_URL)
                    grant = {"address": accounts[name]["wallet"], "network": network, "asset": asset, "amount": amount}
                    request("POST", url.path, grant, base=url)
                    granted.add((name, asset, network))
    return {name: accounts[name] for name in given["accounts"]}


REFERENCE = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


def look_up(path, known):
    """What a reference such as plan.body.plan_id leads to."""
    value = known
    for field in path.split("."):
        try:
            value = value[int(field)] if isinstance(value, list) else value[field]
        except (KeyError, IndexError, TypeError, ValueError):
            raise Differs(f"{{{{{path}}}}} leads to nothing")
    return value


def resolve(value, known):
    """Puts values in place of references; a text that is one reference becomes the value itself."""
    if isinstance(value, str):
        whole = REFERENCE.fullmatch(value)
        if whole:
            return look_up(whole[1], known)
        return REFERENCE.sub(lambda found: str(look_up(found[1], known)), value)
    if isinstance(value, list):
        return [resolve(item, known) for item in value]
    if isinstance(value, dict):
        return {resolve(key, known): resolve(item, known) for key, item in value.items()}
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
    holds = True
    if "is" in rule:
        holds = type(seen) is type(rule["is"]) and seen == rule["is"]
    if "length" in rule:
        holds = holds and isinstance(seen, (list, dict)) and len(seen) == rule["length"]
    if "type" in rule:
        holds = holds and isinstance(seen, {"object": dict, "list": list, "text": str}[rule["type"]])
    if "exists" in rule:
        holds = holds and seen is MISSING
    if not holds:
        raise Differs(f"{rule}: seen {seen}")


def expect(answer, expected):
    status, body = answer
    code = (body.get("error", "") if isinstance(body, dict) else "") if status >= 400 else None
    allowed = expected.get("any_of", [expected])
    if not any(status == each["status"] and code == each.get("error") for each in allowed):
        raise Differs(f"expected {allowed}, seen {status} {body}")
    for rule in expected.get("where", []):
        check(body, rule)


def sign(how, digest, key):
    if how == "valid":
        return signer.sign(key, digest)
    if how == "other_key":
        return signer.sign(signer.new_key(), digest)
    if how == "personal_sign":
        prefix = b"\x19Ethereum Signed Message:\n32"
        return signer.sign(key, "0x" + signer.keccak(prefix + bytes.fromhex(digest[2:])).hex())
    return how


def wait(account, activity):
    """Waits until an activity has ended."""
    status, cursor = "pending", 0
    until = time.time() + 120
    while status not in ("confirmed", "failed") and time.time() < until:
        _, page = request("GET", f"/accounts/{account['id']}/events?since={cursor}&poll=true")
        cursor = page["cursor"]
        for event in page["events"]:
            if event["data"].get("activity_id") == activity:
                status = event["data"]["activity_status"]


def asked(step, known):
    """The request of a step, ready to be sent, and what is said of it."""
    if "call" in step:
        call = step["call"]
        more = {field: call[field] for field in ("body", "raw", "key", "headers") if field in call}
        return call, lambda: request(call["method"], call["path"], **more)
    if "plan" in step:
        plan = step["plan"]
        path = f"/accounts/{known[plan['account']]['id']}/plan/{plan['kind']}"
        return plan, lambda: request("POST", path, plan["body"])
    execute = step["execute"]
    plan = known[execute["plan"]]
    account = known[plan["account"]]
    digest = look_up("body.details.eip712_data.digest", plan)
    signature = sign(execute.get("signature", "valid"), digest, account["key"])
    sent = {"plan_id": look_up("body.plan_id", plan), "signature": signature}
    return execute, lambda: request("POST", f"/accounts/{account['id']}/plan/execute", sent)


background = ThreadPoolExecutor()


def play(step, known, waiting):
    step = resolve(step, known)
    if "advance" in step:
        return time.sleep(step["advance"])
    if "wait" in step:
        return wait(known[step["wait"]["account"]], look_up(f"{step['wait']['activity']}.body.activity_id", known))
    if "join" in step:
        return waiting[step["join"]]()
    said, send = asked(step, known)
    sending = background.submit(send)

    def finish():
        status, body = sending.result()
        if "as" in said:
            known[said["as"]] = {"status": status, "body": body, "account": said.get("account")}
        expect((status, body), said["expect"])

    if said.get("background"):
        waiting[said["as"]] = finish
    else:
        finish()


def play_scenario(scenario):
    known, waiting = cast(scenario["given"]), {}
    setup = scenario["given"].get("setup")
    if setup:
        key = json.dumps(setup)
        if key not in shared:
            own, joins = dict(known), {}
            try:
                for step in setup["steps"]:
                    play(step, own, joins)
                shared[key] = own, joins
            except Differs as problem:
                shared[key] = NotExercised(f"needs {setup['name']}: {problem}")
        if isinstance(shared[key], NotExercised):
            raise shared[key]
        known, waiting = ({**known, **shared[key][0]}, dict(shared[key][1]))
    for step in scenario["when"]:
        play(step, known, waiting)


def verdict(probe):
    try:
        play_scenario(probe["scenario"])
        return "conforms"
    except Differs as problem:
        print(f"{probe['name']}: {problem}", file=sys.stderr)
        return "differs"
    except NotExercised:
        return "not exercised"


corpus = json.load(open(sys.argv[1], encoding="utf-8"))
reach = REACHES[: REACHES.index(sys.argv[2] if len(sys.argv) > 2 else "plan") + 1]
chosen = [each for each in corpus["probes"] if each["scenario"] and each["reach"] in reach and not each["slow"]]
print(json.dumps({f"{each['axis']}: {each['name']}": verdict(each) for each in chosen}, indent=1))
