"""Tries again after 20 ms, 40 ms, 80 ms ..., whatever `retry-after` says."""

from support import GIFT, carry_out, follow, open_account, request


def hasty(method, path, body=None, timeout=2.0):
    status, answer, _ = request(method, path, body, timeout)
    return status, answer, 0.0


account = open_account(send=hasty)
follow(account, carry_out(account, GIFT, send=hasty), send=hasty)
