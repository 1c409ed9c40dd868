import { z } from 'zod'
import type { Log } from '../../../chain/rpc/node.js'
import type { NetworkBook } from '../../../deployments/addressBook.js'
import type { MorphoMarket } from '../../../deployments/protocolBook.js'
import type { ActionContext } from '../model/contexts.js'
import { amountOrMax } from '../model/fields.js'
import type { Draft, PlanInput, PlanKind } from '../model/kind.js'
import type { SemanticEvent } from '../model/semanticEvents.js'
import { dollarValue, indexOf } from '../observe/logs.js'
import { type MorphoMove, morphoCall, morphoMoves } from './morphoMarket.js'
import {
  definePosition,
  type PositionKind,
  positionContext,
  positionExample,
  positionFields,
  positionIntent,
  positionTokens,
} from './position.js'

/** What add-backing and withdraw-backing have in common: the same body, context and script. */

export const backingFields = {
  ...positionFields,
  amount: amountOrMax('Amount of backing, in its smallest unit.'),
  is_short: z
    .boolean({ error: 'must be true for a short position or false for a long one' })
    .meta({ description: 'Whether the position is short.', example: false }),
}

export type BackingIntent = z.infer<z.ZodObject<typeof backingFields>>

export function defineBacking(
  kind: Omit<PositionKind<BackingIntent>, 'example' | 'svcIntent' | 'observe'>,
): PlanKind {
  return definePosition<BackingIntent>({
    ...kind,
    example: { ...positionExample, amount: '1000000', is_short: false, network: 'base' },
    svcIntent: ({ amount, is_short }, contexts, sender) => ({
      intent_type: kind.kind === 'addBacking' ? 'add_backing_token' : 'withdraw_backing_token',
      intent: { ...positionIntent(contexts, sender), amount: amount.toString(), is_short },
    }),
    observe,
  })
}

/** The plan's only operation. `amount` is what the context says, `spent` what the wallet must hold for it. */
export function moveBacking(
  intent: BackingIntent,
  input: PlanInput,
  market: MorphoMarket,
  { move, amount, spent }: { move: MorphoMove; amount: bigint; spent: bigint },
): Draft {
  const { network } = intent
  const { backing } = positionTokens(intent, input.book)
  const isAdded = spent > 0n
  return {
    network,
    spends: isAdded ? [{ token: backing, amount: spent }] : [],
    actions: [
      {
        ...morphoCall(input, network, market, move),
        context: {
          action_type: isAdded ? 'ADD_BACKING_TOKEN' : 'WITHDRAW_BACKING_TOKEN',
          amount: amount.toString(),
          asset_symbol: backing.symbol,
          ...positionContext(intent, input),
          is_short: intent.is_short,
        },
      },
    ],
  }
}

function observe(context: ActionContext, logs: readonly Log[], book: NetworkBook): SemanticEvent[] {
  const isAdded = context.action_type === 'ADD_BACKING_TOKEN'
  if (!isAdded && context.action_type !== 'WITHDRAW_BACKING_TOKEN') return []
  const [long, short] = isAdded
    ? (['repay', 'supplyCollateral'] as const)
    : (['borrow', 'withdrawCollateral'] as const)
  const { borrow_market_id: id, backing_token: token, backing_token_price: price } = context
  return morphoMoves(logs, book, id, context.is_short ? short : long).map(({ log, amount }) => ({
    event_type: isAdded ? 'add_backing_to_loop' : 'withdraw_backing_from_loop',
    log_indices: [indexOf(log)],
    event_metadata: {
      borrow_market_id: id,
      borrow_venue: context.borrow_venue,
      backing_token: token,
      backing_amount: amount.toString(),
      backing_dollar_value: dollarValue(book, token, amount, price),
      exposure_token: context.exposure_token,
      is_short: context.is_short,
    },
  }))
}
