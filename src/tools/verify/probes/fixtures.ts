import { type AnswerPlace, carriesOut, type Look, type OneStep, plans } from '../corpus/steps.js'
import type { Seen } from '../expect.js'
import type { Funds, ProbeContext } from '../probeContext.js'
import type { TestAccount } from '../testAccount.js'
import { exampleOf } from './define.js'

/** What most accounts of a run get: four USDC. */
export const stake: Funds = { asset: 'USDC', network: 'base', amount: 4_000_000n }

/** What loans of a run are taken against. */
export const weth: Funds = { asset: 'WETH', network: 'base', amount: 12_000_000_000_000_000n }

/** For what has to be wrapped first. */
export const ether: Funds = { asset: 'ETH', network: 'base', amount: 2_000_000_000_000_000n }

/** So much USDC on a network. */
export const usdc = (network: string, amount: bigint): Funds => ({ asset: 'USDC', network, amount })

/** A transfer out of an account, to the address of its own signer unless it is to go elsewhere: no money of a run is lost. */
export const transferOf = (from: TestAccount, amount: string, recipient = from.signer) => ({
  asset: 'USDC',
  network: 'base',
  amount,
  recipient,
})

/** The same of an account in steps, by its name. */
export const transferFrom = (account: string, amount: string) => ({
  ...{ asset: 'USDC', network: 'base', amount },
  recipient: `{${account}.signer}`,
})

/** The step that plans a transfer. */
export const plansTransfer = (plan: string, by: string, amount: string, ...looks: Look[]) =>
  plans(plan, by, 'transfer', transferFrom(by, amount), ...looks)

/** The steps that carry out a transfer. */
export const executesTransfer = (plan: string, by: string, amount: string) =>
  carriesOut(plan, by, 'transfer', transferFrom(by, amount))

/** The step that makes an account and pays for it. */
export const accountWith = (account: string, ...funds: readonly Funds[]): OneStep => ({
  account,
  funds: funds.map((each) => ({ ...each, amount: `${each.amount}` })),
})

/** One supply of USDC. */
export const earnOf = (amount: string) => ({
  asset: 'USDC',
  network: 'base',
  amount,
  protocol: 'compound',
})

/** The place of a context's field: of the last action of a plan, or of the first of a type. */
export const context = (field: string, type?: string): AnswerPlace => [
  ...['details', 'svc_operation_actions'],
  type === undefined ? -1 : { action: { action_context: { action_type: type } } },
  ...['action', 'action_context', field],
]

/** An executed transfer between two accounts of the run, with their folios before and after. */
export const transferDone = (context: ProbeContext) =>
  context.once('an executed transfer', async () => {
    const sender = await context.funded('sender', stake)
    const receiver = await context.account('receiver')
    const folios = async () => ({ sent: await sender.folio(), received: await receiver.folio() })
    const before = await folios()
    const transfer = transferOf(sender, '1234567', receiver.wallet)
    await sender.plan('transfer', transfer)
    const planned = await folios()
    const done = await sender.carryOut('transfer', transfer)
    return { sender, before, planned, done, after: await folios() }
  })

/** An executed transfer that has to be bridged: most of the money is on another network. */
export const bridgeDone = (context: ProbeContext) =>
  context.once('an executed plan with a bridge', async () => {
    const funds = [usdc('base', 1_000_000n), usdc('optimism', 6_000_000n)]
    const user = await context.funded('bridged', ...funds)
    const folio = await user.folio()
    return { user, folio, ...(await user.carryOut('transfer', transferOf(user, '3000000'))) }
  })

/** Carries out a plan, with the folio before and after it. */
async function change(user: TestAccount, kind: string, body: unknown) {
  const before = await user.folio()
  const done = await user.carryOut(kind, body)
  return { user, before, ...done, after: await user.folio() }
}

export type DoneChange = Awaited<ReturnType<typeof change>>

/** An executed swap of USDC for WETH. */
export const swapDone = (context: ProbeContext): Promise<DoneChange> =>
  context.once('an executed swap', async () =>
    change(await context.funded('trader', stake), 'swap', {
      ...swapOfUsdc,
      sell_amount: '2000001',
    }),
  )

/** An executed supply of USDC. */
export const supplyDone = (context: ProbeContext): Promise<DoneChange> =>
  context.once('an executed supply', async () =>
    change(await context.funded('saver', stake), 'earn', earnOf('3000000')),
  )

const loanOf = (amount: string, collateral_amount: string) => ({
  ...{ asset: 'USDC', network: 'base', protocol: 'compound', amount },
  ...{ collateral_asset: 'WETH', collateral_amount },
})

/** A loan that was taken up with a plan of the same moment left over, and of which a part was paid back. */
export const loanDone = (context: ProbeContext) =>
  context.once('an executed loan', async () => {
    const user = await context.funded('debtor', weth)
    const late = await user.plan('borrow', loanOf('1000000', '10000000000000000'))
    const borrowed = await change(user, 'borrow', loanOf('5000000', '10000000000000000'))
    const refused = await user.execute(late)
    const repaid = await change(user, 'repay', loanOf('2000001', '1000000000000001'))
    return { user, borrowed, refused, repaid }
  })

/** What a part of so much WETH costs, in USDC of the smallest unit, by the price of the folio. */
export async function wethPrice(user: TestAccount, milliWeth: number) {
  const price = (await user.folio()).at('prices', 'token/WETH').text()
  price.holds(Number(price.value) > 0, 'a price')
  return (part: number): string => `${Math.floor(Number(price.value) * 1_000 * milliWeth * part)}`
}

/** A position of 0.01 WETH that was opened, and closed as a whole. */
export const loopDone = (context: ProbeContext) =>
  context.once('a loop that was opened and closed', async () => {
    const user = await context.funded('looper', usdc('base', 60_000_000n))
    const cost = await wethPrice(user, 10)
    const opened = await change(user, 'loop-long', {
      ...exampleOf('loop-long'),
      exposure_amount: '10000000000000000',
      max_swap_backing_amount: cost(1.05),
      max_provided_backing_amount: cost(0.5),
    })
    const closed = await change(user, 'unloop-long', {
      ...exampleOf('unloop-long'),
      min_swap_backing_amount: cost(0.9),
    })
    return { user, provided: BigInt(cost(0.5)), opened, closed }
  })

/** A supply of which a part was migrated to another protocol. */
export const migrationDone = (context: ProbeContext): Promise<DoneChange> =>
  context.once('an executed migration', async () => {
    const user = await context.funded('mover', stake)
    await user.carryOut('earn', earnOf('3000000'))
    return change(user, 'migrate', migrationOf('aave'))
  })

/** A swap of USDC for WETH, without its amount. */
export const swapOfUsdc = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base' }

/** A migration of one USDC from Compound. */
export const migrationOf = (to_protocol: string) => ({
  ...{ amount: '1000000', asset: 'USDC', network: 'base', from_protocol: 'compound' },
  ...{ to_protocol, migrate_only_supply_balances: true },
})

/** What was observed of the only action of an activity. */
export const observedOf = (activity: Seen): Seen =>
  activity.at('executions', 0, 'actions', 0, 'observed_values')

/** Throws unless an amount is this, but for what a market rounds and what interest a minute brings. */
export function nearly(seen: Seen<bigint>, expected: bigint): void {
  const isSo = seen.value >= expected - 2n && seen.value <= expected + 100n
  seen.holds(isSo, `${expected}, but for rounding and interest`)
}
