import type { Log } from '../../../chain/rpc/node.js'
import type { AddressBook } from '../../../deployments/addressBook.js'
import { networkOf, networks } from '../../../deployments/networks.js'
import { depositLogsIn } from '../../bridge/deposit.js'
import type { ActionContext } from '../model/contexts.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { dollarValue, indexOf } from './logs.js'

/**
 * What the actions did that the planner put before a kind's own (bridges, wraps), read from the logs of their transaction.
 * Undefined for an action that belongs to the kind.
 */
export function observeFunding(
  context: ActionContext,
  logs: readonly Log[],
  book: AddressBook,
): SemanticEvent[] | undefined {
  if (context.action_type === 'WRAP' || context.action_type === 'UNWRAP') return []
  if (context.action_type !== 'BRIDGE') return undefined
  const from = networks.find(({ chainId }) => String(chainId) === context.chain_id)!.name
  return depositLogsIn(logs, from, book)
    .filter(({ deposit }) => deposit.relayData.inputAmount.toString() === context.input_amount)
    .map(({ deposit, log }) => {
      const { inputAmount, outputAmount, depositId } = deposit.relayData
      const { token, price } = context
      const dollars = (amount: bigint): string => dollarValue(book.on(from), token, amount, price)
      return {
        event_type: 'bridge_send',
        log_indices: [indexOf(log)],
        event_metadata: {
          token,
          amount: inputAmount.toString(),
          dollar_value: dollars(inputAmount),
          src_chain: networkOf(from).chainId.toString(),
          dst_chain: networkOf(deposit.to).chainId.toString(),
          bridge_fees: (inputAmount - outputAmount).toString(),
          bridge_fees_dollar_value: dollars(inputAmount - outputAmount),
          bridge: 'ACROSS',
          deposit_id: depositId.toString(),
        },
      }
    })
}
