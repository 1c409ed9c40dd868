"""Retries connections that break. A status of 500 is the service's own fault, though."""

from support import GIFT, carry_out, follow, open_account, request


def strict(method, path, body=None, timeout=2.0):
    status, answer, wait = request(method, path, body, timeout)
    if status >= 500:
        raise SystemExit(f"{method} {path}: the service failed with {status}")
    return status, answer, wait


account = open_account(send=strict)
follow(account, carry_out(account, GIFT, send=strict), send=strict)
