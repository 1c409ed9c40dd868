import { type HexText, newSigner, type SvcClient } from '../../clients/client/index.js'
import { leaseWorld, type WorldHandle } from '../../clients/remote/leaseWorld.js'
import type { FundRequest } from '../../clients/remote/sim.js'
import { isWorldShared, urlVariable } from '../../clients/remote/variables.js'
import { type WorldClient, worldAt } from '../../clients/remote/worldClient.js'
import { createSimulator } from '../../simulator/createSimulator.js'
import type { ClockOption, SeedOption } from '../../time/clockOption.js'

/** Ends before the time limit of the hook, so that the error has its reason. */
const waitForWorldSeconds = 90

/** How the simulators of tests start. */
export interface SimulatorSettings {
  /** Makes ids repeatable; drawn when absent. */
  seed?: SeedOption
  /** `auto`, `real`, `frozen`, `frozen@ISO-TIME` or `{ frozenAt }`; `auto` when absent: bridges and delays take no time. */
  clock?: ClockOption
}

/** Characters in the name of a world. */
export const longestName = 200

/** A test's own world of its simulator. */
export type SimulatorOfTest = WorldClient &
  Partial<Pick<WorldHandle, 'reportFailed' | 'reportPassed' | 'reportPassedOnRetry'>>

/**
 * A world of the simulator that runs already (`SVC_CONTROL_URL` or `SVC_BASE_URL`, as `svc-sim exec` has them in the environment); when
 * none does, a simulator in this process. `say` gets the one line that says which; a leased world is listed by its `name`.
 */
export async function openSimulator(
  given: SimulatorSettings,
  name: string,
  say: (line: string) => void = () => {},
): Promise<SimulatorOfTest> {
  const settings = { clock: 'auto', ...given }
  if (urlVariable('SVC_CONTROL_URL') ?? urlVariable('SVC_BASE_URL')) {
    const world = await leaseWorld({
      ...settings,
      name: name.slice(0, longestName),
      waitSeconds: waitForWorldSeconds,
    })
    say(
      isWorldShared()
        ? `shares the world at ${world.url}: nothing is undone after a test`
        : `leased world ${world.id} at ${world.url}`,
    )
    return world
  }
  const sim = await createSimulator(settings)
  const { url, apiKey, controlUrl } = sim
  say(`ready at ${url}, seed ${sim.seed}`)
  return worldAt({ url, apiKey, controlUrl, rpc: sim.rpc }, sim.close)
}

/**
 * Restores a snapshot, and drops it: a simulator has room for a hundred. When the test has reset everything, or restored what is older,
 * it is gone, and a reset undoes what came since.
 */
export async function restoreAndDrop(sim: SimulatorOfTest, snapshot: string): Promise<void> {
  const isThere = (await sim.snapshots.list()).some(({ id }) => id === snapshot)
  if (!isThere) return void (await sim.reset())
  await sim.restore(snapshot)
  await sim.snapshots.delete(snapshot)
}

/** What an account is given. */
export type GivenFunds = Omit<FundRequest, 'account_id' | 'address'>

/** An account with its key and funds. */
export interface FundedAccount {
  id: string
  /** The address of its wallet, the same on all networks. */
  wallet: HexText
  /** The address of its signer. */
  signer: HexText
  /** Signs for it: hand it to the client's `signAndExecute`. */
  privateKey: HexText
  /** Gives it more. */
  fund(funds: GivenFunds): Promise<void>
}

export async function openAccount(
  sim: SimulatorOfTest,
  client: SvcClient,
  funds: readonly GivenFunds[],
): Promise<FundedAccount> {
  const { privateKey, address } = await newSigner()
  // Under a search, faults hit the fixture too, which is not the client under test.
  const account = await client.openAccount(address)
  const fund = async (more: GivenFunds): Promise<void> => {
    await sim.fund({ ...more, account_id: account.account_id })
  }
  for (const amount of funds) await fund(amount)
  const { account_id: id, svc_wallet_address: wallet } = account
  return { id, wallet, signer: address, privateKey, fund }
}
