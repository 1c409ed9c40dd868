import { describe, expect, test } from 'vitest'
import { createTools } from './agentServer.js'
import { readOperations } from './documents.js'
import { createSession } from './session.js'
import { brief, callTool, listed } from './tool.js'

const operations = readOperations()
const tools = createTools(operations, { seed: { type: 'string' } })
const session = createSession('none', { apiKey: 'k' })
const list = tools.map(listed)

function call(name: string, args: Record<string, unknown>): Promise<unknown> {
  return callTool(tools.find((tool) => tool.name === name)!, args, session)
}

test('default: what a tool takes, its title and its kind are what the documents say', () => {
  const fund = list.find(({ name }) => name === 'fund_wallet')!
  const { inputs, required, summary } = operations.get('POST /_sim/fund')!
  expect(fund.title).toBe(summary)
  expect(fund.inputSchema.properties).toEqual({
    ...(brief(inputs) as object),
    world: expect.objectContaining({ type: 'string' }),
  })
  expect(fund.inputSchema.required).toEqual(required)
  expect(fund.annotations.readOnlyHint).toBe(false)
  expect(list.find(({ name }) => name === 'explain')!.annotations.readOnlyHint).toBe(true)
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

test('behavior: every operation has a tool, or is reached by call', () => {
  const { description } = list.find(({ name }) => name === 'call')!
  const named = new Set(list.map(({ name }) => name.replaceAll('_', '')))
  const missing = [...operations.values()].filter(
    ({ id, path }) =>
      !named.has(id.toLowerCase()) &&
      !new RegExp(`\\b${id}\\b`).test(description) &&
      !/\/stream$|\/plan\/(?!execute)/.test(path),
  )
  expect(missing.map(({ id }) => id)).toEqual([])
})

test('behavior: every tool that works in a world can name it', () => {
  const without = list.filter(({ inputSchema: { properties } }) => !('world' in properties))
  expect(without.map(({ name }) => name)).toEqual([
    ...['start_simulator', 'attach_simulator', 'stop_simulator'],
    ...['lease_world', 'release_world'],
  ])
})

test('behavior: an agent can afford the list', () => {
  expect(JSON.stringify(list)).not.toContain('$ref')
  expect(list.length).toBeLessThan(27)
  expect(JSON.stringify(list).length).toBeLessThan(20_000)
})

test('default: every tool has a title and says what it may do', () => {
  const named = (hint: 'readOnlyHint' | 'destructiveHint') =>
    list.filter(({ annotations }) => annotations[hint]).map(({ name }) => name)
  for (const { name, title } of list) expect(title, name).toMatch(/^\S/)
  expect(named('readOnlyHint')).toEqual([
    ...['get_connection', 'get_folio', 'list_activities', 'explain', 'list_faults', 'get_coverage'],
  ])
  expect(named('destructiveHint')).toEqual([
    ...['stop_simulator', 'reset_simulator', 'restore_snapshot', 'release_world', 'remove_faults'],
    'call',
  ])
})

test('behavior: a schema keeps a property that has the name of a keyword', () => {
  const schema = {
    properties: { title: { type: 'string', example: 'x', description: 'One. Two.' } },
  }
  expect(brief(schema)).toEqual({ properties: { title: { type: 'string', description: 'One.' } } })
})

describe('error', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['advance_clock', {}, 'advance_clock needs seconds. seconds: Seconds to advance'],
    ['get_coverage', { seconds: 1 }, 'get_coverage has no argument seconds. It takes: '],
    ['fund_wallet', { who: 'me' }, 'fund_wallet has no argument who. It takes: account_id, addr'],
    [
      'plan',
      { account_id: 'a', kind: 'x', intent: {} },
      'There is no plan kind "x". Give one of: earn',
    ],
    [
      'plan_and_execute',
      { account_id: 'a', kind: 'x', intent: {}, private_key: `0x${'11'.repeat(32)}` },
      'There is no plan kind "x". Give one of: earn',
    ],
    ['plan', { account_id: 'a', kind: 'earn', intent: [] }, 'intent is [], but must be an object'],
    [
      'plan',
      { account_id: 'a', kind: 'earn', intent: '{"amount":"1"}' },
      'intent is text, but must be an object. Send it as JSON',
    ],
    [
      'add_fault',
      { on: 'quote', effect: 'unavailable', match: '{}' },
      'match is text, but must be an object with',
    ],
    ['execute', { account_id: 'a', plan_id: 'p' }, 'either signature or private_key, not both'],
    ['call', { operation: 'constructor' }, 'call has no operation "constructor". Give one of: '],
    ['call', { operation: 'getScenario', arguments: {} }, 'getScenario needs name. name: '],
    ['attach_simulator', { url: 'nowhere' }, 'url is "nowhere", but must be like http://'],
    ['get_coverage', {}, 'No simulator is running here. Call start_simulator'],
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
