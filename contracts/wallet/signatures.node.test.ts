import { type Hex, parseSignature } from 'viem'
import { concat, encodeFunctionData, pad, size, slice, toHex } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  encodeExecution,
  multiDigest,
  operationDigest,
  type SignedOperation,
  walletAddressOf,
} from '../../src/chain/wallet/wallet.js'
import { probeScriptAbi, svcWalletAbi } from '../../src/generated/abis.js'
import {
  execute,
  operation,
  type Person,
  person,
  revertOf,
  startWalletWorld,
  storeScript,
  type WalletWorld,
} from '../kit.js'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const alice = person(1)
const bob = person(2)
let base: WalletWorld
let optimism: WalletWorld
let op: SignedOperation

beforeAll(async () => {
  ;[base, optimism] = await Promise.all([startWalletWorld('base'), startWalletWorld('optimism')])
  const [probe] = await Promise.all([base, optimism].map((w) => storeScript(w, 'ProbeScript')))
  op = harmless(probe!)
})
afterAll(() => Promise.all([base.stop(), optimism.stop()]))

test('error: the signature of somebody else', async () => {
  expect(await refusal(op, await bob.sign(digestOf(op)))).toBe('BadSignatory()')
})

test('error: a signature of any length but 65 bytes', async () => {
  const signature = await alice.sign(digestOf(op))
  const wrong = [slice(signature, 0, 64), concat([signature, '0x00']), '0x'] as const
  expect(wrong.map((each) => size(each))).toEqual([64, 66, 0])
  for (const each of wrong) expect(await refusal(op, each)).toBe('InvalidSignature()')
})

test('error: the other signature of the same key, with s in the upper half', async () => {
  const { r, s, yParity } = parseSignature(await alice.sign(digestOf(op)))
  const flipped = toHex(curveOrder - BigInt(s), { size: 32 })
  const signature = concat([r, flipped, toHex(28 - yParity)])
  expect(await refusal(op, signature)).toBe('InvalidSignature()')
})

test('error: v that is not 27 or 28', async () => {
  const signature = await alice.sign(digestOf(op))
  for (const v of [0, 1, 26, 29, 255])
    expect(await refusal(op, concat([slice(signature, 0, 64), toHex(v, { size: 1 })]))).toBe(
      'InvalidSignature()',
    )
})

test('error: a signature that is all zeros, or over something that was changed since', async () => {
  expect(await refusal(op, pad('0x', { size: 65 }))).toBe('InvalidSignature()')
  const signature = await alice.sign(digestOf(op))
  for (const change of [
    { nonce: pad('0xabc') },
    { isReplayable: true },
    { scriptAddress: alice.wallet },
    { scriptSources: ['0x00'] as const },
    { scriptCalldata: '0x' } as const,
    { expiry: op.expiry + 1 },
  ])
    expect(await refusal({ ...op, ...change }, signature)).toBe('BadSignatory()')
})

test('error: a signature for another chain, which that chain accepts', async () => {
  const digest = operationDigest(op, optimism.chainId, alice.wallet).digest
  const signature = await alice.sign(digest)
  expect(await refusal(op, signature)).toBe('BadSignatory()')
  await optimism.send(encodeExecution({ signer: alice.address, operations: [op], signature }))
})

test('error: a signature for another wallet', async () => {
  const digest = operationDigest(op, base.chainId, bob.wallet).digest
  expect(await refusal(op, await alice.sign(digest))).toBe('BadSignatory()')
})

test('error: the signature of one operation does for no list, and the other way round', async () => {
  const list = [digestOf(op)]
  const single = await alice.sign(digestOf(op))
  expect(await refusal(op, single, list)).toBe('BadSignatory()')
  expect(await refusal(op, await alice.sign(multiDigest(list).digest))).toBe('BadSignatory()')
})

test('error: an operation that is not in the signed list', async () => {
  const other = harmless(op.scriptAddress)
  const list = [digestOf(other), pad('0x1')]
  const signature = await alice.sign(multiDigest(list).digest)
  expect(await refusal(op, signature, list)).toBe('InvalidMultiOperation()')
  // Adding it to the list makes another list, which nobody signed.
  expect(await refusal(op, signature, [...list, digestOf(op)])).toBe('BadSignatory()')
})

test('error: one operation of a batch is not in the signed list', async () => {
  const other = harmless(op.scriptAddress)
  for (const listed of [op, other]) {
    const opDigests = [digestOf(listed)]
    const signature = await alice.sign(multiDigest(opDigests).digest)
    const execution = { signer: alice.address, operations: [op, other], opDigests, signature }
    expect(await revertOf(base.send(encodeExecution(execution)))).toBe('InvalidMultiOperation()')
  }
})

test('error: a list that is empty', async () => {
  const signature = await alice.sign(multiDigest([]).digest)
  expect(await refusal(op, signature, [])).toBe('InvalidMultiOperation()')
})

test('default: anybody may submit what the signer has signed', async () => {
  const { status } = await execute(base, alice, harmless(op.scriptAddress))
  expect(status).toBe('0x1')
})

test('behavior: one signature reaches the wallets of two chains', async () => {
  const carol = person(3)
  const [first, second] = [harmless(op.scriptAddress), harmless(op.scriptAddress)]
  const opDigests = [
    operationDigest(first, base.chainId, carol.wallet).digest,
    operationDigest(second, optimism.chainId, carol.wallet).digest,
  ]
  const signature = await carol.sign(multiDigest(opDigests).digest)
  const call = (one: SignedOperation) =>
    encodeExecution({ signer: carol.address, operations: [one], opDigests, signature })
  expect(await revertOf(base.send(call(second)))).toBe('InvalidMultiOperation()')
  expect((await base.send(call(first))).status).toBe('0x1')
  expect((await optimism.send(call(second))).status).toBe('0x1')
})

test('behavior: a contract as signer is asked for itself', async () => {
  // The wallet of dave is the signer of a second wallet: it stands for any contract that has EIP-1271.
  const dave = person(4)
  await execute(base, dave, harmless(op.scriptAddress))
  const owned = contractSigned(dave)
  const call = async (by: Person) => {
    const one = harmless(op.scriptAddress)
    const digest = operationDigest(one, base.chainId, owned.wallet).digest
    const signature = await by.sign(digest)
    return encodeExecution({ signer: owned.address, operations: [one], signature })
  }
  expect(await revertOf(base.send(await call(bob)))).toBe('InvalidEIP1271Signature()')
  expect((await base.send(await call(dave))).status).toBe('0x1')
  expect(await isValid(owned.wallet, pad('0x77'), await dave.sign(pad('0x77')))).toBe('0x1626ba7e')
  expect(await isValid(owned.wallet, pad('0x77'), await bob.sign(pad('0x77')))).toBe('0xffffffff')
})

test('error: a contract as signer that knows nothing of signatures', async () => {
  const token = base.book.tokens.find((t) => !t.native)!.address
  for (const signer of [token, op.scriptAddress]) {
    const digest = operationDigest(op, base.chainId, walletAddressOf(signer)).digest
    const execution = { signer, operations: [op], signature: await alice.sign(digest) }
    expect(await revertOf(base.send(encodeExecution(execution)))).toBe('InvalidEIP1271Signature()')
  }
})

test('behavior: a wallet says which signatures are its signer’s', async () => {
  const erin = person(5)
  await execute(base, erin, harmless(op.scriptAddress))
  const signature = await erin.sign(pad('0x55'))
  expect(await isValid(erin.wallet, pad('0x55'), signature)).toBe('0x1626ba7e')
  expect(await isValid(erin.wallet, pad('0x56'), signature)).toBe('0xffffffff')
  expect(await isValid(erin.wallet, pad('0x55'), slice(signature, 0, 64))).toBe('0xffffffff')
})

/** An operation that does nothing but run. */
function harmless(probe: Hex): SignedOperation {
  return operation(probe, encodeFunctionData({ abi: probeScriptAbi, functionName: 'whereAmI' }))
}

function digestOf(one: SignedOperation): Hex {
  return operationDigest(one, base.chainId, alice.wallet).digest
}

/** How alice's wallet on base refuses an operation. */
function refusal(one: SignedOperation, signature: Hex, opDigests?: Hex[]): Promise<string> {
  const execution = { signer: alice.address, operations: [one], opDigests, signature }
  return revertOf(base.send(encodeExecution(execution)))
}

/** The wallet whose signer is the wallet of a person. */
function contractSigned({ wallet }: Person) {
  return { address: wallet, wallet: walletAddressOf(wallet) }
}

async function isValid(wallet: Hex, hash: Hex, signature: Hex): Promise<Hex> {
  const args = [hash, signature] as const
  const data = encodeFunctionData({ abi: svcWalletAbi, functionName: 'isValidSignature', args })
  return slice(await base.call(wallet, data), 0, 4)
}
