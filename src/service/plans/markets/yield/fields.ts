import { z } from 'zod'

/** The protocols that earn. */
const yieldProtocolNames = ['compound', 'aave', 'morpho_vault'] as const
/** For earn alone interface.md has another name of vaults too. */
const earnProtocolNames = [...yieldProtocolNames, 'morpho'] as const
export type YieldProtocolName = (typeof earnProtocolNames)[number]

/** A protocol of a request. */
export function yieldProtocolField(description = 'Yield protocol.', example = 'compound') {
  return z
    .enum(yieldProtocolNames, { error: `must be one of ${yieldProtocolNames.join(', ')}` })
    .meta({ description, example })
}

/** The protocol of an earn request. */
export function earnProtocolField() {
  return z
    .enum(earnProtocolNames, { error: `must be one of ${earnProtocolNames.join(', ')}` })
    .meta({
      description: 'Yield protocol; `morpho` is another name of `morpho_vault`.',
      example: 'compound',
    })
}

const marketError = 'must be a market address: 0x and 40 hex digits'

/** Which market of the protocol: the address of a vault, a Comet or a pool. */
export function yieldMarketField(of = 'protocol') {
  return z
    .string({ error: marketError })
    .regex(/^0x[0-9a-fA-F]{40}$/, { error: marketError })
    .optional()
    .meta({
      description: `Market address: required when ${of} is \`morpho_vault\`, then the vault’s; otherwise the one market of the asset is meant.`,
      example: '0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca',
    })
}

/** Refinement of a body, for `refine(...)`: a vault is not known without its address. The arguments are the two fields' names. */
export function vaultHasMarket(
  protocol = 'protocol',
  market = 'market',
): [(body: object) => boolean, { error: (issue: { input?: unknown }) => string; path: string[] }] {
  const named = (body: unknown): string => String((body as Record<string, unknown>)[protocol])
  return [
    (body) =>
      !named(body).startsWith('morpho') || (body as Record<string, unknown>)[market] !== undefined,
    {
      error: ({ input }) =>
        `must be a vault address: 0x and 40 hex digits; ${protocol} "${named(input)}" requires it`,
      path: [market],
    },
  ]
}
