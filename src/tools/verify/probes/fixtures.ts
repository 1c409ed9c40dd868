import type { OneStep } from '../corpus/steps.js'
import type { Funds, ProbeContext } from '../probeContext.js'
import type { TestAccount } from '../testAccount.js'
import { NotExercised } from '../types.js'

/** What most accounts of a run get: four USDC. */
export const stake: Funds = { asset: 'USDC', network: 'base', amount: 4_000_000n }

/** What loans of a run are taken against. */
export const weth: Funds = { asset: 'WETH', network: 'base', amount: 12_000_000_000_000_000n }

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

/** An executed transfer between two accounts of the run, with both balances before and after. */
export function transferDone(context: ProbeContext) {
  return context.once('an executed transfer', async () => {
    const sender = await context.funded('sender', stake)
    const receiver = await context.account('receiver')
    const balances = async () => ({
      sent: await sender.balance('USDC', 'base'),
      received: await receiver.balance('USDC', 'base'),
    })
    const before = await balances()
    const planned = await sender.plan('transfer', transferOf(sender, '1234567', receiver.wallet))
    const unchanged = await balances()
    const done = await sender.carryOut('transfer', transferOf(sender, '1234567', receiver.wallet))
    return { sender, receiver, before, planned, unchanged, done, after: await balances() }
  })
}

/** An executed supply that has to be bridged: most of the money is on another network. */
export function bridgeDone(context: ProbeContext) {
  return context.once('an executed plan with a bridge', async () => {
    const user = await context.funded(
      'bridged',
      { asset: 'USDC', network: 'base', amount: 1_000_000n },
      { asset: 'USDC', network: 'optimism', amount: 6_000_000n },
    )
    const folio = await user.folio()
    return { user, folio, ...(await user.carryOut('transfer', transferOf(user, '3000000'))) }
  })
}

/** An executed swap of USDC for WETH. */
export function swapDone(context: ProbeContext) {
  return context.once('an executed swap', async () => {
    const user = await context.funded('trader', stake)
    const before = await held(user)
    const swap = { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base', sell_amount: '2000001' }
    const done = await user.carryOut('swap', swap)
    return { user, before, done, after: await held(user) }
  })
}

/** An executed supply of USDC. */
export function supplyDone(context: ProbeContext) {
  return context.once('an executed supply', async () => {
    const user = await context.funded('saver', stake)
    const before = await user.balance('USDC', 'base')
    const done = await user.carryOut('earn', earnOf('3000000'))
    return {
      user,
      before,
      done,
      after: await user.balance('USDC', 'base'),
      folio: await user.folio(),
    }
  })
}

async function held(user: TestAccount) {
  return { usdc: await user.balance('USDC', 'base'), weth: await user.balance('WETH', 'base') }
}

/** The context of the first action of a type. */
export function contextOf(contexts: readonly Record<string, unknown>[], type: string) {
  return contexts.find(({ action_type }) => action_type === type)
}

/** The context that has this field: of the type, or of one that is called otherwise. The interface promises neither. */
export function contextWith(
  contexts: readonly Record<string, unknown>[],
  type: string,
  field: string,
): Record<string, unknown> {
  const found = [contextOf(contexts, type), ...contexts].find((each) => each && field in each)
  if (!found)
    throw new NotExercised(
      `no action has ${field}, which the interface does not promise`,
      'not provable',
    )
  return found
}
