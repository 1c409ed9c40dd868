import type { ScenarioReply, Wire } from '../../clients/scenarios/target.js'
import { type Cell, nameOfCell } from '../../http/pipeline/coverage.js'
import type { Why } from '../../observe/journal/whySchema.js'
import { textOfWhy } from '../../observe/journal/whyText.js'
import type { JsonSchema, Operation } from './documents.js'
import { ToolError } from './session.js'
import { type Arguments, checkArguments, firstSentence, type Tool } from './tool.js'

export const worldInput: JsonSchema = {
  type: 'string',
  description: 'A leased world; default: the default world.',
}

interface Extra {
  /** Follows the first sentence of the operation's description. */
  text?: string
  defaults?: Arguments
  isDestructive?: boolean
  /** Shapes the body of a success for the agent. */
  view?: (body: unknown, args: Arguments) => unknown
  /** Further arguments, for `view`. */
  more?: Readonly<Record<string, JsonSchema>>
  /** An input that agents do not need. */
  without?: string
}

/** Agents pause for long between two calls. */
const leaseSeconds = 3_600

/** The operations with their own tool, by id: those that an agent needs often. `call` reaches all others. */
const chosen: Readonly<Record<string, Extra>> = {
  getConnection: {},
  resetSimulator: { isDestructive: true },
  takeSnapshot: {},
  restoreSnapshot: { isDestructive: true },
  leaseWorld: {
    text: 'Give its id as world to other tools, and its key to the client under test.',
    defaults: { lease_seconds: leaseSeconds },
  },
  releaseWorld: { isDestructive: true },
  fundWallet: {},
  getFolio: {
    more: {
      matching: {
        type: 'string',
        description: 'Only entries with this text: an asset, a network, an address.',
      },
    },
    view: (body, { matching }) =>
      matching === undefined ? body : entriesWith(body, String(matching).toLowerCase(), 2),
  },
  listActivities: {},
  explain: { view: (body) => textOfWhy(body as Why), without: 'cursor' },
  addFault: { text: 'The resource svc-sim://faults lists all seams and effects.' },
  listFaults: {},
  removeFaults: { isDestructive: true },
  advanceClock: {},
  setPrice: {},
  getCoverage: { view: cellsByHit },
  runScenarioText: { text: 'listScenarios and getScenario have the shipped ones: copy from them.' },
}

export function operationTools(operations: ReadonlyMap<string, Operation>): Tool[] {
  const byId = new Map([...operations.values()].map((each) => [each.id, each]))
  const tools = Object.entries(chosen).map(([id, extra]) => {
    const operation = byId.get(id)
    if (operation === undefined) throw new TypeError(`no OpenAPI document has the operation ${id}`)
    return operationTool(operation, extra)
  })
  return [...tools, callAny(byId)]
}

function operationTool(operation: Operation, extra: Extra): Tool {
  const { id, method, summary, description, required } = operation
  const { text = '', defaults = {}, view, more = {}, isDestructive = false } = extra
  const known = Object.entries(operation.inputs).filter(([name]) => name !== extra.without)
  const said = [description ? firstSentence(description) : `${summary}.`, text].filter(Boolean)
  return {
    name: id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: summary,
    description: said.join(' '),
    inputs: {
      ...Object.fromEntries(known),
      ...more,
      ...(isOfWorld(operation) && { world: worldInput }),
    },
    required,
    isReadOnly: method === 'GET',
    isDestructive,
    async run({ world, ...args }, session) {
      const sent = Object.entries(args).filter(([name]) => !(name in more))
      const wire = await session.wire(world)
      const reply = await send(wire, operation, { ...defaults, ...Object.fromEntries(sent) })
      const isSuccess = reply.status >= 200 && reply.status < 300
      return view && isSuccess ? { ...reply, body: view(reply.body, args) } : reply
    },
  }
}

/** The simulator itself leases worlds. */
function isOfWorld({ path }: Operation): boolean {
  return !path.startsWith('/_sim/worlds')
}

function callAny(byId: ReadonlyMap<string, Operation>): Tool {
  const dedicated = new Set(Object.keys(chosen))
  // plan has its kinds, and a stream has no end that a call could return.
  const isLeftOut = /^plan[A-Z]|[Ss]tream|^follow/
  const others = [...byId.keys()].filter((id) => !dedicated.has(id) && !isLeftOut.test(id))
  return {
    name: 'call',
    title: 'Call any other operation',
    description: `Sends an operation of the OpenAPI documents by its id; the resource svc-sim://interface describes each. Ids: ${others.join(', ')}.`,
    inputs: {
      operation: { type: 'string', description: 'Its operationId.' },
      arguments: { type: 'object', description: 'Its parameters and the fields of its body.' },
      world: worldInput,
    },
    required: ['operation'],
    // It may be a DELETE: a client asks its user first.
    isDestructive: true,
    async run({ operation: id, arguments: args = {}, world }, session) {
      const operation = others.includes(String(id)) ? byId.get(String(id)) : undefined
      if (operation === undefined)
        throw new ToolError(
          `call has no operation ${JSON.stringify(id)}. Give one of: ${others.join(', ')}.`,
        )
      checkArguments({ ...operation, name: operation.id }, args as Arguments)
      return send(await session.wire(world), operation, args as Arguments)
    },
  }
}

export function send(wire: Wire, operation: Operation, args: Arguments): Promise<ScenarioReply> {
  const { method, path, isControl, pathParameters, queryParameters } = operation
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(args[name])),
  )
  const query = new URLSearchParams()
  for (const name of queryParameters) if (name in args) query.set(name, String(args[name]))
  const target = query.size > 0 ? `${filled}?${query}` : filled
  const rest = Object.entries(args).filter(
    ([name]) => !pathParameters.includes(name) && !queryParameters.includes(name),
  )
  const body = method === 'GET' || method === 'DELETE' ? undefined : Object.fromEntries(rest)
  if (isControl) return wire.ask(method, target, body)
  return wire.send({ method, path: target, body })
}

/** The entries of a list, or of tables `depth` levels down, whose name or content has the text. */
function entriesWith(value: unknown, text: string, depth: number): unknown {
  const holds = (entry: unknown) => JSON.stringify(entry).toLowerCase().includes(text)
  if (Array.isArray(value)) return value.filter(holds)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  if (depth === 0) return Object.fromEntries(entries.filter(holds))
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, entriesWith(entry, text, depth - 1)]),
  )
}

function cellsByHit(body: unknown) {
  const { cells, ...counts } = body as { met: number; documented: number; cells: Cell[] }
  const named = (isMet: boolean) => cells.filter(({ hits }) => hits > 0 === isMet).map(nameOfCell)
  return { ...counts, met_cells: named(true), never_met: named(false) }
}
