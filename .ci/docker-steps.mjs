// Carries out the steps of the Dockerfile without Docker: every stage is a bare folder, and on the PATH of its commands there is Node
// beside what a slim Debian has. Then starts what the image starts, and looks at it from outside; last as docs/ci/compose.yml starts it,
// with a suite beside it.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const source = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'svc-sim-docker-'))
chmodSync(scratch, 0o755) // for the user that the image runs as

/** What a slim Debian brings, as far as it is used; no compiler, no git, no curl, no Python. */
const debian = [
  'sh',
  'cat',
  'chmod',
  'chown',
  'cp',
  'env',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'sed',
  'sleep',
  'tar',
  'uname',
]
const tools = join(scratch, 'tools')
mkdirSync(tools)
for (const name of debian)
  symlinkSync(
    execFileSync('sh', ['-c', `command -v ${name}`])
      .toString()
      .trim(),
    join(tools, name),
  )

const say = (line) => process.stdout.write(`${line}\n`)

const stages = new Map()
let stage
let image = {}
let child

/** A path of the image in the folder of a stage. */
const inside = (path, of = stage) =>
  join(of.root, path.startsWith('/') ? path : join(of.workdir, path))
/** Texts that name places of the image, for a command that runs outside of it. */
const translate = (text) =>
  text.replace(
    /(^|[\s:="])\/(app|data|build)\b/g,
    (_, before, name) => `${before}${stage.root}/${name}`,
  )

/** A new stage has Node, and nothing else. */
function from(words) {
  stage = { root: join(scratch, `stage${stages.size}`), workdir: '/' }
  mkdirSync(join(stage.root, 'usr/local/bin'), { recursive: true })
  stages.set(words[1] === 'AS' ? words[2] : 'last', stage)
  assert.match(words[0], /@sha256:[0-9a-f]{64}$/, 'the base image is pinned by its digest')
  if (words[0].startsWith('node:'))
    for (const name of ['node', 'npm', 'npx'])
      symlinkSync(
        execFileSync('sh', ['-c', `command -v ${name}`])
          .toString()
          .trim(),
        join(stage.root, 'usr/local/bin', name),
      )
  image = { env: {} }
}

/** From a stage, or from the source: there what git knows, and what is built already, which the build then finds to be fresh. */
function copy(words) {
  const [target, ...rest] = words.reverse()
  const [what, option] = rest
  if (option)
    return cpSync(inside(what, stages.get(option.slice('--from='.length))), inside(target), {
      recursive: true,
      verbatimSymlinks: true,
    })
  if (what !== '.') return cpSync(join(source, what), inside(target), { recursive: true })
  const known = execFileSync('git', ['ls-files', '-z'], { cwd: source }).toString().split('\0')
  const ignored = readFileSync(join(source, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const files = [
    ...known.filter((file) => file && existsSync(join(source, file))),
    'dist',
    'contracts/out',
    'src/generated',
  ]
  for (const file of files.filter((file) => !ignored.includes(file.split('/')[0]))) {
    mkdirSync(dirname(inside(file)), { recursive: true })
    cpSync(join(source, file), inside(file), { recursive: true })
  }
}

const environment = () => ({
  HOME: scratch,
  PATH: `${stage.root}/usr/local/bin:${tools}`,
  npm_config_cache: process.env.npm_config_cache ?? `${process.env.HOME}/.npm`,
  ...image.env,
})

/** What `npm ci` would install is there: this gate comes after the one that has done that. */
function isInstalled([program, verb]) {
  if (`${program} ${verb}` !== 'npm ci') return false
  symlinkSync(join(source, 'node_modules'), inside('node_modules'))
  return true
}

const instructions = {
  FROM: from,
  COPY: copy,
  WORKDIR([path]) {
    stage.workdir = path
    mkdirSync(inside('.'), { recursive: true })
  },
  RUN: (words) =>
    isInstalled(words) ||
    execFileSync(join(tools, 'sh'), ['-ec', translate(words.join(' '))], {
      cwd: inside('.'),
      env: environment(),
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  ENV([pair]) {
    const [name, value] = pair.split('=')
    image.env[name] =
      name === 'PATH'
        ? `${translate(value).replace('/usr/local/bin:/usr/bin:/bin', `${stage.root}/usr/local/bin:${tools}`)}`
        : value
  },
  USER: ([ids]) => Object.assign(image, { ids: ids.split(':').map(Number) }),
  EXPOSE: ([port]) => assert.equal(port, '4477'),
  HEALTHCHECK: (words) =>
    Object.assign(image, {
      healthy: JSON.parse(translate(words.slice(words.indexOf('CMD') + 1).join(' '))),
    }),
  ENTRYPOINT: (words) =>
    Object.assign(image, { entrypoint: JSON.parse(translate(words.join(' '))) }),
  CMD: (words) => Object.assign(image, { command: JSON.parse(words.join(' ')) }),
}

/** Runs a command of the image as its user; only root can become another one. */
function start([file, ...args], env = {}) {
  const [uid, gid] = process.getuid() === 0 ? image.ids : []
  const program = existsSync(join(stage.root, 'usr/local/bin', file))
    ? join(stage.root, 'usr/local/bin', file)
    : join(tools, file)
  const run = spawn(program, args, {
    cwd: inside('.'),
    env: { ...environment(), HOME: '/', ...env },
    uid,
    gid,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  run.output = ''
  for (const stream of [run.stdout, run.stderr])
    stream.on('data', (text) => {
      run.output += text
    })
  run.ended = new Promise((resolve) => run.once('close', (code) => resolve(code)))
  return run
}

/** A port that nobody uses; the image has its own, the machine that this runs on may not. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Starts the image once; `env` is what `docker run -e` gives, `use` what is done with it when it is healthy. */
async function live(env, use = async () => {}) {
  const port = String(await freePort())
  child = start([...image.entrypoint, ...image.command], { SVC_SIM_PORT: port, ...env })
  let isOver = false
  void child.ended.then(() => {
    isOver = true
  })
  while ((await start(image.healthy, { SVC_SIM_PORT: port }).ended) !== 0) {
    assert(!isOver, `it ended before it was healthy:\n${child.output}`)
    await pause(200)
  }
  const { apiKey } = JSON.parse(/^\{.*\}$/m.exec(child.output)[0])
  const token =
    env.SVC_SIM_CONTROL_TOKEN ?? /control token, drawn for this start: (\w+)/.exec(child.output)[1]
  assert.equal(
    child.output.split(token).length - 1,
    env.SVC_SIM_CONTROL_TOKEN ? 0 : 1,
    'a drawn token is printed once, a given one never',
  )
  const status = async (path, bearer) =>
    (
      await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
      })
    ).status
  assert.deepEqual(
    [
      await status('/networks', apiKey),
      await status('/networks', 'qk_local0_00000000000000000000'),
      await status('/_sim/clock'),
      await status('/_sim/clock', token),
    ],
    [200, 401, 401, 200],
  )
  await use(port)
  child.kill('SIGTERM')
  assert.equal(await child.ended, 0, `it did not stop by itself:\n${child.output}`)
  assert.match(child.output, /^svc-sim: stopped$/m)
  assert.notEqual(
    await start(image.healthy, { SVC_SIM_PORT: port }).ended,
    0,
    'stopped, it is not healthy',
  )
}

/** A value of a compose file: `${NAME}`, `${NAME:-default}`, `${NAME:?message}`. */
const interpolate = (text, given) =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
    if (kind === '?') assert(given[name], `compose needs ${name}: ${rest}`)
    return given[name] || (kind === '-' ? rest : '')
  })

/** The two services of docs/ci/compose.yml: the suite is a project that calls the service by its name in the network of compose. */
async function composed() {
  const { services } = parse(readFileSync(join(source, 'docs/ci/compose.yml'), 'utf8'))
  const { 'svc-sim': sim, suite } = services
  const folder = join(scratch, 'suite')
  const given = { SUITE: folder, SVC_SIM_CONTROL_TOKEN: 'given-0123456789' }
  const filled = (environment) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, text]) => [name, interpolate(text, given)]),
    )
  assert.equal(join(source, 'docs/ci', sim.build), join(source, '.'))
  assert.equal(suite.depends_on['svc-sim'].condition, 'service_healthy')
  assert(
    suite.volumes.some((each) => interpolate(each, given) === `${folder}:${suite.working_dir}`),
  )
  mkdirSync(folder)
  const project = {
    name: 'suite',
    private: true,
    type: 'module',
    scripts: { test: 'node suite.js' },
  }
  const lock = { name: 'suite', lockfileVersion: 3, requires: true, packages: { '': {} } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(
    join(folder, 'suite.js'),
    `const { SVC_BASE_URL, SVC_API_KEY, SVC_CONTROL_URL, SVC_CONTROL_TOKEN } = process.env
    const status = async (url, bearer) => (await fetch(url, { headers: { authorization: 'Bearer ' + bearer } })).status
    console.log('suite', new URL(SVC_BASE_URL).hostname, await status(SVC_BASE_URL + '/networks', SVC_API_KEY), await status(SVC_CONTROL_URL + '/clock', SVC_CONTROL_TOKEN))`,
  )
  // What the network of compose does for the name.
  const names = join(scratch, 'names.mjs')
  writeFileSync(
    names,
    `import dns from 'node:dns'
    const lookup = dns.lookup
    dns.lookup = (name, ...rest) => lookup(name === 'svc-sim' ? '127.0.0.1' : name, ...rest)`,
  )
  const env = filled(sim.environment)
  await live({ ...env, SVC_SIM_DATA_DIR: inside(env.SVC_SIM_DATA_DIR) }, async (port) => {
    const ofSuite = Object.entries(filled(suite.environment))
    const output = execFileSync('sh', ['-c', suite.command.replace(/^sh -c "(.*)"$/, '$1')], {
      cwd: folder,
      env: {
        ...process.env,
        ...Object.fromEntries(
          ofSuite.map(([name, text]) => [name, text.replace(':4477', `:${port}`)]),
        ),
        NODE_OPTIONS: `--import ${names}`,
      },
      encoding: 'utf8',
    })
    assert.match(output, /^suite svc-sim 200 200$/m)
  })
}

try {
  const text = readFileSync(join(source, 'Dockerfile'), 'utf8')
  for (const line of text.split('\n').filter((each) => each && !each.startsWith('#'))) {
    say(`-- ${line}`)
    const [instruction, ...words] = line.split(' ')
    assert(instruction in instructions, `no step of an image, or not known here: ${line}`)
    instructions[instruction](words)
  }
  assert.notEqual(image.ids[0], 0, 'it does not run as root')
  await live({})
  await live({ SVC_SIM_CONTROL_TOKEN: 'given-0123456789', SVC_SIM_DATA_DIR: inside('/data/sim') })
  await live({ SVC_SIM_CONTROL_TOKEN: 'given-0123456789', SVC_SIM_DATA_DIR: inside('/data/sim') })
  say('-- docs/ci/compose.yml')
  await composed()
  const bytes = (folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name)).length, 0)
  // Debian slim has 75 MB, the program of Node 24 has 121 MB.
  const megabytes = Math.round(75 + 121 + bytes(inside('/app')) / 1e6)
  say(`the image has about ${megabytes} MB`)
  assert(megabytes < 300, 'an image of 300 MB or more is too large')
} finally {
  child?.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
}
