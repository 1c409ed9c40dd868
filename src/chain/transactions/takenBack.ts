import type { Rpc } from '../rpc/rpc.js'

/** The fewest recent blocks that a node keeps with their transactions. No reorganisation reaches further back. */
export const fewestKeptBlocks = 1_000

/** Whether a transaction of this block may have been taken back. Of older ones a node may have no receipt (`--keep-blocks`). */
export async function mayBeTakenBack(
  { rpc }: { rpc: Pick<Rpc, 'request'> },
  block: number | string,
): Promise<boolean> {
  return Number(block) > Number(await rpc.request('eth_blockNumber')) - fewestKeptBlocks
}
