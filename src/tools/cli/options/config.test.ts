import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { CommandName } from '../../../simulator/options/optionSpec.js'
import { ConfigError, type Flags, readOptions } from './config.js'

const noFile = folder()

function folder(file?: unknown): string {
  const dir = mkdtempSync(join(tmpdir(), 'svc-sim-config-'))
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  if (file !== undefined) writeFileSync(join(dir, 'svc-sim.config.json'), text)
  return dir
}

interface Given {
  flags?: Flags
  env?: NodeJS.ProcessEnv
  cwd?: string
}

function read({ flags = {}, env = {}, cwd = noFile }: Given, command: CommandName = 'start') {
  return readOptions(command, flags, { env, cwd })
}

function refusal(given: Given, command?: CommandName): string {
  try {
    read(given, command)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error('it was accepted')
}

test('default', () => {
  expect(read({})).toMatchInlineSnapshot(`
    {
      "advertise": undefined,
      "allowedHost": [],
      "apiKey": [],
      "assumeEmpty": [],
      "bundle": undefined,
      "clock": undefined,
      "controlToken": undefined,
      "corsOrigin": [
        "loopback",
      ],
      "dataDir": undefined,
      "drainSeconds": 0,
      "fork": [],
      "forkCache": undefined,
      "forkMaxRequests": undefined,
      "fromExport": undefined,
      "host": "127.0.0.1",
      "json": false,
      "keepBlocks": undefined,
      "log": "pretty",
      "maxWorlds": undefined,
      "noColor": false,
      "noUi": false,
      "port": undefined,
      "quiet": false,
      "revokedApiKey": [],
      "rpcPortBase": undefined,
      "rpcUnsafe": false,
      "saveBundle": false,
      "scenario": undefined,
      "scenarios": undefined,
      "seed": undefined,
      "trace": undefined,
      "verbose": false,
      "worlds": undefined,
    }
  `)
})

test('behavior: each place gives every kind of value', () => {
  const expected = {
    port: 4000,
    dataDir: './state',
    apiKey: ['one', 'two'],
    revokedApiKey: ['three'],
    seed: 18446744073709551616n,
    rpcPortBase: 9000,
    allowedHost: ['sim.lan', 'proxy:8080'],
    corsOrigin: ['http://localhost:5173', 'https://app.example'],
    rpcUnsafe: true,
    json: true,
  }
  const flags = {
    port: '4000',
    dataDir: './state',
    apiKey: ['one', 'two'],
    revokedApiKey: ['three'],
    seed: '18446744073709551616',
    rpcPortBase: '9000',
    allowedHost: ['sim.lan', 'proxy:8080'],
    corsOrigin: ['http://localhost:5173', 'https://app.example'],
    rpcUnsafe: true,
    json: true,
  }
  const env = {
    SVC_SIM_PORT: '4000',
    SVC_SIM_DATA_DIR: './state',
    SVC_SIM_API_KEY: 'one, two',
    SVC_SIM_REVOKED_API_KEY: 'three',
    SVC_SIM_SEED: '18446744073709551616',
    SVC_SIM_RPC_PORT_BASE: '9000',
    SVC_SIM_ALLOWED_HOST: 'Sim.LAN, proxy:8080',
    SVC_SIM_CORS_ORIGIN: 'http://localhost:5173, https://app.example',
    SVC_SIM_RPC_UNSAFE: 'true',
    SVC_SIM_JSON: '1',
  }
  const file = {
    port: 4000,
    'data-dir': './state',
    'api-key': ['one', 'two'],
    'revoked-api-key': 'three',
    seed: '18446744073709551616',
    'rpc-port-base': 9000,
    'allowed-host': ['sim.lan', 'proxy:8080'],
    'cors-origin': ['http://localhost:5173', 'https://app.example'],
    'rpc-unsafe': true,
    json: true,
  }
  expect(read({ flags })).toMatchObject(expected)
  expect(read({ env })).toMatchObject(expected)
  expect(read({ cwd: folder(file) })).toMatchObject(expected)
})

test('behavior: flag before environment before file before default', () => {
  const cwd = folder({ port: 3, host: 'localhost', 'api-key': ['file'] })
  const env = { SVC_SIM_PORT: '2', SVC_SIM_API_KEY: 'env' }
  expect(read({ flags: { port: '1', apiKey: ['flag'] }, env, cwd })).toMatchObject({
    port: 1,
    apiKey: ['flag'],
    host: 'localhost',
  })
  expect(read({ env, cwd })).toMatchObject({ port: 2, apiKey: ['env'] })
  expect(read({ cwd })).toMatchObject({ port: 3, apiKey: ['file'] })
})

test('behavior: --snapshot is another name of --from-export in every place, and yields to it', () => {
  const { env, cwd } = { env: { SVC_SIM_SNAPSHOT: 'env' }, cwd: folder({ snapshot: 'file' }) }
  expect(read({ flags: { snapshot: 'flag' } as Flags, env, cwd }).fromExport).toBe('flag')
  expect(read({ env, cwd }).fromExport).toBe('env')
  expect(read({ cwd }).fromExport).toBe('file')
  expect(read({ env: { ...env, SVC_SIM_FROM_EXPORT: 'new' }, cwd }).fromExport).toBe('new')
})

test('behavior: an empty variable is not set, and false in the environment takes back true in the file', () => {
  const cwd = folder({ json: true, port: 3 })
  expect(read({ env: { SVC_SIM_PORT: '', SVC_SIM_JSON: 'false' }, cwd })).toMatchObject({
    port: 3,
    json: false,
  })
})

test('behavior: an address that Kubernetes sets for a Service called svc-sim is no port', () => {
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const env = { SVC_SIM_PORT: 'tcp://10.96.0.1:4477' }
  expect(read({ env }).port).toBe(read({}).port)
  expect(read({ env, cwd: folder({ port: 5000 }) }).port).toBe(5000)
  expect(said[0]).toMatch(
    /^svc-sim: SVC_SIM_PORT is tcp:\/\/10\.96\.0\.1:4477, which Kubernetes sets/,
  )
  vi.restoreAllMocks()
  expect(refusal({ env: { SVC_SIM_PORT: '10.96.0.1:4477' } })).toContain('SVC_SIM_PORT')
})

test('error: a variable that names no option is reported with the one that was meant', () => {
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const env = {
    ...{ SVC_SIM_PROT: '3', SVC_SIM_API_KEYS: 'a', SVC_SIM_HOTS: 'x', SVC_SIM_CLOK: 'real' },
    ...{ SVC_SIM_KEY: 'a', SVC_SIM_SNAPSHOT: '', SVC_SIM_PORT: '4000' },
    // What Kubernetes sets for Services called svc-sim and svc-sim-front.
    ...{ SVC_SIM_SERVICE_HOST: '10.0.0.1', SVC_SIM_SERVICE_PORT_HTTP: '80' },
    ...{ SVC_SIM_PORT_4477_TCP_ADDR: '10.0.0.1', SVC_SIM_FRONT_PORT: 'tcp://10.0.0.1:80' },
  }
  expect(read({ env }).port).toBe(4000)
  vi.restoreAllMocks()
  const ignored = (name: string, next: string) =>
    `svc-sim: the environment variable ${name} is ignored, because no option has this name. ${next}\n`
  expect(said).toEqual([
    ignored('SVC_SIM_API_KEYS', 'Did you mean SVC_SIM_API_KEY?'),
    ignored('SVC_SIM_CLOK', 'Did you mean SVC_SIM_CLOCK?'),
    ignored('SVC_SIM_HOTS', 'Did you mean SVC_SIM_HOST?'),
    ignored(
      'SVC_SIM_KEY',
      'Every option has a variable of its name: see "svc-sim COMMAND --help".',
    ),
    ignored('SVC_SIM_PROT', 'Did you mean SVC_SIM_PORT?'),
  ])
})

test('behavior: a byte order mark at the start of the file is no error', () => {
  expect(read({ cwd: folder('\uFEFF{ "port": 5001 }') }).port).toBe(5001)
})

test('behavior: a command takes its own options only, and the file may hold those of others', () => {
  const cwd = folder({ port: 'nonsense', format: 'json' })
  expect(read({ cwd }, 'openapi')).toEqual({
    control: false,
    json: false,
    noColor: false,
    oas: '3.1',
    forClients: false,
    format: 'json',
    out: undefined,
  })
})

test('error: a bad value is shown with its place and what is allowed', () => {
  const allowed = 'it must be a whole number from 0 to 65535, where 0 takes a free port.'
  const cwd = folder({ port: 70_000 })
  expect(refusal({ flags: { port: 'http' } })).toBe(`--port is "http", but ${allowed}`)
  expect(refusal({ env: { SVC_SIM_PORT: '-1' } })).toBe(
    `the environment variable SVC_SIM_PORT is "-1", but ${allowed}`,
  )
  expect(refusal({ cwd })).toBe(
    `"port" in ${join(cwd, 'svc-sim.config.json')} is "70000", but ${allowed}`,
  )
})

test.each([
  ['seed', '-1', 'it must be a whole number, 0 or more'],
  ['seed', '0x10', 'in decimal digits'],
  ['host', 'http://localhost', 'without scheme, port or brackets'],
  ['host', '127.0.0.1:4477', 'without scheme, port or brackets'],
  ['allowedHost', 'http://sim.lan', 'with or without a port'],
  ['corsOrigin', 'https://app.example/', 'no slash at the end'],
  ['corsOrigin', '*', 'it must be an origin as browsers send it'],
  ['apiKey', "it's", 'letters, digits and'],
  ['controlToken', 'a b', 'letters, digits and'],
  ['rpcPortBase', '65532', 'from 1 to 65531'],
  ['clock', 'slow', 'it must be real, auto, frozen, or frozen@'],
  ['clock', 'frozen@2026-01-01', 'it must be real, auto, frozen, or frozen@'],
  ['clock', 'frozen@2026-13-01T00:00:00Z', 'it must be real, auto, frozen, or frozen@'],
] as const)('error: --%s %s', (name, text, why) => {
  const message = refusal({ flags: { [name]: text } })
  expect(message).toContain(JSON.stringify(text))
  expect(message).toContain(why)
})

test('default: a fork is a network, a URL and perhaps a block', () => {
  const url = 'http://user:pass@127.0.0.1:1/path?x=1'
  expect(
    read({ flags: { fork: [`base=${url}`, 'polygon=https://rpc.example/@42'] } }).fork,
  ).toEqual([
    { network: 'base', url },
    { network: 'polygon', url: 'https://rpc.example/', block: 42 },
  ])
  expect(read({ env: { SVC_SIM_FORK: 'base=http://a,mainnet=http://b' } }).fork).toHaveLength(2)
})

test('behavior: a fork has several URLs; only a comma before a network begins the next fork', () => {
  const several = [
    { network: 'base', url: ['http://a', 'https://b/c,d'], block: 7 },
    { network: 'mainnet', url: 'http://c' },
  ]
  const env = { SVC_SIM_FORK: 'base=http://a,https://b/c,d@7, mainnet=http://c' }
  expect(read({ env }).fork).toEqual(several)
  expect(read({ flags: { fork: env.SVC_SIM_FORK.split(', ') } }).fork).toEqual(several)
  const bad = { fork: 'base=http://a,http:b c' }
  expect(refusal({ flags: bad })).toContain('the URL must be an http:// or https:// address')
})

test.each([
  ['bose=https://rpc.example/k3y', 'networks: mainnet, base, arbitrum, optimism, polygon'],
  ['https://rpc.example/k3y', 'it must be a network, "="'],
  ['base=wss://rpc.example/k3y', 'http:// or https://'],
  ['base=rpc.example/k3y', 'http:// or https://'],
  ['base=https://rpc.example/k3y@latest', 'must be a block number'],
  ['base=https://rpc.example/k3y@-1', 'must be a block number'],
  ['base=https://rpc.example/k3y@99999999999999999999', 'must be a whole number'],
])('error: --fork %s, without repeating what may be a key', (text, why) => {
  const message = refusal({ flags: { fork: text } })
  expect(message).toContain('--fork cannot be used')
  expect(message).toContain(why)
  expect(message).not.toContain('k3y')
})

test('error: a network forked twice', () => {
  const fork = ['base=http://a', 'base=http://b']
  expect(refusal({ flags: { fork } })).toContain('--fork names base twice')
})

test('error: a bundle that is to be saved without one, or without an endpoint', () => {
  for (const given of [{ bundle: 'b' }, { fork: ['base=http://a'] }])
    expect(refusal({ flags: { ...given, saveBundle: true } })).toContain(
      'Give both, or leave --save-bundle out.',
    )
})

test('default: a moment is a Unix second, and what is none is refused', () => {
  expect(readOptions('bundle', { at: '2026-01-01T00:00:00Z' }, { env: {}, cwd: '/' }).at).toBe(
    1_767_225_600,
  )
  for (const at of ['earlier', '2026-02-30T00:00:00Z', 'real'])
    expect(refusal({ flags: { at } }, 'bundle')).toContain('--at is')
})

test('error: json in the environment and format as a flag name their choices', () => {
  expect(refusal({ env: { SVC_SIM_JSON: 'yes' } })).toContain('allowed: true, false, 1, 0')
  expect(refusal({ flags: { format: 'xml' } }, 'openapi')).toContain('allowed: yaml, json')
})

test.each([
  ['scenario', 'pretty, json, tap, junit'],
  ['coverage', 'pretty, json, tap, junit'],
  ['verify', 'pretty, json, junit'],
  ['swarm', 'pretty, json, junit'],
] as const)(
  'error: a reporter that %s does not have is refused, with those that it has',
  (command, allowed) => {
    for (const reporter of ['junitt', allowed.includes('tap') ? 'xml' : 'tap'])
      expect(refusal({ flags: { reporter } }, command)).toBe(
        `--reporter is "${reporter}", but allowed: ${allowed}.`,
      )
    for (const reporter of allowed.split(', '))
      expect(read({ flags: { reporter } }, command).reporter).toBe(reporter)
  },
)

test('error: an unknown key in the file is refused, with the known ones', () => {
  const message = refusal({ cwd: folder({ prot: 1 }) })
  expect(message).toContain('unknown key "prot"')
  expect(message).toContain(
    'Known: port, host, data-dir, from-export, api-key, revoked-api-key, seed',
  )
})

test('error: a file that is not one JSON object', () => {
  expect(refusal({ cwd: folder('{"port": ') })).toContain('cannot be read as JSON')
  expect(refusal({ cwd: folder([1]) })).toContain('must hold one JSON object')
})

test('error: a value of the wrong shape in the file', () => {
  expect(refusal({ cwd: folder({ port: null }) })).toContain('is null, but must be text')
  expect(refusal({ cwd: folder({ 'api-key': [{}] }) })).toContain('or a list of them')
  expect(refusal({ cwd: folder({ port: [1, 2] }) })).toContain('is [1,2], but must be text')
  expect(refusal({ cwd: folder('{"seed": 18446744073709551616}') })).toContain('write it in quotes')
})

test('error: a host that other machines reach needs a control token', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.2', 'build.example'])
    expect(refusal({ flags: { host } })).toContain(`Other machines may reach ${host}`)
  expect(read({ flags: { host: '0.0.0.0', controlToken: 'secret' } }).controlToken).toBe('secret')
  for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
    expect(read({ flags: { host } }).host).toBe(host)
})

test('error: the default key where other machines reach', () => {
  const flags = { host: '0.0.0.0', controlToken: 'secret' }
  expect(read({ flags }).apiKey).toEqual([])
  const apiKey = ['mine', 'qk_local0_00000000000000000000']
  expect(refusal({ flags: { ...flags, apiKey } })).toContain('is known to everybody')
  expect(read({ flags: { apiKey } }).apiKey).toEqual(apiKey)
})

test('error: no browser app beside some', () => {
  const flags = { corsOrigin: ['none', 'https://app.example'] }
  expect(refusal({ flags })).toContain('none cannot be combined with other values')
  expect(read({ flags: { corsOrigin: ['none'] } }).corsOrigin).toEqual(['none'])
})

test('error: a key that is given twice, or is accepted and revoked', () => {
  expect(refusal({ flags: { apiKey: ['a', 'b', 'a'] } })).toContain('The API key a is given twice')
  const defaultKey = 'qk_local0_00000000000000000000'
  expect(refusal({ flags: { revokedApiKey: [defaultKey] } })).toContain(defaultKey)
  const flags = { revokedApiKey: [defaultKey], apiKey: ['mine'] }
  expect(read({ flags }).revokedApiKey).toEqual([defaultKey])
})

test('error: the API port among the node ports', () => {
  const flags = { rpcPortBase: '8545' }
  expect(refusal({ flags: { ...flags, port: '8549' } })).toContain('--port 8549 is one of the five')
  expect(read({ flags: { ...flags, port: '8550' } }).port).toBe(8550)
})

test('error: more worlds kept ready than there may be', () => {
  const flags = { worlds: '3', maxWorlds: '2' }
  expect(refusal({ flags })).toContain(
    '--worlds 3 are to be kept ready, and there may be 2 at most',
  )
  expect(refusal({ flags: { worlds: '33' } })).toContain('32 at most')
})
