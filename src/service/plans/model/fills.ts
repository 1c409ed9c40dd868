import type { ContextOf } from './contexts.js'

type Fill = Pick<ContextOf<'BRIDGE_MINT'>, 'source_chain_id' | 'chain_id' | 'input_amount'>
type Deposit = Pick<ContextOf<'BRIDGE'>, 'chain_id' | 'destination_chain_id' | 'input_amount'>

/** Whether a fill belongs to a deposit: same networks, same amount. */
export function isFillOf(fill: Fill, deposit: Deposit): boolean {
  return (
    fill.source_chain_id === deposit.chain_id &&
    fill.chain_id === deposit.destination_chain_id &&
    fill.input_amount === deposit.input_amount
  )
}
