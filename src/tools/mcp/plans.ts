import type { Hex } from 'viem'
import { signatureOf } from '../../clients/scenarios/steps.js'
import type { Wire } from '../../clients/scenarios/target.js'
import type { JsonSchema, Operation } from './documents.js'
import type { Session } from './session.js'
import { privateKeyInput, readPrivateKey } from './signing.js'
import { type Arguments, only, send, type Tool } from './tool.js'
import { ToolError } from './toolError.js'

const planPath = '/accounts/{account_id}/plan/'
const executePlan = `POST ${planPath}execute`

/** One tool for every plan kind of the document. */
export function planTool(operations: ReadonlyMap<string, Operation>): Tool {
  const kinds = [...operations.values()].flatMap((operation): [string, Operation][] =>
    operation.path.startsWith(planPath) && !operation.path.endsWith('/execute')
      ? [[operation.path.slice(planPath.length), operation]]
      : [],
  )
  const lines = kinds.map(([kind, operation]) => `- ${kind} (${namesOf(operation)})`)
  return {
    name: 'plan',
    title: 'Make a plan',
    description: [
      'Makes a plan: nothing happens on chain yet. It lives two minutes of the clock; execute signs and runs it. Amounts are integers as text, in the smallest unit of the asset. Kinds, and the fields of their intents:',
      ...lines,
    ].join('\n'),
    actions: {
      [only]: {
        more: {
          account_id: { type: 'string', description: 'Sub-account, acc_...' },
          kind: { type: 'string', enum: kinds.map(([kind]) => kind) },
          intent: {
            type: 'object',
            description: 'The fields of the kind.',
            properties: allFields(kinds.map(([, operation]) => operation)),
          },
        },
        required: ['account_id', 'kind', 'intent'],
        async run({ kind, intent, account_id }, tools) {
          const operation = kinds.find(([name]) => name === kind)?.[1]
          if (operation === undefined)
            throw new ToolError(
              `plan knows no kind ${JSON.stringify(kind)}. Give one of: ${kinds.map(([name]) => name).join(', ')}.`,
            )
          if (typeof intent !== 'object' || intent === null || Array.isArray(intent))
            throw new ToolError(
              `intent must be an object with the fields of ${kind}: ${fieldsOf(operation).join(', ')}.`,
            )
          const name = `${operation.method} ${operation.path}`
          const reply = await send(tools, name, { ...intent, account_id })
          rememberPlan(tools.session, reply.body)
          return reply
        },
      },
    },
  }
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

/** Every field that some kind takes, with its type; what it means is in its name, and in the resource `interface`. */
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

function rememberPlan(session: Session, body: unknown): void {
  const { plan_id, details } = (body ?? {}) as PlanBody
  const digest = details?.eip712_data?.digest
  if (plan_id !== undefined && digest !== undefined) session.remember(plan_id, digest)
}

/** A plan as far as its execution needs it; nothing of it when it was refused. */
interface PlanBody {
  plan_id?: string
  details?: { eip712_data?: { digest?: string } }
}

/** Signs a plan and runs it, and follows what becomes of it. */
export const executeTool: Tool = {
  name: 'execute',
  title: 'Execute a plan',
  description:
    'Executes a plan and follows its activity to the end. Give signature, made by yourself over details.eip712_data.digest (as a hash, without a prefix), or the private_key of the signer, which signs a plan that was made here.',
  actions: {
    [only]: {
      operation: executePlan,
      more: {
        private_key: privateKeyInput,
        digest: {
          type: 'string',
          description: 'Only for private_key, and for a plan that was not made here.',
        },
        wait_seconds: {
          type: 'number',
          minimum: 0,
          maximum: 50,
          description:
            'How long to follow the activity, in real time. Default 20; 0 to not follow.',
        },
      },
      required: ['account_id', 'plan_id'],
      async run({ private_key, digest, wait_seconds = 20, ...args }, tools) {
        const signature = await signatureFor(tools.session, { private_key, digest, ...args })
        const body = { ...args, signature }
        const reply = await send(tools, executePlan, body)
        const seconds = Math.min(Number(wait_seconds) || 0, 50)
        const { activity_id } = (reply.body ?? {}) as { activity_id?: string }
        if (seconds <= 0 || activity_id === undefined) return reply
        const wire = tools.session.wire()
        const activity = await follow(wire, String(args.account_id), activity_id, seconds * 1_000)
        return { result: { ...(reply.body as object), activity } }
      },
    },
  },
}

async function signatureFor(session: Session, args: Arguments): Promise<unknown> {
  const { signature, private_key, plan_id } = args
  if ((signature === undefined) === (private_key === undefined))
    throw new ToolError('execute needs either signature or private_key, not both.')
  if (private_key === undefined) return signature
  const key = readPrivateKey(private_key)
  const digest = args.digest ?? session.digestOf(String(plan_id))
  if (digest === undefined)
    throw new ToolError(
      `The digest of ${plan_id} is not known here: the plan was not made by the tool plan. Give its digest, or a signature.`,
    )
  if (typeof digest !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(digest))
    throw new ToolError(
      'digest must be 0x and 64 hex digits, as details.eip712_data.digest has it.',
    )
  return signatureOf('valid', digest as Hex, key)
}

/**
 * The activity when it is through, or as it is when the time is up. While the clock stands still it is read once, after all that is due
 * has been done: nothing more happens before somebody moves the clock.
 */
async function follow(
  wire: Wire,
  accountId: string,
  activityId: string,
  withinMs: number,
): Promise<unknown> {
  const { body: clock } = await wire.ask('POST', '/_sim/clock/advance', { seconds: 0 })
  const { mode = 'real' } = (clock ?? {}) as { mode?: keyof typeof whyPending }
  const activity =
    mode === 'real'
      ? await wire.follow(accountId, activityId, withinMs)
      : (await wire.send({ method: 'GET', path: `/activities/${activityId}` })).body
  const { activity_status: status } = (activity ?? {}) as { activity_status?: string }
  return status === 'pending' ? { ...(activity as object), note: whyPending[mode] } : activity
}

/** What an agent can do about an activity that is pending still, by the mode of the clock. */
const whyPending = {
  frozen: 'The clock is frozen. Move it: clock with advance.',
  auto: 'Nothing is due that would end it. See why it is pending.',
  real: 'Still pending. Read it again, or see why it is.',
}
