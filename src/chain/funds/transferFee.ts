import type { Address, Hex } from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { tokenAbi } from '../../generated/abis.js'
import { ServiceError } from '../../lib/errors.js'
import type { Node } from '../rpc/node.js'
import { balanceSlot } from './balanceSlot.js'

/** Somebody who has nothing of any token. */
const nobody: Address = '0x00000000000000000000000000000000005caa0e'

/** Large enough that a fee of one part in a million is not rounded away, small enough for any token. */
const sent = 10n ** 15n

/**
 * Whether less of the token arrives than is sent, found out by a transfer that is run and not sent. Tokens in whose storage no
 * balance is found are taken to have no fee.
 */
export async function takesFee(node: Node, token: Address): Promise<boolean> {
  const { relayer } = actors
  const slot = await balanceSlot(node, token, relayer).catch((error) => {
    if (error instanceof ServiceError) return undefined
    throw error
  })
  if (!slot) return false
  const transfer = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'transfer',
    args: [nobody, sent],
  })
  const balance = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [nobody] })
  const block = {
    stateOverrides: { [slot.at]: { stateDiff: { [slot.key]: toHex(sent, { size: 32 }) } } },
    calls: [
      { from: relayer, to: token, data: balance },
      { from: relayer, to: token, data: transfer },
      { from: relayer, to: token, data: balance },
    ],
  }
  const [simulated] = await node.rpc.request<{ calls: { status: Hex; returnData: Hex }[] }[]>(
    'eth_simulateV1',
    [{ blockStateCalls: [block], validation: false }, 'latest'],
  )
  const [before, moved, after] = simulated!.calls
  // A transfer that reverts says nothing of fees; the plan's own simulation says why it reverts.
  if (moved!.status !== '0x1') return false
  return BigInt(after!.returnData) - BigInt(before!.returnData) < sent
}
