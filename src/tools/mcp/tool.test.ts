import { describe, expect, test } from 'vitest'
import { readOperations } from './documents.js'
import { createSession } from './session.js'
import { brief, callTool, listed, type Tool } from './tool.js'
import { createToolbox } from './toolbox.js'

const operations = readOperations()
const toolbox = createToolbox(operations, { seed: { type: 'string' } })
const session = createSession('none', { apiKey: 'k' })
const list = toolbox.map((tool) => listed(tool, { operations }))

function toolNamed(name: string): Tool {
  return toolbox.find((tool) => tool.name === name)!
}

function call(name: string, args: Record<string, unknown>): Promise<unknown> {
  return callTool(toolNamed(name), args, { session, operations })
}

test('default: what a tool takes is what the documents say', () => {
  const fund = list.find(({ name }) => name === 'fund')!
  const { inputs, required } = operations.get('POST /_sim/fund')!
  expect(fund.inputSchema.properties).toEqual(brief(inputs))
  expect(fund.inputSchema.required).toEqual(required)
  const clock = list.find(({ name }) => name === 'clock')!
  expect(clock.inputSchema.properties).toMatchObject({
    action: { enum: ['advance', 'freeze', 'resume', 'auto'] },
    seconds: brief(operations.get('POST /_sim/clock/advance')!.inputs.seconds),
  })
})

test('behavior: every plan kind of the document is one of the tool, with its own fields', () => {
  const plan = list.find(({ name }) => name === 'plan')!
  const { kind, intent } = plan.inputSchema.properties as {
    kind: { enum: string[] }
    intent: { properties: Record<string, object> }
  }
  const paths = [...operations.values()].map(({ path }) => path)
  const kinds = paths.flatMap((path) => /\/plan\/(?!execute)(.+)$/.exec(path)?.[1] ?? [])
  expect(kind.enum).toEqual(kinds)
  expect(plan.description).toContain('\n- earn (amount, asset, network, protocol, market?)\n')
  for (const [name, operation] of [...operations].filter(([name]) =>
    /\/plan\/(?!execute)/.test(name),
  ))
    for (const field of Object.keys(operation.inputs).filter((each) => each !== 'account_id'))
      expect(intent.properties, name).toHaveProperty(field)
})

test('behavior: the list says everything itself, and an argument means one thing in every action', () => {
  expect(JSON.stringify(list)).not.toContain('$ref')
  for (const tool of toolbox) {
    const types = new Map<string, string>()
    for (const action of Object.values(tool.actions)) {
      const operation = action.operation && operations.get(action.operation)
      const inputs = { ...(operation ? operation.inputs : {}), ...action.more }
      for (const [name, { type }] of Object.entries(inputs)) {
        const [now, before] = [JSON.stringify(type), types.get(name)]
        expect([tool.name, name, before ?? now]).toEqual([tool.name, name, now])
        types.set(name, String(now))
      }
    }
  }
})

test('behavior: an agent can afford the list', () => {
  expect(list.length).toBeLessThan(25)
  expect(JSON.stringify(list).length).toBeLessThan(20_000)
})

test('default: every tool has a title and says what it may do', () => {
  for (const { name, title, annotations } of list) {
    expect(title, name).toMatch(/^\S/)
    expect(annotations, name).toEqual({
      readOnlyHint: name.startsWith('read_') || ['why', 'coverage'].includes(name),
      destructiveHint: ['simulator', 'worlds', 'faults'].includes(name),
      openWorldHint: false,
    })
  }
})

test('behavior: no tool mixes reading and writing', () => {
  for (const tool of toolbox) {
    const reads = Object.values(tool.actions).map(
      ({ operation, reads }) => reads ?? operation?.startsWith('GET ') ?? false,
    )
    expect(new Set(reads).size, tool.name).toBe(1)
  }
})

test('behavior: a schema keeps a property that has the name of a keyword', () => {
  const schema = {
    properties: { title: { type: 'string', example: 'x', description: 'One. Two.' } },
  }
  expect(brief(schema)).toEqual({ properties: { title: { type: 'string', description: 'One.' } } })
})

describe('error', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['clock', {}, 'clock has no action "". Give one of: advance, freeze, resume, auto.'],
    ['clock', { action: 'constructor' }, 'clock has no action "constructor"'],
    [
      'clock',
      { action: 'advance' },
      'clock with action advance needs seconds. seconds: Seconds to advance',
    ],
    [
      'read_clock',
      { action: 'read', seconds: 1 },
      'read_clock with action read knows no seconds. It takes',
    ],
    ['fund', { action: 'give' }, 'fund has no actions; leave the argument action out.'],
    ['fund', { who: 'me' }, 'fund knows no who. It takes: account_id, address, asset'],
    [
      'plan',
      { account_id: 'a', kind: 'x', intent: {} },
      'plan knows no kind "x". Give one of: earn',
    ],
    [
      'plan',
      { account_id: 'a', kind: 'earn', intent: [] },
      'intent must be an object with the fields of earn: amount, asset',
    ],
    ['execute', { account_id: 'a', plan_id: 'p' }, 'either signature or private_key, not both'],
    [
      'execute',
      { account_id: 'a', plan_id: 'p', private_key: `0x${'11'.repeat(32)}` },
      'The digest of p is not known here',
    ],
    ['scenarios', { action: 'run' }, 'needs either name or yaml, not both'],
    [
      'read_scenarios',
      { action: 'read', name: '../package' },
      'There is no scenario "../package". Give one of: accounts, ',
    ],
    [
      'simulator',
      { action: 'attach', url: 'nowhere' },
      'url is "nowhere", but must be like http://',
    ],
    ['coverage', {}, 'No simulator is running here. Call simulator with action start'],
  ])('%s with %j', async (name, args, message) => {
    await expect(call(name, args)).rejects.toThrow(message)
  })

  test.each(['0x12', `0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, 7])(
    'the key %s is refused without being repeated',
    async (private_key) => {
      const failing = call('execute', { account_id: 'a', plan_id: 'p', private_key })
      const { message } = (await failing.catch((error) => error)) as Error
      expect(message).toContain('private_key is no key')
      expect(message).not.toContain(String(private_key))
    },
  )
})
