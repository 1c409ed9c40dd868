import { useEffect, useState } from 'preact/hooks'
import { carryOut } from '../../../../clients/client/carryOut.js'
import { createSvcClient, executionCalls } from '../../../../clients/client/client.js'
import { defaultPatience } from '../../../../clients/client/sending.js'
import type { PlanIntent, PlanName, Schemas } from '../../../../clients/client/types.js'
import { asViewer } from '../../api/ownReads.js'
import { signature } from '../../api/signers.js'
import type { AccountView } from '../../api/types.js'
import type { Loaded } from '../../api/useLoaded.js'

/** A client with the key of the account's prime account. It retries nothing: a person decides that. */
function clientOf({ account, api_key }: AccountView) {
  if (api_key === null)
    throw new Error(`All keys of the prime account ${account.prime_account_id} are revoked`)
  const patience = { attempts: 1 }
  return createSvcClient({ baseUrl: location.origin, apiKey: api_key, patience, fetch: asViewer })
}

/** Sends what was typed as it is: the service says what is wrong with it. */
export function askForPlan(view: AccountView, kind: string, body: object) {
  const { account_id } = view.account
  return clientOf(view).plan(account_id, kind as PlanName, body as PlanIntent<PlanName>)
}

/** Signs a plan with the key in this tab, and executes it. After a lost response, the activities show whether it was executed. */
export async function signAndExecute(view: AccountView, plan: Schemas['Plan']) {
  const { account_id, signer_address } = view.account
  const calls = {
    ...executionCalls(clientOf(view).api, account_id),
    plan: async () => plan,
    sign: () => signature(plan, signer_address),
  }
  const { execution } = await carryOut(calls, { attempts: 1 }, { ...defaultPatience, attempts: 0 })
  return execution
}

/** Follows an activity to its end, however often the simulator does not respond meanwhile. */
export function useActivity(view: AccountView, id: string | undefined) {
  const [followed, setFollowed] = useState<Loaded<Schemas['Activity']>>({})
  useEffect(() => {
    setFollowed({})
    if (id === undefined) return
    const stopping = new AbortController()
    const waiting = {
      signal: stopping.signal,
      failures: Number.POSITIVE_INFINITY,
      onRead: (data: Schemas['Activity']) => setFollowed({ data }),
    }
    clientOf(view)
      .waitForActivity(view.account.account_id, id, waiting)
      .catch((refusal) => {
        if (!stopping.signal.aborted) setFollowed((before) => ({ ...before, refusal }))
      })
    return () => stopping.abort()
  }, [id])
  return followed
}
