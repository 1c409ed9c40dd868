import type { Address, Hex } from 'viem'
import { networkOf } from '../../src/deployments/networks.js'
import { ask, rpcRequest } from '../kit/http.js'
import type { ActivityBody } from '../kit/user.js'
import { contractsOn, type Life, type Place, places } from './life.js'

/** A log as a node sends it. */
export interface Log {
  address: Address
  topics: [Hex, ...Hex[]]
  data: Hex
  transactionHash: Hex
}

/** What a network shows of the account. Amounts in the smallest unit. */
interface Shown {
  block: Hex
  usdc: bigint
  weth: bigint
  /** What Compound's USDC market owes the wallet. */
  comet: bigint
  /** Of USDC and of the bridge, since the life began. */
  logs: readonly Log[]
  /** By the transactions that activities name: whether they have succeeded; undefined for those that are not there. */
  ends: ReadonlyMap<Hex, boolean | undefined>
}

/** The account's plans as the service tells of them, and what an outsider sees of it on the networks. */
export interface Sight {
  activities: readonly ActivityBody[]
  on: Record<Place, Shown>
}

/** Whether something of an account is under way. */
export const isUnderWay = ({ activities }: Sight): boolean =>
  activities.some(({ activity_status }) => activity_status === 'pending')

export const chainIdOf = (on: Place): number => networkOf(on).chainId

/** Looks once: one request for the activities, and one to each network. */
export async function look(life: Life): Promise<Sight> {
  const { user } = life
  const { body } = await user.api.get(`${user.path}/activities`)
  const activities = (body.activities as (ActivityBody & { activity_type: string })[]).filter(
    ({ activity_type }) => activity_type === 'svc_operation_executed',
  )
  const items = activities.flatMap(({ activity_metadata }) => activity_metadata)
  const shown = places.map(async (on) => {
    const hashes = items
      .filter(({ chain_id, transaction_hash }) => transaction_hash && chain_id === chainIdOf(on))
      .map(({ transaction_hash }) => transaction_hash!)
    return [on, await shownOn(life, on, [...new Set(hashes)])]
  })
  return { activities, on: Object.fromEntries(await Promise.all(shown)) }
}

async function shownOn(life: Life, on: Place, hashes: readonly Hex[]): Promise<Shown> {
  const { usdc, weth, comet, spokePool } = contractsOn(on)
  const data = `0x70a08231${life.user.wallet.slice(2).padStart(64, '0')}`
  const calls: [string, unknown[]][] = [
    ['eth_blockNumber', []],
    ...[usdc, weth, comet].map((to): [string, unknown[]] => ['eth_call', [{ to, data }, 'latest']]),
    ['eth_getLogs', [{ address: [usdc, spokePool], fromBlock: life.since[on] }]],
    ...hashes.map((hash): [string, unknown[]] => ['eth_getTransactionReceipt', [hash]]),
  ]
  const body = calls.map(([method, params], id) => rpcRequest(method, params, id))
  const { body: answers } = await ask(life.sim.rpc(on), { body })
  const results = new Map<number, unknown>()
  for (const { id, result, error } of answers) {
    if (error) throw new Error(`${on}: ${error.message}`)
    results.set(id, result)
  }
  const amounts = [1, 2, 3].map((id) => BigInt(results.get(id) as Hex))
  const ends = hashes.map((hash, i) => {
    const receipt = results.get(5 + i) as { status: Hex } | null
    return [hash, receipt ? receipt.status === '0x1' : undefined] as const
  })
  return {
    block: results.get(0) as Hex,
    ...{ usdc: amounts[0]!, weth: amounts[1]!, comet: amounts[2]! },
    logs: results.get(4) as Log[],
    ends: new Map(ends),
  }
}
