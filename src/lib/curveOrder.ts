/** The order of secp256k1: a private key is smaller, and not zero; wallets refuse a signature whose s is above half of it. */
export const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
