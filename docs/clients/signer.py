"""Keys and signatures of accounts with nothing but Python's standard library: secp256k1, Keccak-256, RFC 6979.

For tests only: it takes no care of how long it takes, which gives keys away to whoever can measure it.

    python3 signer.py new            prints a new private key and its address
    python3 signer.py sign KEY HASH  prints the signature of a hash, as `execute` takes it
"""

import hashlib
import hmac
import secrets
import sys

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(a, b):
    """The sum of two points of the curve; None is the one at infinity."""
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    if a == b:
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(times, point):
    total = None
    while times:
        if times & 1:
            total = add(total, point)
        point = add(point, point)
        times >>= 1
    return total


def keccak(data):
    """Keccak-256 as Ethereum has it, which is not hashlib's sha3_256: the padding differs."""
    lanes = [[0] * 5 for _ in range(5)]
    turn = lambda value, by: ((value << by % 64) | (value >> (64 - by % 64))) & (2**64 - 1)

    def permute():
        lfsr = 1
        for _ in range(24):
            column = [lanes[x][0] ^ lanes[x][1] ^ lanes[x][2] ^ lanes[x][3] ^ lanes[x][4] for x in range(5)]
            for x in range(5):
                for y in range(5):
                    lanes[x][y] ^= column[(x + 4) % 5] ^ turn(column[(x + 1) % 5], 1)
            x, y, current = 1, 0, lanes[1][0]
            for step in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                current, lanes[x][y] = lanes[x][y], turn(current, (step + 1) * (step + 2) // 2)
            for y in range(5):
                row = [lanes[x][y] for x in range(5)]
                for x in range(5):
                    lanes[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
            for bit in range(7):
                lfsr = ((lfsr << 1) ^ ((lfsr >> 7) * 0x171)) & 0xFF
                if lfsr & 2:
                    lanes[0][0] ^= 1 << ((1 << bit) - 1)

    rate = 136
    padded = bytearray(data) + b"\x01" + bytes(-(len(data) + 1) % rate)
    padded[-1] ^= 0x80
    for start in range(0, len(padded), rate):
        for place in range(rate // 8):
            word = padded[start + 8 * place : start + 8 * place + 8]
            lanes[place % 5][place // 5] ^= int.from_bytes(word, "little")
        permute()
    return b"".join(lanes[place][0].to_bytes(8, "little") for place in range(4))


def new_key():
    return f"0x{secrets.randbelow(N - 1) + 1:064x}"


def address(key):
    x, y = multiply(int(key, 16), G)
    return "0x" + keccak(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()


def nonces(secret, digest):
    """RFC 6979: the same key and hash give the same signature."""
    k, v = bytes(32), b"\x01" * 32
    seed = secret.to_bytes(32, "big") + (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
    mac = lambda key, text: hmac.new(key, text, hashlib.sha256).digest()
    for separator in (b"\x00", b"\x01"):
        k = mac(k, v + separator + seed)
        v = mac(k, v)
    while True:
        v = mac(k, v)
        yield int.from_bytes(v, "big")
        k = mac(k, v + b"\x00")
        v = mac(k, v)


def sign(key, hash_hex):
    """The signature of a hash as it is, without the prefix of personal messages."""
    secret, digest = int(key, 16), bytes.fromhex(hash_hex[2:])
    for nonce in nonces(secret, digest):
        if not 0 < nonce < N:
            continue
        x, y = multiply(nonce, G)
        r = x % N
        s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + r * secret) % N
        if r == 0 or s == 0 or x >= N:
            continue
        parity = y & 1
        if s > N // 2:  # Of the two that are valid, contracts take the lower one.
            s, parity = N - s, parity ^ 1
        return f"0x{r:064x}{s:064x}{27 + parity:02x}"


if __name__ == "__main__":
    if sys.argv[1:] == ["new"]:
        made = new_key()
        print(made, address(made))
    elif len(sys.argv) == 4 and sys.argv[1] == "sign":
        print(sign(sys.argv[2], sys.argv[3]))
    else:
        sys.exit(__doc__)
