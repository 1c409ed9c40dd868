import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import {
  createSvcClient,
  type FollowedEvent,
  type HexText,
  type PlanIntent,
  type PlanName,
  type Schemas,
  type ServiceErrorCode,
  unwrap,
} from './index.js'

// What is expected of types here is checked by `npm run types`.

const at = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const client = createSvcClient({
  baseUrl: 'http://service',
  apiKey: 'k',
  // A server that answers everything alike.
  fetch: async () => Response.json({ account_id: 'acc_0', networks: [{ chain_id: 1 }] }),
})

test('default: the types are of the committed document', () => {
  const hash = createHash('sha256').update(at('openapi/openapi.json')).digest('hex')
  const header = at('src/clients/client/serviceApi.ts').split('\n')[0]
  expect(header, 'run "npm run openapi"').toContain(hash)
})

test('behavior: nothing is unknown where the document says what comes', () => {
  const unknowns = at('src/clients/client/serviceApi.ts')
    .split('\n')
    .map((line, at, lines) => ({
      line,
      key: lines.slice(0, at).findLast((each) => /: \{$/.test(each)),
    }))
    .filter(({ line }) => /\bunknown\b/.test(line))
    .map(({ line, key }) => `${key?.trim()} ${line.trim()}`)
  // Further headers; and an OpenAPI document is what its own specification says.
  expect([...new Set(unknowns)].sort()).toEqual([
    '"application/json": { [key: string]: unknown;',
    'headers: { [name: string]: unknown;',
  ])
})

test('default: kinds, intents and answers have types', async () => {
  expectTypeOf<PlanName>().toExtend<string>()
  expectTypeOf<'earn' | 'swap-and-supply' | 'reinvest_rewards'>().toExtend<PlanName>()
  expectTypeOf<'execute'>().not.toExtend<PlanName>()
  expectTypeOf<PlanIntent<'transfer'>['recipient']>().toEqualTypeOf<string>()
  expectTypeOf<PlanIntent<'reinvest_rewards'>['reward_assets']>().toEqualTypeOf<string[]>()
  expectTypeOf<Schemas['Account']['svc_wallet_address']>().toEqualTypeOf<HexText>()
  expectTypeOf<Schemas['Plan']['details']['eip712_data']['digest']>().toEqualTypeOf<HexText>()
  expectTypeOf<Schemas['ExecutionResult']['status']>().toEqualTypeOf<'executing'>()
  expectTypeOf<Schemas['Activity']['activity_status']>().toEqualTypeOf<
    'pending' | 'confirmed' | 'failed'
  >()
  expectTypeOf<Schemas['Folio']['balances'][string]>().toEqualTypeOf<string>()
  expectTypeOf<FollowedEvent['event']['data']['activity_status']>().not.toBeAny()
  const account = await client.createAccount('0x')
  expectTypeOf(account).toEqualTypeOf<Schemas['Account']>()
  expect(account.account_id).toBe('acc_0')
  const answer = client.api.GET('/networks')
  expectTypeOf((await unwrap(answer)).networks[0]!.chain_id).toEqualTypeOf<number>()
})

test('behavior: a context tells its fields by its action type, a step by its type, a market by its protocol', () => {
  const context = {} as Schemas['ActionContext']
  if (context.action_type === 'COMET_SUPPLY') expectTypeOf(context.comet).toEqualTypeOf<HexText>()
  const step = {} as Schemas['PlanStep']
  if (step.type === 'svc_operation') expectTypeOf(step.operation_index).toEqualTypeOf<number>()
  // @ts-expect-error Without a look at the type, nobody knows of a comet.
  expect(context.comet).toBeUndefined()
})

test('error: codes are known by name, and wrong intents do not compile', async () => {
  expectTypeOf<'plan_stale' | 'swap_quote_failed' | 'unreachable'>().toExtend<ServiceErrorCode>()
  const { error } = await client.api.GET('/networks')
  const code: ServiceErrorCode | undefined = error?.error
  expect(code).toBeUndefined()
  const place = { asset: 'USDC', network: 'base' } as const
  // @ts-expect-error There is no such kind.
  await client.plan('acc_0', 'gamble', { ...place, amount: '1' })
  // @ts-expect-error An amount is text.
  await client.plan('acc_0', 'earn', { ...place, amount: 1, protocol: 'aave' })
  // @ts-expect-error There is no such network.
  await client.plan('acc_0', 'transfer', { ...place, amount: '1', recipient: '', network: 'x' })
  // @ts-expect-error One of the amounts must be there.
  await client.plan('acc_0', 'swap', { sell_asset: 'USDC', buy_asset: 'WETH', network: 'base' })
})
