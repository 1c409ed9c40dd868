import type { Address, Hex } from 'viem'
import { concat, encodeFunctionData, keccak256, parseAbi, stringToHex, toHex } from 'viem/utils'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { ForkPoint, Node } from '../../rpc/node.js'
import { RpcError } from '../../rpc/rpc.js'
import type { OpenFork } from './open.js'

const poolAbi = parseAbi(['function fillStatuses(bytes32 relayHash) view returns (uint256)'])

/** Of no deposit. */
const nobodysHash = keccak256(stringToHex('svc-sim/a relay that nobody has made'))

/** Contracts with more state variables than this are none that we know. */
const maxVariables = 4_096

/**
 * Where a forked node begins, and what is known of its state without reading it: a deposit that was made here has been filled nowhere before.
 * Its slot in the spoke pool depends on the deposit, so no bundle can have it.
 *
 * @param variable The pool's state variable that `findFillsVariable` has found.
 */
export function forkPointOf(
  { spokePool }: NetworkBook,
  { block, isOurs, isWallet }: Pick<OpenFork, 'block' | 'isOurs' | 'isWallet'>,
  variable: number | undefined,
): ForkPoint {
  return {
    block,
    expectWallet: isWallet,
    expectFill(relayHash) {
      if (variable !== undefined) isOurs(spokePool, slotOf(relayHash, variable))
    },
  }
}

function slotOf(key: Hex, variable: number): Hex {
  return keccak256(concat([key, toHex(variable, { size: 32 })]))
}

/** Which state variable of the pool holds what was filled: found among the slots that it reads when it is asked. */
export async function findFillsVariable(
  { rpc }: Node,
  spokePool: Address,
): Promise<number | undefined> {
  const data = encodeFunctionData({
    abi: poolAbi,
    functionName: 'fillStatuses',
    args: [nobodysHash],
  })
  const asked = rpc.request<AccessList>('eth_createAccessList', [{ to: spokePool, data }, 'latest'])
  const { accessList } = await asked.catch((error) => {
    // A pool of another kind, which fills nothing of ours.
    if (error instanceof RpcError) return { accessList: [] }
    throw error
  })
  const slots = new Set(accessList.flatMap(({ storageKeys }) => storageKeys))
  if (slots.size === 0) return undefined
  for (let variable = 0; variable < maxVariables; variable++)
    if (slots.has(slotOf(nobodysHash, variable))) return variable
  return undefined
}

interface AccessList {
  accessList: { storageKeys: Hex[] }[]
}
