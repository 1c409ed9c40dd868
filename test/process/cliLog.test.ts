import { afterEach, expect, test } from 'vitest'
import { createAccount, killRuns, runCli, startReady } from '../kit/cli.js'

// `--log` of the built program. Needs `npm run build` before.

afterEach(killRuns)

interface Line {
  level: string
  msg: string
  route?: string
  status?: number
  code?: string
  account_id?: string
  faults?: string[]
}

test('default: every line is JSON, one for each request, and no key is in it', async () => {
  const [key, revoked, token] = ['mine-a1b2c3d4', 'old-e5f6a7b8', 't0ken-c9d0e1f2']
  const { run, ready } = await startReady(
    ...['--log', 'json', '--host', '0.0.0.0', '--api-key', key!],
    ...['--revoked-api-key', revoked!, '--control-token', token!],
  )
  const url = ready.url.replace('0.0.0.0', '127.0.0.1')
  const id = await createAccount({ url, apiKey: key! })
  const get = (path: string, bearer?: string, headers = {}) =>
    fetch(url + path, {
      headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), ...headers },
    }).then((response) => response.status)
  const rule = JSON.stringify({
    id: key,
    on: 'request',
    effect: { respond: { error: 'internal_error' } },
  })
  expect([
    await get(`/accounts/${id}`, key),
    await get('/accounts', revoked),
    await get(`/accounts/${key}?k=${token}`, key),
    await get(`/${token}`),
    await get('/metrics', token),
    await get('/_sim/clock', key),
    await get('/networks', key, { 'x-svc-sim-fault': rule }),
    await get(`/%0a${encodeURIComponent(`{"level":"fatal"}\n${key}`)}`),
  ]).toEqual([200, 401, 404, 404, 200, 401, 500, 404])
  run.kill('SIGTERM')
  expect(await run.ended).toEqual({ code: 0, signal: null })

  const lines = run.stderr
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(requests.map(({ route, status }) => `${status} ${route}`)).toEqual([
    '201 /accounts',
    '200 /accounts/:account_id',
    '401 /accounts',
    '404 /accounts/:account_id',
    '404 (none)',
    '200 /metrics',
    '401 (none)',
    '500 /networks',
    '404 (none)',
  ])
  expect(requests[1]).toMatchObject({ account_id: id })
  expect(requests[3]).not.toHaveProperty('account_id')
  expect(requests[7]).toMatchObject({ code: 'internal_error', faults: ['***'] })
  const said = lines.filter(({ msg }) => msg !== 'request').map(({ msg }) => msg)
  expect(said[0]).toMatch(/^listening on http/)
  expect(said.at(-1)).toBe('stopped')
  for (const secret of [key, revoked, token]) expect(run.stderr).not.toContain(secret)
})

test('behavior: pretty is what it was, and says nothing of requests', async () => {
  const { run, ready } = await startReady('--log', 'pretty')
  await createAccount(ready)
  run.kill('SIGTERM')
  await run.ended
  const lines = run.stderr.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines)
    expect(line).toMatch(/^svc-sim: (listening|nodes|seed|ready|SIGTERM|stopped)/)
})

test('error: another format is refused with those that there are', async () => {
  const { code, stderr } = await runCli(['start', '--log', 'xml'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'svc-sim: --log is "xml", but allowed: pretty, json.\n',
  })
})

test('error: a start that fails says so in JSON as well', async () => {
  const { code, stderr } = await runCli([
    'start',
    '--log',
    'json',
    '--host',
    '203.0.113.1',
    '--control-token',
    'x',
  ])
  expect(code).toBe(1)
  const [line, ...others] = stderr.trimEnd().split('\n')
  expect(others).toEqual([])
  expect(JSON.parse(line!)).toMatchObject({
    level: 'info',
    msg: expect.stringContaining('cannot listen'),
  })
})
