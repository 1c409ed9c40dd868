import { type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { RunClock } from '../../clients/scenarios/play.js'
import type { Caller } from './caller.js'
import { must } from './expect.js'
import { type Funder, FundingFailed } from './funding.js'
import { forProbe, type TestAccount, testAccountOf } from './testAccount.js'
import { NotExercised, type Reach } from './types.js'

/** What probes have to work with: the server, time, and accounts that are made when the first probe asks for them. */
export type ProbeContext = ReturnType<typeof createProbeContext>

/** Money, in the smallest unit. */
export interface Funds {
  asset: string
  network: string
  amount: bigint
}

/** Accounts have keys of their own in each run, which follow from the API key and the run, so that money can be found again. */
function signerKey(apiKey: string, run: string, name: string): Hex {
  return keccak256(toHex(`svc-sim verify ${apiKey} ${run} ${name}`))
}

/** Nothing is made until it is asked for. */
export function createProbeContext(options: {
  caller: Caller
  clock: RunClock
  /** What time it is at the server, in milliseconds: all that it says of moments is held against its own clock. */
  serverNow(): Promise<number>
  apiKey: string
  /** Of this run. */
  run: string
  reach: Reach
  funder: Funder | undefined
}) {
  const { caller, clock, serverNow, apiKey, run, reach, funder } = options
  const made = new Map<string, Promise<unknown>>()
  let failedFunding: string | undefined

  function once<T>(what: string, make: () => Promise<T>, key = what): Promise<T> {
    if (!made.has(key)) made.set(key, forProbe(what, make()))
    return made.get(key) as Promise<T>
  }

  async function open(name: string): Promise<TestAccount> {
    const key = signerKey(apiKey, run, name)
    const signer = privateKeyToAddress(key)
    const answer = await caller.post('/accounts', { signer_type: 'eoa', signer_address: signer })
    const made = must('POST /accounts', answer, { status: 201 })
    const id = made.at('account_id').text().value
    const wallet = made.at('svc_wallet_address').text().value
    return testAccountOf(caller, clock, { id, wallet, signer, key })
  }

  async function account(name: string): Promise<TestAccount> {
    if (reach === 'read') throw new NotExercised('makes an account, which --only read does not')
    return once('an account', () => open(name), `account ${name}`)
  }

  async function give(to: TestAccount, { asset, network, amount }: Funds): Promise<void> {
    if (failedFunding !== undefined) throw new NotExercised(`the funding failed: ${failedFunding}`)
    try {
      await funder!({ address: to.wallet, accountId: to.id, asset, network, amount })
    } catch (error) {
      if (!(error instanceof FundingFailed)) throw error
      failedFunding = error.message
      throw new NotExercised(`the funding failed: ${error.message}`)
    }
  }

  return {
    caller,
    clock,
    serverNow,
    /** An account of this name, without money; the same for every probe that asks for the name. */
    account,
    /** An account of this name that has been given at least this. */
    async funded(name: string, ...funds: readonly Funds[]): Promise<TestAccount> {
      if (!funder) throw new NotExercised('needs money: give --fund-url or --fund-cmd')
      const to = await account(name)
      for (const each of funds)
        await once('money', () => give(to, each), `${each.asset} on ${each.network} for ${name}`)
      return to
    },
    /** What several probes look at: made by the first that asks for it. */
    once: <T>(what: string, make: () => Promise<T>): Promise<T> => once(what, make),
    /** The address of a signer of this run that nobody else uses. */
    signer: (name: string): string => privateKeyToAddress(signerKey(apiKey, run, name)),
    /** What could not be paid for, when the one who was to pay did not. */
    failedFunding: (): string | undefined => failedFunding,
  }
}
