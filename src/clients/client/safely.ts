import { passes, untilItPasses } from './follow.js'
import type { Patience } from './sending.js'
import type { Abortable, SvcClient } from './svcClient.js'
import { SvcError } from './svcError.js'
import type { Schemas } from './types.js'

/** The methods that are one call each. */
export interface Calls
  extends Pick<SvcClient, 'createAccount' | 'folio' | 'activity' | 'plan' | 'execute'> {
  accounts(options?: Abortable): Promise<Schemas['Account'][]>
  /** Newest first. */
  activities(accountId: string, options?: Abortable): Promise<Schemas['Activity'][]>
}

/**
 * The calls that may be sent again, with retries: reads and plans change nothing, and of an account there is one per signer. `execute` is
 * not among them.
 */
export function safely(calls: Calls, patience: Patience): Omit<Calls, 'execute'> {
  const again = <T>(work: () => Promise<T>, { signal }: Abortable = {}): Promise<T> =>
    untilItPasses(work, { signal, failures: patience.attempts - 1 }, patience)
  return {
    accounts: (options) => again(() => calls.accounts(options), options),
    activities: (id, options) => again(() => calls.activities(id, options), options),
    folio: (id, options) => again(() => calls.folio(id, options), options),
    activity: (id, options) => again(() => calls.activity(id, options), options),
    plan: (id, kind, request, options) =>
      again(() => calls.plan(id, kind, request, options), options),
    async createAccount(signerAddress, options) {
      let mayExist = false
      const create = async (): Promise<Schemas['Account']> => {
        try {
          return await calls.createAccount(signerAddress, options)
        } catch (error) {
          const isThere = error instanceof SvcError && error.code === 'account_already_exists'
          const found = isThere && mayExist && (await accountOf(signerAddress, options))
          if (found) return found
          mayExist ||= passes(error)
          throw error
        }
      }
      return again(create, options)
    },
  }

  async function accountOf(signerAddress: string, options: Abortable | undefined) {
    const all = await calls.accounts(options)
    return all.find((each) => each.signer_address.toLowerCase() === signerAddress.toLowerCase())
  }
}
