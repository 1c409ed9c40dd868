import pTimeout from 'p-timeout'
import type { NetworkName } from '../../deployments/networks.js'
import { coarseTimers } from '../../lib/coarseTimeout.js'
import { ServiceError } from '../../lib/errors.js'
import type { SwitchCommand } from '../rpc/gate.js'
import { methodOf } from '../rpc/methods.js'
import { type Node, type Nodes, rpcForNow } from '../rpc/node.js'
import { firstParam } from '../rpc/pipeline.js'

/** Whether the node mines each transaction at once. Asked once; the gate sees every change after that. */
export async function minesAtOnce({ rpc, gate }: Pick<Node, 'rpc' | 'gate'>): Promise<boolean> {
  if (gate?.mines !== undefined) return gate.mines
  const isOn = await rpc.request<boolean>('anvil_getAutomine')
  if (!gate) return isOn
  gate.mines ??= isOn // unless a change came first
  return gate.mines
}

/** Whether the node mines without being told: with each transaction, or at intervals. */
export async function minesBlocks({ rpc }: Node): Promise<boolean> {
  if (await rpc.request<boolean>('anvil_getAutomine')) return true
  return (await intervalOf({ rpc })) > 0
}

const orReset = 'or POST /_sim/reset: it lifts all faults and has every network mine again.'
/** The hint of errors on chains that mine no blocks. */
export const mineAgainHint = `Lift the fault that holds it, if there is one, ${orReset}`
const heldHint = `Lift the fault that holds it, ${orReset}`
const switchedHint = (switches: readonly MiningSwitch[]): string =>
  `No fault holds it: ${switches.map(switchText).join(', and ')}. Send evm_setAutomine [true] there (with --rpc-unsafe), ${orReset}`

/** Who has switched when a network mines, other than a fault. */
export interface MiningSwitch extends SwitchCommand {
  network: NetworkName
  /** The request of the client, and when it came (ISO 8601); absent where the journal does not have it. */
  by_request?: string
  at?: string
}

/** The networks whose mining a client has stopped or set to an interval. */
export function miningSwitches(nodes: Pick<Nodes, 'all'>): MiningSwitch[] {
  return nodes
    .all()
    .flatMap(({ network, gate }) => (gate?.clientSwitch ? [{ network, ...gate.clientSwitch }] : []))
}

/** `a client switched the mining of base off over /rpc (evm_setAutomine [false], request req_1 at 10:00:00)` */
export function switchText(by: MiningSwitch): string {
  const { network, method, params, isRestored, by_request, at } = by
  const request = by_request ? `, request ${by_request}` : ''
  const command = `${method} ${JSON.stringify(params)}${request}${at ? ` at ${at.slice(11, 19)}` : ''}`
  if (isRestored) return `the mining of ${network} is switched off in its data folder (${command})`
  const interval = intervalIn(by)
  return interval
    ? `a client has ${network} mine a block only every ${interval} s of the machine’s time (${command})`
    : `a client switched the mining of ${network} off over /rpc (${command})`
}

/** What makes the network mine again. */
export function switchCure(by: MiningSwitch): string {
  const interval = intervalIn(by)
  const wait = interval
    ? `wait ${interval} s of the machine’s time, which the clock of the simulator does not move, or `
    : ''
  return `${wait}send evm_mine to /rpc/${by.network} for each block that is missing, or evm_setAutomine [true] once (with --rpc-unsafe)`
}

/** In seconds; 0 for none. */
function intervalIn({ method, params }: MiningSwitch): number {
  const isInterval = methodOf(method).name === 'setIntervalMining'
  return isInterval ? Number(firstParam({ params })) : 0
}

/**
 * For work that needs new blocks, and would wait for ever without.
 *
 * @param so The consequence for the request, for example `nothing was given`.
 * @throws `ServiceError` `conflict` when a network mines no blocks, or its node does not answer in time.
 */
export async function expectMining(nodes: readonly Node[], so: string): Promise<void> {
  const states = await Promise.all(nodes.map(miningOf))
  const those = (state: Mining) =>
    nodes.filter((_, i) => states[i] === state).map(({ network }) => network)
  const refuse = (what: string, hint = mineAgainHint): ServiceError =>
    new ServiceError('conflict', `${what}; ${so}`, { hint })
  const silent = those('no answer')
  if (silent.length > 0)
    throw refuse(`${networksOf(silent)} did not answer within ${sayWithinMs / 1_000} s`)
  const halted = those('mines none')
  if (halted.length === 0) return
  const [mine, its] = halted.length === 1 ? ['mines', 'its'] : ['mine', 'their']
  const off = nodes.filter((_, i) => states[i] === 'mines none')
  const isByFault = ({ gate }: Node): boolean | undefined => gate?.isOffForNow
  let hint = mineAgainHint
  if (off.every((node) => isByFault(node) === true)) hint = heldHint
  const switches = miningSwitches({ all: () => off })
  if (switches.length === off.length) hint = switchedHint(switches)
  throw refuse(`${networksOf(halted)} ${mine} no blocks, since ${its} mining is switched off`, hint)
}

/** Longer than a working node takes to answer. Milliseconds of the machine. */
const sayWithinMs = 5_000

type Mining = 'mines' | 'mines none' | 'no answer'

function miningOf(node: Node): Promise<Mining> {
  const ask = async (): Promise<Mining> => {
    if (await minesBlocks(node)) return 'mines'
    await node.lifecycle.moment
    return (await minesBlocks(node)) ? 'mines' : 'mines none'
  }
  const answer = ask()
  return pTimeout(answer, {
    milliseconds: sayWithinMs,
    fallback: (): Mining => 'no answer',
    customTimers: coarseTimers,
  })
}

/** `The base network`, or `The networks base, polygon`. */
function networksOf(names: readonly string[]): string {
  return names.length === 1 ? `The ${names[0]} network` : `The networks ${names.join(', ')}`
}

/** Runs work that stops mining for a moment; questions whether the node mines wait meanwhile. */
export async function inMoment<T>(
  { lifecycle }: Pick<Node, 'lifecycle'>,
  work: () => Promise<T>,
): Promise<T> {
  const moment = work()
  const ended = moment.catch(() => {})
  lifecycle.moment = ended
  try {
    return await moment
  } finally {
    if (lifecycle.moment === ended) lifecycle.moment = undefined
  }
}

/** Mines the waiting transactions, and from now on each one as it comes. */
export async function mineAgain(node: Node): Promise<void> {
  // First, because mining at the same time as the node would add an empty block.
  await mineWaiting(node)
  await node.rpc.request('evm_setAutomine', [true])
  await mineWaiting(node)
}

/** Undoes what a run that was killed had set only for a while; leaves its mining to the rule that halts it. */
export async function undoLeftovers(
  node: Node,
  { isHalted }: { isHalted: boolean },
): Promise<void> {
  for (const { method, isOn } of node.start?.leftovers() ?? []) {
    if (method === 'evm_setAutomine' && isHalted) continue
    if (method === 'evm_setAutomine' && isOn) await mineAgain(node)
    else await node.rpc.request(method, [isOn])
  }
}

/** Mines the pooled transactions; no block for an empty pool. */
async function mineWaiting({ rpc }: Node): Promise<void> {
  const { pending } = await rpc.request<{ pending: string }>('txpool_status')
  if (BigInt(pending) > 0n) await rpc.request('evm_mine')
}

/** The interval between blocks in seconds; 0 for none. */
async function intervalOf({ rpc }: Pick<Node, 'rpc'>): Promise<number> {
  return (await rpc.request<number | null>('anvil_getIntervalMining')) ?? 0
}

/** A node that has not answered by then is skipped. Milliseconds of the machine. */
const answerWithinMs = 2_000

/** Makes every node mine at once, so that nothing waits for a block. Resolves to a function that restores the earlier modes. */
export async function mineEverywhere(nodes: Pick<Nodes, 'all'>): Promise<() => Promise<void>> {
  const others = nodes.all().filter(({ gate }) => gate?.mines !== true)
  const undos = await Promise.all(
    others.map((node) =>
      pTimeout(mineFor(node), { milliseconds: answerWithinMs }).catch(() => undefined),
    ),
  )
  return async () => {
    await Promise.all(undos.map((undo) => undo?.()))
  }
}

async function mineFor(node: Node): Promise<(() => Promise<void>) | undefined> {
  const { rpc } = node
  if (await minesAtOnce(node)) return undefined
  const interval = await intervalOf(node)
  const before = node.gate?.isOffForNow ? rpcForNow(node) : rpc
  await mineAgain(node)
  return async () => {
    if (interval > 0) await rpc.request('evm_setIntervalMining', [interval])
    else await before.request('evm_setAutomine', [false])
  }
}
