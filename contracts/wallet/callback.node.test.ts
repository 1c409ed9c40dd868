import type { Address, Hex } from 'viem'
import { encodeDeployData, encodeFunctionData, getAddress } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { artifact } from '../../src/chain/genesis/contracts.js'
import {
  callbackCallerAbi,
  callbackProbeAbi,
  tokenAbi,
  walletSimulatorAbi,
} from '../../src/generated/abis.js'
import { walletSimulatorCode } from '../../src/generated/svc.js'
import {
  eventsOf,
  execute,
  operation,
  person,
  revertOf,
  startWalletWorld,
  storeScript,
  type WalletWorld,
} from '../kit.js'

const stranger: Address = '0x00000000000000000000000000000000000000aa'
let world: WalletWorld
let probe: Address
let caller: Address

beforeAll(async () => {
  world = await startWalletWorld('base')
  probe = await storeScript(world, 'CallbackProbe')
  const data = encodeDeployData({
    abi: callbackCallerAbi,
    bytecode: artifact('CallbackCaller').bytecode,
  })
  const receipt = await world.send({ data })
  caller = receipt.contractAddress!
})
afterAll(() => world.stop())

function askData(times: bigint, expected = caller): Hex {
  const args = [expected, caller, times] as const
  return encodeFunctionData({ abi: callbackProbeAbi, functionName: 'ask', args })
}

const called = encodeFunctionData({ abi: callbackProbeAbi, functionName: 'called', args: [1n] })

test('error: nobody can call a wallet that expects no call', async () => {
  const alice = person(140)
  await execute(world, alice, operation(probe, askData(0n)))
  // The permission of the transaction before was not used, and ended with it.
  for (const from of [caller, stranger])
    expect(
      await revertOf(world.request('eth_call', [{ from, to: alice.wallet, data: called }])),
    ).toBe(`UnexpectedCall(${getAddress(from)})`)
  const unknown = encodeFunctionData({ abi: tokenAbi, functionName: 'decimals' })
  expect(await revertOf(world.call(alice.wallet, unknown))).toMatch(/^UnexpectedCall\(/)
})

test('error: another contract than the expected one', async () => {
  const op = operation(probe, askData(1n, stranger))
  expect(await revertOf(execute(world, person(141), op))).toBe(
    `UnexpectedCall(${getAddress(caller)})`,
  )
})

test('error: a second call', async () => {
  expect(await revertOf(execute(world, person(142), operation(probe, askData(2n))))).toBe(
    `UnexpectedCall(${getAddress(caller)})`,
  )
})

test('error: a permission used by one operation of a batch is not there for the next', async () => {
  const alice = person(143)
  const call = encodeFunctionData({
    abi: callbackCallerAbi,
    functionName: 'callBack',
    args: [alice.wallet, 1n],
  })
  // Run as a script this calls the wallet in the wallet's own name.
  const again = operation(await storeScript(world, 'CallbackCaller'), call)
  expect(await revertOf(execute(world, alice, operation(probe, askData(1n)), again))).toBe(
    `UnexpectedCall(${getAddress(alice.wallet)})`,
  )
})

test('default: the expected contract calls once, and gets the script’s answer', async () => {
  const alice = person(144)
  const receipt = await execute(world, alice, operation(probe, askData(1n)))
  expect(eventsOf(receipt, alice.wallet, callbackProbeAbi)).toEqual([
    { eventName: 'Called', args: { value: 1n } },
  ])
})

test('behavior: each operation of a batch can expect a call', async () => {
  const alice = person(145)
  const ops = [operation(probe, askData(1n)), operation(probe, askData(1n))]
  const receipt = await execute(world, alice, ...ops)
  expect(eventsOf(receipt, alice.wallet, callbackProbeAbi)).toHaveLength(2)
})

test('behavior: the simulation of a wallet takes callbacks like the wallet', async () => {
  const { wallet } = person(146)
  const run = (times: bigint) =>
    world.request('eth_call', [
      {
        from: wallet,
        to: wallet,
        data: encodeFunctionData({
          abi: walletSimulatorAbi,
          functionName: 'run',
          args: [[probe], [askData(times)]],
        }),
      },
      'latest',
      { [wallet]: { code: walletSimulatorCode } },
    ])
  await expect(run(1n)).resolves.toMatch(/^0x/)
  expect(await revertOf(run(2n))).toBe(`UnexpectedCall(${getAddress(caller)})`)
})
