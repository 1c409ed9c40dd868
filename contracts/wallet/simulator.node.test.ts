import type { Address, Hex } from 'viem'
import { decodeFunctionResult, encodeFunctionData, pad } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { artifact } from '../../src/chain/genesis/contracts.js'
import { transferAbi, walletSimulatorAbi } from '../../src/generated/abis.js'
import { svcAddresses, walletSimulatorCode } from '../../src/generated/svc.js'
import { person, revertOf, startWalletWorld, storeScript, type WalletWorld } from '../kit.js'

const { wallet } = person(50)
const nobody: Address = '0x00000000000000000000000000000000000000bb'
let world: WalletWorld
let probe: Address

beforeAll(async () => {
  world = await startWalletWorld('base')
  probe = await storeScript(world, 'ProbeScript')
  await world.fund(wallet, 'ETH', 9n)
})
afterAll(() => world.stop())

test('error: a script without code, or one that reverts', async () => {
  expect(await revertOf(simulate([nobody, '0x']))).toBe('EmptyCode()')
  expect(await revertOf(simulate(probing('whereAmI'), probing('refuse', [3n])))).toBe('Refused(3)')
  expect(await revertOf(simulate(probing('refuseSilently')))).toBe('reverted without a reason')
})

test('error: what an earlier script spent is gone for a later one', async () => {
  expect(await revertOf(simulate(sending(6n), sending(6n)))).toBe('InsufficientBalance(3, 6)')
})

test('default: scripts run in the place of a wallet that does not stand yet', async () => {
  expect(await simulate(probing('whereAmI'), sending(6n), sending(3n))).toEqual([
    pad(wallet),
    '0x',
    '0x',
  ])
})

test('behavior: nothing of it stays', async () => {
  await simulate(sending(9n))
  expect(await world.balance(wallet, 'ETH')).toBe(9n)
  expect(await world.request('eth_getCode', [wallet, 'latest'])).toBe('0x')
})

type Call = [script: Address, calldata: Hex]

async function simulate(...calls: Call[]): Promise<readonly Hex[]> {
  const args = [calls.map(([script]) => script), calls.map(([, calldata]) => calldata)] as const
  const call = { abi: walletSimulatorAbi, functionName: 'run' } as const
  const data = encodeFunctionData({ ...call, args })
  const override = { [wallet]: { code: walletSimulatorCode } }
  const params = [{ from: wallet, to: wallet, data }, 'latest', override]
  return decodeFunctionResult({ ...call, data: await world.request<Hex>('eth_call', params) })
}

function probing(functionName: string, args: readonly unknown[] = []): Call {
  const { abi } = artifact('ProbeScript')
  return [probe, encodeFunctionData({ abi, functionName, args })]
}

function sending(amount: bigint): Call {
  const args = [nobody, amount, false] as const
  const call = { abi: transferAbi, functionName: 'transferNativeToken', args } as const
  return [svcAddresses.scripts.transfer, encodeFunctionData(call)]
}
