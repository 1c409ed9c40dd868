import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { createSvcClient, type SvcClient } from '../../clients/client/client.js'
import { signPlan } from '../../clients/client/signer.js'
import type { PlanName, Schemas } from '../../clients/client/types.js'
import type { Wire } from '../../clients/scenarios/target.js'
import { curveOrder } from '../../lib/curveOrder.js'
import type { JsonSchema, Operation } from './documents.js'
import { send, worldInput } from './operations.js'
import { type Session, ToolError } from './session.js'
import type { Arguments, Tool } from './tool.js'

const planPath = '/accounts/{account_id}/plan/'

/** The key goes nowhere: neither to the simulator nor into a message. */
const privateKeyInput: JsonSchema = {
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{64}$',
  description: 'Key of the signer, 0x and 64 hex digits. Signs here; is not sent, kept or logged.',
}

const waitInput: JsonSchema = {
  type: 'number',
  minimum: 0,
  maximum: 50,
  description: 'Real time to follow the activity. Default 20; 0: do not follow.',
}

/** The tools that combine several operations. */
export function planTools(operations: ReadonlyMap<string, Operation>): Tool[] {
  const kinds = new Map(
    [...operations.values()].flatMap((operation): [string, Operation][] =>
      operation.path.startsWith(planPath) && !operation.path.endsWith('/execute')
        ? [[operation.path.slice(planPath.length), operation]]
        : [],
    ),
  )
  return [
    createAccount(operations.get('POST /accounts')!),
    makePlan(kinds),
    execute(operations.get(`POST ${planPath}execute`)!),
    planAndExecute(kinds),
  ]
}

function createAccount(operation: Operation): Tool {
  return {
    name: 'create_account',
    title: operation.summary,
    description:
      'Creates a sub-account. The signer is signer_address, or the address of private_key. With neither, a key is created and returned once. Use it for nothing of value.',
    inputs: { ...operation.inputs, private_key: privateKeyInput, world: worldInput },
    required: [],
    async run({ private_key, world, ...args }, session) {
      const isNew = private_key === undefined && args.signer_address === undefined
      const key = isNew ? generatePrivateKey() : keyOf(private_key)
      const signer = key ? { signer_address: privateKeyToAddress(key) } : {}
      const body = { signer_type: 'eoa', ...args, ...signer }
      const reply = await send(await session.wire(world), operation, body)
      if (!isNew || reply.status !== 201) return reply
      return { result: { ...(reply.body as object), signer_private_key: key } }
    },
  }
}

function makePlan(kinds: ReadonlyMap<string, Operation>): Tool {
  const lines = [...kinds].map(([kind, operation]) => `- ${kind} (${namesOf(operation)})`)
  return {
    name: 'plan',
    title: 'Make a plan',
    description: [
      'Makes a plan; nothing is on chain yet. It lives two minutes of the clock; execute signs and runs it. Amounts are integers as text, in the smallest unit of the asset. Kinds, and the fields of their intents:',
      ...lines,
    ].join('\n'),
    inputs: intentInputs(kinds),
    required: ['account_id', 'kind', 'intent'],
    async run({ kind, intent, account_id, world }, session) {
      const operation = kindNamed(kinds, kind)
      return send(await session.wire(world), operation, { ...(intent as Arguments), account_id })
    },
  }
}

function execute(operation: Operation): Tool {
  return {
    name: 'execute',
    title: operation.summary,
    description:
      'Executes a plan and follows its activity to the end. Give signature, made by yourself over details.eip712_data.digest (as a hash, without a prefix), or the private_key of the signer.',
    inputs: {
      ...operation.inputs,
      private_key: privateKeyInput,
      wait_seconds: waitInput,
      world: worldInput,
    },
    required: ['account_id', 'plan_id'],
    async run({ private_key, wait_seconds, world, ...args }, session) {
      if ((args.signature === undefined) === (private_key === undefined))
        throw new ToolError('execute needs either signature or private_key, not both.')
      const key = keyOf(private_key)
      const wire = await session.wire(world)
      const signature = key ? await signPlan(await planOf(wire, args), key) : args.signature
      const reply = await send(wire, operation, { ...args, signature })
      const { activity_id } = (reply.body ?? {}) as { activity_id?: string }
      if (activity_id === undefined || secondsOf(wait_seconds) === 0) return reply
      const client = await clientOf(session, world)
      const activity = await followed(client, wire, args.account_id, activity_id, wait_seconds)
      return { result: { ...(reply.body as object), activity } }
    },
  }
}

function planAndExecute(kinds: ReadonlyMap<string, Operation>): Tool {
  return {
    name: 'plan_and_execute',
    title: 'Plan, sign, execute and follow',
    description:
      'Carries out an intent exactly once, as a careful client does: makes a plan, signs it, executes it, and makes another only when the first can no longer run. The tool plan lists the kinds.',
    inputs: {
      ...intentInputs(kinds, false),
      private_key: privateKeyInput,
      wait_seconds: waitInput,
    },
    required: ['account_id', 'kind', 'intent', 'private_key'],
    async run({ kind, intent, account_id, private_key, wait_seconds, world }, session) {
      kindNamed(kinds, kind)
      const key = readPrivateKey(private_key)
      const client = await clientOf(session, world)
      const { execution, attempts } = await client.signAndExecute(
        String(account_id),
        kind as PlanName,
        intent as never,
        key,
      )
      const wire = await session.wire(world)
      const done = { ...execution, plans: attempts }
      if (secondsOf(wait_seconds) === 0) return { result: done }
      const { activity_id } = execution
      const activity = await followed(client, wire, account_id, activity_id, wait_seconds)
      return { result: { ...done, activity } }
    },
  }
}

function intentInputs(kinds: ReadonlyMap<string, Operation>, isFull = true) {
  const fields = isFull ? { properties: allFields([...kinds.values()]) } : {}
  const choice = isFull ? { enum: [...kinds.keys()] } : {}
  return {
    account_id: { type: 'string', description: 'Sub-account, acc_...' },
    kind: { type: 'string', ...choice },
    intent: { type: 'object', description: 'The fields of the kind.', ...fields },
    world: worldInput,
  }
}

function kindNamed(kinds: ReadonlyMap<string, Operation>, kind: unknown): Operation {
  const operation = kinds.get(String(kind))
  if (operation) return operation
  throw new ToolError(
    `There is no plan kind ${JSON.stringify(kind)}. Give one of: ${[...kinds.keys()].join(', ')}.`,
  )
}

function fieldsOf({ inputs, pathParameters }: Operation): string[] {
  return Object.keys(inputs).filter((name) => !pathParameters.includes(name))
}

/** `amount, asset, market?`. */
function namesOf(operation: Operation): string {
  return fieldsOf(operation)
    .map((name) => (operation.required.includes(name) ? name : `${name}?`))
    .join(', ')
}

/** The fields of all kinds; the resource `interface` explains them. */
function allFields(operations: readonly Operation[]): Readonly<Record<string, JsonSchema>> {
  const all = operations.flatMap((operation) =>
    fieldsOf(operation).map((name): [string, JsonSchema] => {
      const { description: _, example: _example, ...schema } = operation.inputs[name]!
      return [name, schema]
    }),
  )
  // The first kind that has it, so that a field is one thing in all of them.
  return Object.fromEntries(all.toReversed())
}

const keyOf = (given: unknown) => (given === undefined ? undefined : readPrivateKey(given))

/** The error does not repeat the key. */
function readPrivateKey(given: unknown): Hex {
  const isHex = typeof given === 'string' && /^0x[0-9a-fA-F]{64}$/.test(given)
  if (isHex && BigInt(given) > 0n && BigInt(given) < curveOrder) return given as Hex
  throw new ToolError(
    'private_key is no key: it must be text of 0x and 64 hex digits, and a number from 1 to the order of secp256k1.',
  )
}

async function clientOf(session: Session, world: unknown): Promise<SvcClient> {
  const { url, apiKey } = await session.target(world)
  return createSvcClient({ baseUrl: url, apiKey })
}

/** Read from the journal, since the server keeps no state. */
async function planOf(wire: Wire, { account_id, plan_id }: Arguments): Promise<Schemas['Plan']> {
  const query = new URLSearchParams({ account_id: String(account_id), limit: '1000' })
  const { body } = await wire.ask('GET', `/_sim/journal?${query}`)
  const { exchanges = [] } = (body ?? {}) as { exchanges?: { answer?: { body?: unknown } }[] }
  const plan = exchanges
    .map((each) => each.answer?.body as Schemas['Plan'] | undefined)
    .find((each) => each?.plan_id === plan_id && each?.details?.eip712_data)
  if (plan) return plan
  throw new ToolError(
    `The journal has no plan ${String(plan_id)} of ${String(account_id)}. Make one with plan, or sign its digest yourself and give the signature.`,
  )
}

const secondsOf = (given: unknown) => Math.max(0, Math.min(Number(given ?? 20) || 0, 50))

/**
 * The activity when it has ended, or when the time is up. While the clock is frozen, it is read once after everything due is done.
 */
async function followed(
  client: SvcClient,
  wire: Wire,
  accountId: unknown,
  activityId: string,
  seconds: unknown,
): Promise<unknown> {
  const { body: clock } = await wire.ask('POST', '/_sim/clock/advance', { seconds: 0 })
  const { mode = 'real' } = (clock ?? {}) as { mode?: keyof typeof whyPending }
  const signal = AbortSignal.timeout(secondsOf(seconds) * 1_000)
  const wait = () => client.waitForActivity(String(accountId), activityId, { signal })
  const look = () => client.activity(activityId)
  const activity =
    mode === 'real'
      ? await wait().catch((error: Error) => {
          if (error !== signal.reason) throw error
          return look()
        })
      : await look()
  return activity.activity_status === 'pending' ? { ...activity, note: whyPending[mode] } : activity
}

const whyPending = {
  frozen:
    'The clock is frozen. Move it with advance_clock, unless explain says that it waits for something else.',
  auto: 'Nothing is due that would end it. explain says why it is pending.',
  real: 'Still pending. Read it again, or ask explain why.',
}
