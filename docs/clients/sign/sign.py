"""Signs a plan with eth-account. The plan comes on standard input, the key in SIGNER_KEY; prints the signature for `execute`."""

import json
import os
import sys

from eth_account import Account
from eth_account.messages import encode_typed_data
from eth_utils import keccak

NAME = [{"name": "name", "type": "string"}, {"name": "version", "type": "string"}]
CHAIN = [{"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}]
OPERATION = [
    {"name": "nonce", "type": "bytes32"},
    {"name": "isReplayable", "type": "bool"},
    {"name": "scriptAddress", "type": "address"},
    {"name": "scriptSources", "type": "bytes[]"},
    {"name": "scriptCalldata", "type": "bytes"},
    {"name": "expiry", "type": "uint256"},
]


def data(text):
    return bytes.fromhex(text[2:])


def digest_of(domain_type, domain, primary_type, fields, message):
    signable = encode_typed_data(
        full_message={
            "domain": domain,
            "types": {"EIP712Domain": domain_type, primary_type: fields},
            "primaryType": primary_type,
            "message": message,
        }
    )
    return keccak(b"\x19" + signable.version + signable.header + signable.body)


def operation_digest(item):
    """The digest of one operation: bound to its chain and to the account's wallet."""
    operation, action = item["operation"], item["action"]
    domain = {
        "name": "Svc Wallet",
        "version": "1",
        "chainId": int(action["chain_id"]),
        "verifyingContract": action["svc_account"],
    }
    message = {
        "nonce": data(operation["nonce"]),
        "isReplayable": operation["is_replayable"],
        "scriptAddress": operation["script_address"],
        "scriptSources": [data(source) for source in operation["script_sources"]],
        "scriptCalldata": data(operation["script_calldata"]),
        "expiry": int(operation["expiry"]),
    }
    return digest_of(NAME + CHAIN, domain, "SvcOperation", OPERATION, message)


def plan_digest(plan):
    """One operation is signed as it is; several are signed as the list of their digests, without a chain."""
    digests = [operation_digest(item) for item in plan["details"]["svc_operation_actions"]]
    if len(digests) == 1:
        return digests[0]
    domain = {"name": "Svc Wallet", "version": "1"}
    fields = [{"name": "opDigests", "type": "bytes32[]"}]
    return digest_of(NAME, domain, "MultiSvcOperation", fields, {"opDigests": digests})


plan = json.load(sys.stdin)
digest = plan_digest(plan)
asked = plan["details"]["eip712_data"]["digest"]
if "0x" + digest.hex() != asked:
    sys.exit(f"the plan asks to sign {asked}, but its operations make 0x{digest.hex()}: do not sign it")
print("0x" + Account.unsafe_sign_hash(digest, os.environ["SIGNER_KEY"]).signature.hex().removeprefix("0x"))
