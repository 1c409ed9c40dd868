import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimulator, type SimulatorHandle } from '../../src/index.js'

// The scripts of docs/clients, as they stand there.

const folder = fileURLToPath(new URL('../../docs/clients', import.meta.url))
let sim: SimulatorHandle
beforeAll(async () => {
  sim = await createSimulator()
})
afterAll(() => sim.close())

/** Whether a program is there; when not, the test says so and is skipped. */
function has(program: string): boolean {
  const found = spawnSync(program, ['--version']).status === 0
  if (!found) process.stderr.write(`skipped: no ${program} here\n`)
  return found
}
const hasPython = has('python3')
const hasCurl = has('curl')

async function run(program: string, ...args: string[]): Promise<string> {
  const more = { SVC_BASE_URL: sim.url, SVC_API_KEY: sim.apiKey, PYTHONDONTWRITEBYTECODE: '1' }
  const env = { ...process.env, ...more }
  return (await promisify(execFile)(program, args, { cwd: folder, env })).stdout.trim()
}

test.runIf(hasPython)('default: a first plan in Python, with its standard library', async () => {
  // Twice: an account is made each time.
  for (let time = 0; time < 2; time++)
    expect(await run('python3', '-I', '-c', program('first_plan.py'))).toMatch(/^confirmed: act_/)
})

/** Runs a script of the folder with nothing else on the path than the standard library. */
function program(script: string): string {
  return `import sys, runpy; sys.path.insert(0, ${JSON.stringify(folder)}); runpy.run_path(${JSON.stringify(`${folder}/${script}`)})`
}

test.runIf(hasPython && hasCurl)('default: a first plan with curl', async () => {
  expect(await run('sh', 'first-plan.sh')).toMatch(/^confirmed: act_/)
})

test.runIf(hasPython)('behavior: keys and signatures of Python are those of others', async () => {
  for (let time = 0; time < 5; time++) {
    const account = privateKeyToAccount(generatePrivateKey())
    const [key, address] = (await run('python3', 'signer.py', 'new')).split(' ') as [
      `0x${string}`,
      string,
    ]
    const made = privateKeyToAccount(key)
    expect(address).toBe(made.address.toLowerCase())
    const hash = account.publicKey.slice(0, 66) as `0x${string}`
    expect(await run('python3', 'signer.py', 'sign', key, hash)).toBe(await made.sign({ hash }))
  }
})

test.runIf(hasPython)('error: a refusal is printed with its hint', async () => {
  const other = { ...process.env, SVC_BASE_URL: sim.url, SVC_API_KEY: 'qk_other' }
  const script = promisify(execFile)('python3', ['first_plan.py'], {
    cwd: folder,
    env: { ...other, PYTHONDONTWRITEBYTECODE: '1' },
  })
  await expect(script).rejects.toMatchObject({ stderr: expect.stringContaining('invalid_api_key') })
})
