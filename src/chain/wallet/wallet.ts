import type { Address, Hex } from 'viem'
import { concat, getCreate2Address, keccak256, padHex } from 'viem/utils'
import { svcAddresses } from '../../generated/svc.js'

const salt = padHex('0x', { size: 32 })

/**
 * Creation code of a minimal proxy (ERC-1167) with the signer as its immutable argument, as OpenZeppelin's
 * `Clones.cloneDeterministicWithImmutableArgs` makes it: the runtime has 45 bytes of proxy and 32 of argument.
 */
function proxyCode(signer: Address): Hex {
  return concat([
    '0x61004d3d81600a3d39f3363d3d373d3d3d363d73',
    svcAddresses.walletImplementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    padHex(signer.toLowerCase() as Address, { size: 32 }),
  ])
}

/**
 * The wallet of a signer: the same address on every network, known before anything is deployed (interface.md, "What the
 * service does"). Lower case. Equal to `SvcWalletFactory.walletAddressOf`.
 */
export function walletAddressOf(signer: Address): Address {
  return getCreate2Address({
    from: svcAddresses.factory,
    salt,
    bytecodeHash: keccak256(proxyCode(signer)),
  }).toLowerCase() as Address
}
