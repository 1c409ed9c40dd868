"""urllib waits as long as it takes: nobody has told it not to."""

from support import GIFT, carry_out, follow, open_account, request


def trusting(method, path, body=None, timeout=None):
    return request(method, path, body, timeout=None)


account = open_account(send=trusting)
follow(account, carry_out(account, GIFT, send=trusting), send=trusting)
