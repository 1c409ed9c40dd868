import { afterEach, expect, test } from 'vitest'
import { createSvcClient, newSigner } from '../../src/clients/client/index.js'
import { leaseWorld } from '../../src/index.js'
import { createAccount, killRuns, type Ready, runCli, startReady } from '../kit/cli.js'

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

/** Three successes, a refusal, and an activity that a fault makes fail. */
async function useIt(ready: Ready): Promise<{ account: string; activity: string }> {
  const client = createSvcClient({ baseUrl: ready.url, apiKey: ready.apiKey })
  const { privateKey, address } = await newSigner()
  const { account_id: account } = await client.createAccount(address)
  const control = (path: string, body: unknown) =>
    fetch(`${ready.controlUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await control('/fund', { account_id: account, asset: 'USDC', amount: '5', network: 'base' })
  await control('/faults', { id: 'bad', on: 'execute', effect: 'revert', times: 1 })
  const transfer = { asset: 'USDC', amount: '5', network: 'base', recipient: address } as const
  const wrong = client.plan(account, 'transfer', { ...transfer, amount: '-5' })
  await expect(wrong).rejects.toThrow('amount')
  const { execution } = await client.signAndExecute(account, 'transfer', transfer, privateKey)
  await client.waitForActivity(account, execution.activity_id)
  return { account, activity: execution.activity_id }
}

test('behavior: pretty has a line for what was refused, what failed and what a fault did, with the command to run; successes are counted', async () => {
  const { run, ready } = await startReady('--log', 'pretty')
  const { account, activity } = await useIt(ready)
  const next = (id: string) => `npx svc-sim why ${id} --base-url ${ready.url}`
  await run.saying('stderr', /failed {2}act_/)
  run.kill('SIGTERM')
  await run.ended
  const lines = run.stderr.trimEnd().split('\n').slice(2)
  expect(lines.map((line) => line.replace(/req_\w+/, 'req_1'))).toEqual([
    expect.stringMatching(
      `^svc-sim: 400 invalid_params {2}POST /accounts/${account}/plan/transfer {2}amount .*"-5".* {2}${next('req_1')}$`,
    ),
    `svc-sim: fault bad fired  execute.revert  ${next('req_1')}`,
    expect.stringMatching(
      `^svc-sim: failed {2}${activity} {2}TRANSFER on base: .+ {2}${next(activity)}$`,
    ),
    expect.stringMatching(/^svc-sim: requests: \d+ answered, 1 refused$/),
    'svc-sim: SIGTERM: stopping',
    'svc-sim: stopped',
  ])
  // The list above holds that no success has a line; hashes may contain any three digits.
  expect(lines.some((line) => /^svc-sim: 2\d\d /.test(line))).toBe(false)
})

test('behavior: --log requests lists successes too', async () => {
  const { run, ready } = await startReady('--log', 'requests')
  const id = await createAccount(ready)
  await fetch(`${ready.url}/accounts/${id}`, {
    headers: { authorization: `Bearer ${ready.apiKey}` },
  })
  await run.saying('stderr', new RegExp(`^svc-sim: 200 {2}GET /accounts/${id} {2}[\\d.]+ ms$`, 'm'))
  expect(run.stderr).toMatch(/^svc-sim: 201 {2}POST \/accounts {2}[\d.]+ ms$/m)
})

test('behavior: --quiet is quiet, but says why it fails', async () => {
  const { run, ready } = await startReady('--quiet')
  await useIt(ready)
  const port = new URL(ready.url).port
  const second = await runCli(['start', '--quiet', '--port', port])
  run.kill('SIGTERM')
  await run.ended
  expect(run.stderr).toBe('')
  expect(second.stdout).toBe('')
  expect(second.stderr).toMatch(/^svc-sim: svc-sim .* already runs at .*\n$/)
})

test('behavior: exec writes one line of its own', async () => {
  const code =
    "fetch(process.env.SVC_BASE_URL + '/nowhere').then(({ status }) => console.log(status))"
  const { stdout, stderr } = await runCli(['exec', '--', process.execPath, '-e', code])
  expect(stdout).toBe('404\n')
  expect(stderr).toMatch(/^svc-sim: ready at http:\/\/127\.0\.0\.1:\d+, seed \d+ \(random\)\n$/)
})

test('behavior: a leased world’s lines name the world', async () => {
  const { run, ready } = await startReady()
  await using world = await leaseWorld({ url: ready.url })
  await fetch(`${world.url}/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.apiKey}` },
  })
  await run.saying(
    'stderr',
    new RegExp(`400 invalid_params {2}POST /accounts .* world ${world.id}, req_`),
  )
})

test('error: another format is refused with those that there are', async () => {
  const { code, stderr } = await runCli(['start', '--log', 'xml'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'svc-sim: --log is "xml", but allowed: pretty, requests, json.\n',
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
