import type { Address, Hex } from 'viem'
import { concat, encodeFunctionData, keccak256, parseAbi, stringToHex, toHex } from 'viem/utils'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { ForkPoint, Node } from '../../rpc/node.js'
import { RpcError } from '../../rpc/rpc.js'
import type { OpenFork } from './open.js'

const poolAbi = parseAbi([
  'function fillStatuses(bytes32 relayHash) view returns (uint256)',
  'function numberOfDeposits() view returns (uint32)',
  'function openDeposit(uint256 depositId) view returns (bytes32)',
])

/** Of no deposit. */
const nobodysHash = keccak256(stringToHex('svc-sim/a relay that nobody has made'))

/** Ids of deposits are below. */
const mostDeposits = 2n ** 32n

/** Contracts with more state variables than this are none that we know. */
const maxVariables = 4_096

/** Where a spoke pool keeps what it knows of a deposit. */
export interface PoolLayout {
  /** State variable that holds what was filled; undefined when the pool is of another kind. */
  fillsVariable: number | undefined
  /** The slot of the first deposit that is not made yet; the next ones follow. Undefined for a pool that keeps none, as the networks' own. */
  nextDeposit?: bigint | undefined
}

/**
 * Where a forked node begins, and what is known of its state without reading it: a deposit that was made here has been filled nowhere before,
 * and it has a number that no other had. Its slots in the spoke pool depend on the deposit, so no bundle can have them.
 */
export function forkPointOf(
  { spokePool }: NetworkBook,
  { block, isOurs, isWallet }: Pick<OpenFork, 'block' | 'isOurs' | 'isWallet'>,
  { fillsVariable, nextDeposit }: PoolLayout,
): ForkPoint {
  if (nextDeposit !== undefined) isOurs(spokePool, nextDeposit, nextDeposit + mostDeposits)
  return {
    block,
    expectWallet: isWallet,
    expectFill(relayHash) {
      if (fillsVariable === undefined) return
      const slot = BigInt(slotOf(relayHash, fillsVariable))
      isOurs(spokePool, slot, slot)
    },
  }
}

function slotOf(key: Hex, variable: number): Hex {
  return keccak256(concat([key, toHex(variable, { size: 32 })]))
}

/** Looks where the pool keeps fills and deposits: among the slots that it reads when it is asked. */
export async function findPoolLayout(node: Node, spokePool: Address): Promise<PoolLayout> {
  const ask = (functionName: 'fillStatuses' | 'openDeposit', arg: Hex | bigint) =>
    slotsReadBy(
      node,
      spokePool,
      encodeFunctionData({ abi: poolAbi, functionName, args: [arg] } as never),
    )
  const fills = await ask('fillStatuses', nobodysHash)
  const variables = Array.from({ length: fills.size === 0 ? 0 : maxVariables }, (_, i) => i)
  const fillsVariable = variables.find((each) => fills.has(slotOf(nobodysHash, each)))
  // The number of the last one that there can be leads to its slot, and so to the first one's.
  const last = mostDeposits - 1n
  const [slot] = [...(await ask('openDeposit', last))]
    .map(BigInt)
    .filter((each) => each >= last && each < last + BigInt(maxVariables))
  if (slot === undefined) return { fillsVariable }
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'numberOfDeposits' })
  const made = await node.rpc.request<Hex>('eth_call', [{ to: spokePool, data }, 'latest'])
  return { fillsVariable, nextDeposit: slot - last + BigInt(made) }
}

/** None of a pool of another kind, which does not know the function. */
async function slotsReadBy({ rpc }: Node, to: Address, data: Hex): Promise<ReadonlySet<Hex>> {
  const request = rpc.request<AccessList>('eth_createAccessList', [{ to, data }, 'latest'])
  const { accessList } = await request.catch((error) => {
    if (error instanceof RpcError) return { accessList: [] }
    throw error
  })
  return new Set(accessList.flatMap(({ storageKeys }) => storageKeys))
}

interface AccessList {
  accessList: { storageKeys: Hex[] }[]
}
