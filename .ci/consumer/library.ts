// Compiled without `skipLibCheck`: what svc-sim declares stands by itself.
import { createSimulator, type SimulatorHandle } from 'svc-sim'
import { createSvcClient, type HexText, newSigner, type Schemas, SvcError } from 'svc-sim/client'

const sim: SimulatorHandle = await createSimulator({ clock: 'frozen' })
const client = createSvcClient({ baseUrl: sim.url, apiKey: sim.apiKey })
const { address, privateKey } = await newSigner()
const account = await client.createAccount(address)
const wallet: HexText = account.svc_wallet_address
await sim.fund({ address: wallet, asset: 'USDC', amount: 5n, network: 'base' })
const { plan, execution } = await client.signAndExecute(
  account.account_id,
  'earn',
  { asset: 'USDC', amount: '5', network: 'base', protocol: 'aave' },
  privateKey,
)
const contexts: Schemas['ActionContext'][] = plan.details.svc_operation_actions.map(
  ({ action }) => action.action_context,
)
for (const context of contexts)
  if (context.action_type === 'AAVE_SUPPLY') console.log(context.aave_pool satisfies HexText)
const status: 'executing' = execution.status
for await (const { event, cursor } of client.followEvents(account.account_id))
  if (event.data.activity_status !== 'pending') console.log(status, cursor satisfies number)
try {
  // @ts-expect-error There is no such protocol.
  await client.plan('acc_0', 'earn', { asset: 'USDC', amount: '5', network: 'base', protocol: 'x' })
} catch (error) {
  if (error instanceof SvcError) console.log(error.status, error.code, error.hint, error.requestId)
}
