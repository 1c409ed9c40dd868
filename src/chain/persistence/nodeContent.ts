import type { LoggedPart } from '../../wal/dataLog.js'
import type { NodeCommand } from '../rpc/commandLog.js'
import type { BareNode } from './bareNode.js'
import type { NodeHistory } from './nodeHistory.js'
import type { NodeSettings } from './nodeSettings.js'
import type { PendingReplies } from './pendingReplies.js'
import { poolCommands } from './poolCommands.js'
import { withoutTraces } from './withoutTraces.js'

/** What a checkpoint of a node needs. */
interface ContentParts {
  readonly node: BareNode
  readonly settings: NodeSettings
  readonly history: NodeHistory
  readonly pendingReplies: PendingReplies
}

/** The content of a node's checkpoint: its state, and the commands to replay first, for what a state does not have. */
export async function nodeContent(
  parts: ContentParts,
  mark: Parameters<LoggedPart['content']>[0],
): Promise<AsyncIterable<Buffer>> {
  const { node, settings, history } = parts
  const first = [...settings.commands(), await nextFee(node), ...(await waiting(parts))]
  history.cut(first)
  const marked = mark(first)
  const dump = await node.dump()
  await marked
  return withoutTraces(dump.unzipped())
}

/** Restores the base fee of the next block, set by a client or left by blocks that were taken back; a state has only that of the last block. */
async function nextFee(node: BareNode): Promise<NodeCommand> {
  const { baseFeePerGas } = await node.block('pending')
  return { method: 'anvil_setNextBlockBaseFeePerGas', params: [baseFeePerGas] }
}

/** Restores the pool, which a state does not have. */
async function waiting({ node, settings, pendingReplies }: ContentParts): Promise<NodeCommand[]> {
  const all = await poolCommands(node, settings.sent)
  settings.onlyWaiting(all.map(({ by, again }) => by ?? again))
  for (const { by, again } of all) if (by) pendingReplies.waitsAs(by, again)
  return all.map(({ again }) => again)
}
