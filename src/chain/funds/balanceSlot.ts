import { type Address, erc20Abi, type Hex } from 'viem'
import { encodeFunctionData, toHex } from 'viem/utils'
import { actors } from '../../deployments/actors.js'
import { tokenAbi } from '../../generated/abis.js'
import { ServiceError } from '../../lib/errors.js'
import type { Node } from '../rpc/node.js'
import { RpcError } from '../rpc/rpc.js'

/** Where a token keeps an account's balance. */
export interface BalanceSlot {
  /** The contract whose storage it is in: the token, as a rule. */
  at: Address
  key: Hex
}

interface AccessList {
  accessList: { address: Address; storageKeys: Hex[] }[]
}

/** An implausible balance, small enough for tokens that pack other fields into the same word. */
const marker = toHex(0x5bc5_1ab0_cafe_f00dn, { size: 32 })

const knownSlots = new WeakMap<Node, Map<string, Promise<BalanceSlot>>>()

/**
 * Finds the storage slot of an account's balance, for use in state overrides: of the slots that `balanceOf` reads, the one that
 * decides its answer. Looked for once per node, token and account. Rejects with `plan_failed` when there is none, as with a
 * token that counts shares.
 */
export function balanceSlot(node: Node, token: Address, account: Address): Promise<BalanceSlot> {
  const known = knownSlots.get(node) ?? new Map<string, Promise<BalanceSlot>>()
  knownSlots.set(node, known)
  const key = `${token}/${account}`
  const finding = known.get(key) ?? find(node, token, account)
  known.set(key, finding)
  finding.catch(() => known.delete(key))
  return finding
}

async function find(node: Node, token: Address, account: Address): Promise<BalanceSlot> {
  const slot = await findBalanceSlot(node, token, account)
  if (slot) return slot
  throw new ServiceError(
    'plan_failed',
    `nothing that arrives of ${token} on ${node.network} can be simulated: no slot of its storage is a balance`,
  )
}

/** The same, looked for anew; undefined when there is none. */
export async function findBalanceSlot(
  { rpc }: Node,
  token: Address,
  account: Address,
): Promise<BalanceSlot | undefined> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  const call = { to: token, data }
  const { accessList } = await rpc.request<AccessList>('eth_createAccessList', [call, 'latest'])
  const slots = accessList.flatMap(({ address, storageKeys }) =>
    storageKeys.map((key): BalanceSlot => ({ at: address, key })),
  )
  const answers = await Promise.all(
    slots.map(({ at, key }) =>
      rpc
        .request<Hex>('eth_call', [call, 'latest', { [at]: { stateDiff: { [key]: marker } } }])
        // The slot was another, the address of the token's code for example.
        .catch((error) => {
          if (error instanceof RpcError) return undefined
          throw error
        }),
    ),
  )
  return slots[answers.indexOf(marker)]
}

/** An account without any tokens. */
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
