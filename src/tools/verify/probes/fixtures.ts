import type { Step } from '../../../clients/scenarios/schema.js'
import type { ProbePlay } from '../probe.js'
import type { ResponseValue } from '../responseValue.js'
import { exampleOf, type Funds, refusals, type Shared } from './define.js'
import { as, carriesOut, type Look, type PlaceText, plans, reads } from './steps.js'

/** Four USDC: the funds of most accounts. */
export const stake: Funds = { base: { USDC: '4000000' } }

/** Collateral of loans. */
export const weth: Funds = { base: { WETH: '12000000000000000' } }

/** Native money, to be wrapped. */
export const ether: Funds = { base: { ETH: '2000000000000000' } }

/** To the address of the account's own signer by default, so that a run loses no money. */
export const transferFrom = (account: string, amount: string, to = `${account}.signer`) => ({
  ...{ asset: 'USDC', network: 'base', amount },
  recipient: `{{${to}}}`,
})

export const plansTransfer = (plan: string, by: string, amount: string, ...looks: Look[]) =>
  plans(plan, by, 'transfer', transferFrom(by, amount), ...looks)

export const executesTransfer = (plan: string, by: string, amount: string, to?: string) =>
  carriesOut(plan, by, 'transfer', transferFrom(by, amount, to))

export const earnOf = (amount: string) => ({
  asset: 'USDC',
  network: 'base',
  amount,
  protocol: 'compound',
})

export const swapOfUsdc = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base' }

/** A migration of one USDC from Compound. */
export const migrationOf = (to_protocol: string) => ({
  ...{ amount: '1000000', asset: 'USDC', network: 'base', from_protocol: 'compound' },
  ...{ to_protocol, migrate_only_supply_balances: true },
})

/** The place of a context's field: of the last action of a plan, or of the first of a type. */
export const context = (field: string, type?: string): PlaceText => [
  ...['details', 'svc_operation_actions'],
  type === undefined ? -1 : { action: { action_context: { action_type: type } } },
  ...['action', 'action_context', field],
]

export const readsFolio = (account: string, name: string): Step =>
  reads(`/accounts/{{${account}.id}}/folio`, as(name))

export const readsEvents = (account: string, name: string, query = ''): Step =>
  reads(`/accounts/{{${account}.id}}/events${query}`, as(name))

/** Reads the activity of an executed plan, as `PLAN_activity`. */
export const readsActivity = (plan: string): Step =>
  reads(`/activities/{{${plan}_execution.body.activity_id}}`, as(`${plan}_activity`))

/** Carries out a plan: `NAME`, its activity, and the folio as `NAME_before` and `NAME_after`. */
const changes = (name: string, account: string, kind: string, body: Record<string, unknown>) => [
  readsFolio(account, `${name}_before`),
  ...carriesOut(name, account, kind, body),
  readsActivity(name),
  readsFolio(account, `${name}_after`),
]

/** An executed transfer between two accounts of the run, with their folios before and after. */
export const transferDone: Shared = {
  accounts: { sender: stake, receiver: {} },
  setup: {
    name: 'an executed transfer',
    steps: [
      readsFolio('receiver', 'received_before'),
      readsFolio('sender', 'planned_before'),
      plans('planned', 'sender', 'transfer', transferFrom('sender', '1234567', 'receiver.wallet')),
      ...changes(
        'sent',
        'sender',
        'transfer',
        transferFrom('sender', '1234567', 'receiver.wallet'),
      ),
      readsFolio('receiver', 'received_after'),
    ],
  },
}

/** An executed transfer that has to be bridged: most of the money is on another network. */
export const bridgeDone: Shared = {
  accounts: { bridged: { base: { USDC: '1000000' }, optimism: { USDC: '6000000' } } },
  setup: {
    name: 'an executed plan with a bridge',
    steps: changes('bridged_out', 'bridged', 'transfer', transferFrom('bridged', '3000000')),
  },
}

export const swapDone: Shared = {
  accounts: { trader: stake },
  setup: {
    name: 'an executed swap',
    steps: changes('swapped', 'trader', 'swap', { ...swapOfUsdc, sell_amount: '2000001' }),
  },
}

export const supplyDone: Shared = {
  accounts: { saver: stake },
  setup: {
    name: 'an executed supply',
    steps: changes('supplied', 'saver', 'earn', earnOf('3000000')),
  },
}

const loanOf = (amount: string, collateral_amount: string) => ({
  ...{ asset: 'USDC', network: 'base', protocol: 'compound', amount },
  ...{ collateral_asset: 'WETH', collateral_amount },
})

/** A loan of which a part was paid back, with an unexecuted plan from the time before. */
export const loanDone: Shared = {
  accounts: { debtor: weth },
  setup: {
    name: 'an executed loan',
    steps: [
      plans('late', 'debtor', 'borrow', loanOf('1000000', '10000000000000000')),
      ...changes('borrowed', 'debtor', 'borrow', loanOf('5000000', '10000000000000000')),
      // The probe that joins it checks the answer.
      { execute: { plan: 'late', as: 'late_execution', background: true, expect: refusals.stale } },
      ...changes('repaid', 'debtor', 'repay', loanOf('2000001', '1000000000000001')),
    ],
  },
}

export const migrationDone: Shared = {
  accounts: { mover: stake },
  setup: {
    name: 'an executed migration',
    steps: [
      ...carriesOut('moved', 'mover', 'earn', earnOf('3000000')),
      ...changes('migrated', 'mover', 'migrate', migrationOf('aave')),
    ],
  },
}

/** The price of a part of so much WETH, in the smallest unit of USDC. */
export async function wethPrice({ play, body }: ProbePlay, account: string, milliWeth: number) {
  await play(readsFolio(account, 'priced'))
  const price = body('priced').at('folio', 'prices', 'token/WETH').text()
  price.holds(Number(price.value) > 0, 'a price')
  return (part: number): string => `${Math.floor(Number(price.value) * 1_000 * milliWeth * part)}`
}

const looper = { looper: { funds: { base: { USDC: '60000000' } } } }

/** A position of 0.01 WETH that was opened, and closed as a whole. */
export const loopDone = (playing: ProbePlay) =>
  playing.once('a loop that was opened and closed', looper, async (own) => {
    const cost = await wethPrice(own, 'looper', 10)
    const provided = cost(0.5)
    await own.play(
      ...changes('opened', 'looper', 'loop-long', {
        ...exampleOf('loop-long'),
        exposure_amount: '10000000000000000',
        max_swap_backing_amount: cost(1.05),
        max_provided_backing_amount: provided,
      }),
      ...changes('closed', 'looper', 'unloop-long', {
        ...exampleOf('unloop-long'),
        min_swap_backing_amount: cost(0.9),
      }),
    )
    return { provided: BigInt(provided), ...own }
  })

/** The record of an activity's only action. */
export const observedOf = (activity: ResponseValue): ResponseValue =>
  activity.at('executions', 0, 'actions', 0, 'observed_values')

/** Allows for what markets round and for the interest of a minute. */
export function nearly(actual: ResponseValue<bigint>, expected: bigint): void {
  const isSo = actual.value >= expected - 2n && actual.value <= expected + 100n
  actual.holds(isSo, `${expected}, but for rounding and interest`)
}
