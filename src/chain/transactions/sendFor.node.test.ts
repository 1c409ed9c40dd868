import type { Address, Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { expect, test } from 'vitest'
import { stranger, useWorld } from '../../../test/kit/world.js'
import { actors } from '../../deployments/actors.js'
import { tokenAbi } from '../../generated/abis.js'
import { ChainRevert, sendAs } from './send.js'
import { sendFor } from './sendFor.js'

const world = useWorld(['base'])
const sink = stranger('sink')
const amount = 10_000_000n

function payment(value: bigint): { to: Address; data: Hex } {
  const usdc = world.on('base').book.tokens.find(({ symbol }) => symbol === 'USDC')!
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [sink, value] })
  return { to: usdc.address, data }
}

/** An account with gas money, so that only a missing signer can stop it from sending. */
async function payer(label: string): Promise<Address> {
  const account = stranger(label)
  await world.on('base').node.rpc.request('anvil_setBalance', [account, '0xde0b6b3a7640000'])
  return account
}

/** What must be as before: balance, nonce, and that nobody can send for the account. */
async function traceOf(account: Address) {
  const { rpc } = world.on('base').node
  const [balance, nonce] = await Promise.all([
    rpc.request<Hex>('eth_getBalance', [account, 'latest']),
    rpc.request<Hex>('eth_getTransactionCount', [account, 'latest']),
  ])
  // Test nodes impersonate every account by default.
  await rpc.request('anvil_autoImpersonateAccount', [false])
  const answer = await rpc
    .request('eth_sendTransaction', [{ from: account, to: sink }])
    .catch(({ message }: Error) => message)
  await rpc.request('anvil_autoImpersonateAccount', [true])
  return { balance, nonce, answer }
}

test('default: the call is mined, and the account keeps balance and nonce', async () => {
  const { node, give, balance } = world.on('base')
  const account = await payer('default')
  await give(account, 'USDC', amount)
  const before = await traceOf(account)
  await sendFor(node, account, payment(amount))
  expect(await balance(payment(0n).to, sink)).toBe(amount)
  expect(await traceOf(account)).toEqual(before)
  expect(before.answer).toBe('No Signer available')
})

test('behavior: the same call again is another transaction, mined before it is answered', async () => {
  const { node, give, balance } = world.on('base')
  const account = stranger('again')
  const hashes: Hex[] = []
  for (const round of [1n, 2n, 3n]) {
    await give(account, 'USDC', amount)
    hashes.push((await sendFor(node, account, payment(amount))).transactionHash)
    expect(await balance(payment(0n).to, sink)).toBe(amount * round)
  }
  expect(new Set(hashes).size).toBe(3)
})

test('behavior: two at once for one account leave it as it was', async () => {
  const { node, give, balance } = world.on('base')
  const account = await payer('at once')
  await give(account, 'USDC', 2n * amount)
  const before = await traceOf(account)
  await Promise.all([
    sendFor(node, account, payment(amount)),
    sendFor(node, account, payment(amount)),
  ])
  expect(await balance(payment(0n).to, sink)).toBe(2n * amount)
  expect(await traceOf(account)).toEqual(before)
})

test('error: a call that reverts leaves no trace either', async () => {
  const { node } = world.on('base')
  const account = await payer('poor')
  const before = await traceOf(account)
  await expect(sendFor(node, account, payment(amount))).rejects.toBeInstanceOf(ChainRevert)
  expect(await traceOf(account)).toEqual(before)
})

test('behavior: one of the simulator’s own accounts sends, and can go on sending', async () => {
  const { node, give, balance } = world.on('base')
  await give(actors.admin, 'USDC', 2n * amount)
  // Addresses come in either case.
  const account = actors.admin.toUpperCase().replace('0X', '0x') as Address
  const before = await balance(payment(0n).to, sink)
  for (const from of [actors.admin, account]) await sendFor(node, from, payment(amount))
  expect(await balance(payment(0n).to, sink)).toBe(before + 2n * amount)
  await sendAs(node, { from: actors.admin, to: sink })
})
