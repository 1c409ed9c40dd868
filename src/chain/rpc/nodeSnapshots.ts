import type { Hex } from 'viem'
import { takesBack } from './methods.js'
import type { NodeAnswer } from './nodeSocket.js'
import { firstParam, type NodeRequest, type PassOn } from './pipeline.js'
import type { AskNode } from './rpc.js'
import { quantityOf } from './rpcValues.js'

/**
 * Knows which snapshots a node can go back to, since its own list also has dead ones. Refuses what would break the node, and what would end
 * the snapshot that a reset restores, or take its block back.
 */
export interface NodeSnapshots {
  /** The snapshot that resets restore from now on; undefined for none. */
  keepStart(start: StartSnapshot | undefined): void
  /** Whether a revert has ended this one, although the node still lists it. */
  hasEnded(id: Hex): boolean
  /** Whether no other snapshot was taken after this one. */
  isNewest(id: Hex): boolean
  /** Whether this one certainly exists, with its block, so that the node need not be asked. */
  isSure(id: Hex): boolean
  /** The node has a new process, without the snapshots. */
  renew(): void
  /** Blocks may be replaced other than by a revert. */
  mayHaveLost(): void
  /** The answer to a request that must not reach the node. */
  refusalOf(request: NodeRequest, ask: AskNode): Promise<NodeAnswer | undefined>
  /** Passes on a snapshot, or what takes blocks back, and notes what became of it. */
  noted(request: NodeRequest, next: PassOn): Promise<NodeAnswer>
}

/** The snapshot that a reset restores. */
export interface StartSnapshot {
  id: Hex
  /** Number and hash of its block. */
  block: readonly [number: number, hash: Hex]
}

/** For a node without snapshots. */
export function createNodeSnapshots(): NodeSnapshots {
  return new Snapshots()
}

class Snapshots implements NodeSnapshots {
  private alive = new Set<bigint>()
  private newest = -1n
  /** The newest snapshot when blocks were last replaced other than by a revert: it and older ones may have lost their blocks. */
  private unsure = -1n
  private start: StartSnapshot | undefined

  keepStart(start: StartSnapshot | undefined): void {
    this.start = start
  }

  hasEnded(id: Hex | bigint): boolean {
    return BigInt(id) <= this.newest && !this.alive.has(BigInt(id))
  }

  isNewest(id: Hex): boolean {
    return BigInt(id) === this.newest
  }

  isSure(id: Hex | bigint): boolean {
    return this.alive.has(BigInt(id)) && BigInt(id) > this.unsure
  }

  renew(): void {
    this.alive = new Set()
    this.newest = -1n
    this.unsure = -1n
    this.start = undefined
  }

  mayHaveLost(): void {
    this.unsure = this.newest
  }

  async refusalOf(request: NodeRequest, ask: AskNode): Promise<NodeAnswer | undefined> {
    const first = firstParam(request)
    const id = idOf(request)
    if (id !== undefined) {
      const fate = await this.fateOf(id, ask)
      if (fate === 'unknown') return { result: false }
      if (fate !== 'lives')
        return refusal(`snapshot ${first} is gone: ${fate.death}`, 'take another')
    }
    if (!(await this.endsStart(request, id, ask))) return undefined
    return request.about.turn === 'revert'
      ? refusal(
          `snapshot ${first} is the simulator's own, which a reset returns to, or older`,
          'revert to one that evm_snapshot has given you',
        )
      : refusal(
          `${request.method} ${first ?? 1} would take back the block that a reset returns to`,
          'take back fewer',
        )
  }

  async noted(request: NodeRequest, next: PassOn): Promise<NodeAnswer> {
    const { turn } = request.about
    const id = idOf(request)
    if (id === undefined && turn !== 'snapshot') this.mayHaveLost()
    const answer = await next(request)
    const { result } = answer
    if (turn === 'snapshot' && typeof result === 'string') {
      this.newest = BigInt(result)
      this.alive.add(this.newest)
    }
    if (id !== undefined && result === true)
      this.alive = new Set([...this.alive].filter((other) => other < id))
    return answer
  }

  /** Whether the request would end the snapshot that a reset restores. */
  private async endsStart(
    request: NodeRequest,
    id: bigint | undefined,
    ask: AskNode,
  ): Promise<boolean> {
    if (!this.start) return false
    if (id !== undefined) return id <= BigInt(this.start.id)
    if (!takesBack(request.about)) return false
    // By default the node takes back one block, and it accepts only numbers.
    const blocks = Number(firstParam(request) ?? 1)
    const [lowest] = this.start.block
    return Number(await ask('eth_blockNumber')) - blocks < lowest
  }

  /** Whether the node can revert to this snapshot, why it no longer can, or that the id is unknown. */
  private async fateOf(id: bigint, ask: AskNode): Promise<'lives' | 'unknown' | { death: string }> {
    if (this.hasEnded(id)) return { death: 'a revert to it, or to an older one, has ended it' }
    if (this.isSure(id)) return 'lives'
    const { snapshots } = await ask<{ snapshots: Record<string, [number, string]> }>(
      'anvil_metadata',
    )
    const block = snapshots[`0x${id.toString(16)}`]
    if (!block) return 'unknown'
    if (await ask('eth_getBlockByHash', block[1], false)) return 'lives'
    return { death: `its block ${block[0]} was taken back` }
  }
}

/** The snapshot that a revert names; undefined for what is no number, and for other requests. */
function idOf(request: NodeRequest): bigint | undefined {
  return request.about.turn === 'revert' ? quantityOf(firstParam(request)) : undefined
}

function refusal(why: string, instead: string): NodeAnswer {
  const message = `${why}. Nothing was changed; ${instead}, or use POST /_sim/reset`
  return { error: { code: -32000, message } }
}
