// Called by `run`, beside a simulator. Compiles each program of docs/clients/sign, and executes two plans with its signatures: one of one
// operation, one of several over a bridge. Arguments: the languages; without any, all whose tool chain is there.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const { privateKeyToAddress } = await import(require.resolve('viem/accounts'))
const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const programs = at('../../docs/clients/sign')
// Kept from run to run, since installing and compiling take most of the time.
const work = join(tmpdir(), 'svc-sim-signers')

/** How each is built in its folder, and run there. */
const languages = {
  python: {
    needs: ['python3'],
    files: ['sign.py'],
    build: ['python3 -m venv venv', 'venv/bin/pip install -q eth-account==0.14.0'],
    run: 'venv/bin/python sign.py',
  },
  go: {
    needs: ['go'],
    files: ['sign.go'],
    build: [
      'test -f go.mod || go mod init sign',
      'go get github.com/ethereum/go-ethereum@v1.17.10',
      'go build -o sign .',
    ],
    run: './sign',
  },
  java: {
    needs: ['java', 'mvn'],
    files: ['Sign.java'],
    build: [
      'mkdir -p src/main/java && mv Sign.java src/main/java/',
      'mvn -q -B compile dependency:build-classpath -Dmdep.outputFile=classpath',
    ],
    run: 'java -cp "target/classes:$(cat classpath)" Sign',
  },
  dotnet: {
    needs: ['dotnet'],
    files: ['Sign.cs'],
    build: ['dotnet build -v quiet -c Release -o out sign.csproj'],
    run: 'dotnet out/sign.dll',
  },
  rust: {
    needs: ['cargo'],
    files: ['sign.rs'],
    build: ['cargo build --quiet --release'],
    run: './target/release/sign',
  },
}

const { SVC_BASE_URL, SVC_API_KEY, SVC_CONTROL_URL } = process.env

async function call(method, url, body) {
  const headers = { authorization: `Bearer ${SVC_API_KEY}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
  const answer = await response.json()
  if (!response.ok)
    throw new Error(
      `${url}: ${answer.error}: ${answer.message} (${response.headers.get('x-svc-sim-hint')})`,
    )
  return answer
}

/**
 * Runs a command; resolves to what it printed and its exit code. Not `spawnSync`: while that blocks for a long build, nobody notices that
 * the simulator has closed an idle connection, and the next request would be sent over it.
 */
async function run(command, { cwd, input = '', key = '', stderr = 'inherit' }) {
  const env = { ...process.env, SIGNER_KEY: key }
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['pipe', 'pipe', stderr] })
  const closed = once(child, 'close')
  child.stdin.on('error', () => {}) // a program that fails at once reads nothing
  child.stdin.end(input)
  const stdout = await text(child.stdout)
  const [code] = await closed
  return { code, stdout: stdout.trim() }
}

async function shell(command, options) {
  const { code, stdout } = await run(command, options)
  if (code !== 0) throw new Error(`${command} failed`)
  return stdout
}

async function confirmed(path, activityId) {
  for (let cursor = 0; ; ) {
    const page = await call('GET', `${SVC_BASE_URL}${path}/events?since=${cursor}&poll=true`)
    cursor = page.cursor
    for (const { data } of page.events)
      if (data.activity_id === activityId && data.activity_status !== 'pending')
        return data.activity_status
  }
}

async function tryOut(name) {
  const { files, build, run: sign } = languages[name]
  const cwd = join(work, name)
  mkdirSync(cwd, { recursive: true })
  for (const file of files) cpSync(join(programs, file), join(cwd, file))
  for (const file of ['pom.xml', 'Cargo.toml', 'sign.csproj'])
    if (existsSync(at(file))) cpSync(at(file), join(cwd, file))
  for (const command of build) await shell(command, { cwd })
  const key = `0x${randomBytes(32).toString('hex')}`
  const owner = { signer_type: 'eoa', signer_address: privateKeyToAddress(key) }
  const { account_id } = await call('POST', `${SVC_BASE_URL}/accounts`, owner)
  const path = `/accounts/${account_id}`
  for (const [network, amount] of [
    ['base', '10000000'],
    ['mainnet', '30000000'],
  ])
    await call('POST', `${SVC_CONTROL_URL}/fund`, { account_id, asset: 'USDC', amount, network })
  // The second needs more than there is on base: the rest is bridged, so it has several operations.
  for (const [amount, isMany] of [
    ['4000000', false],
    ['20000000', true],
  ]) {
    const supply = { asset: 'USDC', network: 'base', protocol: 'compound', amount }
    const plan = await call('POST', `${SVC_BASE_URL}${path}/plan/earn`, supply)
    if (plan.details.svc_operation_actions.length > 1 !== isMany)
      throw new Error('the plan has another number of operations than this is about')
    const signature = await shell(sign, { cwd, key, input: JSON.stringify(plan) })
    const execution = { plan_id: plan.plan_id, signature }
    const { activity_id } = await call('POST', `${SVC_BASE_URL}${path}/plan/execute`, execution)
    const status = await confirmed(path, activity_id)
    if (status !== 'confirmed') throw new Error(`the activity is ${status}`)
    // A plan that was altered on its way is not signed.
    plan.details.svc_operation_actions[0].operation.expiry = '1'
    const altered = JSON.stringify(plan)
    const refused = await run(sign, { cwd, key, input: altered, stderr: 'ignore' })
    if (refused.code === 0)
      throw new Error('it has signed a plan whose operations are not those of the digest')
  }
}

const isThere = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
const asked = process.argv.slice(2)
for (const name of asked.length > 0 ? asked : Object.keys(languages)) {
  const missing = languages[name].needs.filter((command) => !isThere(command))
  if (missing.length > 0) console.log(`${name}: skipped, no ${missing.join(', no ')}`)
  else {
    const began = performance.now()
    await tryOut(name)
    console.log(`${name}: ok, ${Math.round((performance.now() - began) / 1000)} s`)
  }
}
