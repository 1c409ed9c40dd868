import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { install } from './cli.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A step of a composite action. */
interface Step {
  name: string
  id?: string
  if?: string
  uses?: string
  run?: string
  env?: Record<string, string>
  'working-directory'?: string
  with?: Record<string, string>
}

/** What a job is while its steps run, as a runner keeps it for them. */
export interface Job {
  /** Where the suite is: a project that has svc-sim installed. */
  project: string
  /** `RUNNER_TEMP`. */
  temp: string
  /** What steps have written to `GITHUB_ENV`. */
  env: Record<string, string>
  status: 'success' | 'failure'
}

/** What came of a use of the action. */
export interface Used {
  outcome: 'success' | 'failure'
  /** Names of the steps that ran, those that failed with an exclamation mark. */
  ran: string[]
  output: string
  outputs: Record<string, string>
  /** The paths that are handed to the upload; undefined without one. */
  uploaded: string[] | undefined
}

/** A project with svc-sim installed and an empty job. */
export function newJob(): Job {
  const project = mkdtempSync(join(tmpdir(), 'svc-sim-ci-'))
  const temp = mkdtempSync(join(tmpdir(), 'svc-sim-ci-'))
  install(project)
  symlinkSync(root, join(project, 'node_modules/svc-sim'))
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'suite', private: true, dependencies: { 'svc-sim': '*' } }),
  )
  return { project, temp, env: {}, status: 'success' }
}

/** Runs the steps of `action.yml` with these inputs, in order, as a runner does. */
export async function useAction(job: Job, given: Record<string, string>): Promise<Used> {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    inputs: Record<string, { default?: string }>
    outputs: Record<string, { value: string }>
    runs: { steps: Step[] }
  }
  const defaults = Object.entries(action.inputs).map(([name, { default: text = '' }]) => [
    name,
    text,
  ])
  const inputs = { ...Object.fromEntries(defaults), ...given } as Record<string, string>
  const steps: Record<string, { outputs: Record<string, string> }> = {}
  const used: Used = { outcome: 'success', ran: [], output: '', outputs: {}, uploaded: undefined }
  const fill = (text: string) =>
    text.replace(/\$\{\{(.+?)\}\}/g, (_, expression: string) =>
      String(evaluate(expression, { job, inputs, steps, used })),
    )
  for (const step of action.runs.steps) {
    const condition = step.if ?? 'true'
    const implied = /\b(always|failure)\(\)/.test(condition) ? 'true' : 'success()'
    if (!evaluate(`${implied} && (${condition})`, { job, inputs, steps, used })) continue
    used.ran.push(step.name)
    if (step.uses !== undefined) {
      used.uploaded = fill(step.with!.path!).trim().split('\n')
      continue
    }
    const { code, output, outputs } = await runStep(job, step, fill)
    used.output += output
    if (step.id !== undefined) steps[step.id] = { outputs }
    if (code === 0) continue
    used.ran[used.ran.length - 1] += '!'
    used.outcome = 'failure'
  }
  if (used.outcome === 'failure') job.status = 'failure'
  for (const [name, { value }] of Object.entries(action.outputs)) used.outputs[name] = fill(value)
  return used
}

/** An expression of a runner; those of our action are JavaScript as well. */
function evaluate(
  expression: string,
  scope: {
    job: Job
    inputs: Record<string, string>
    steps: Record<string, { outputs: Record<string, string> }>
    used: Used
  },
): unknown {
  const { job, inputs, used } = scope
  const steps = new Proxy(scope.steps, { get: (all, id) => all[String(id)] ?? { outputs: {} } })
  const names = {
    inputs,
    steps,
    job: { status: job.status },
    runner: { temp: job.temp },
    always: () => true,
    failure: () => used.outcome === 'failure',
    success: () => used.outcome === 'success',
  }
  return new Function(...Object.keys(names), `return (${expression})`)(...Object.values(names))
}

async function runStep(
  job: Job,
  { run, env = {}, 'working-directory': folder = '.' }: Step,
  fill: (text: string) => string,
): Promise<{ code: number | null; output: string; outputs: Record<string, string> }> {
  const files = mkdtempSync(join(job.temp, '_runner-'))
  const [script, envFile, outputFile] = ['step.sh', 'env', 'output'].map((name) =>
    join(files, name),
  )
  writeFileSync(script!, run!)
  writeFileSync(envFile!, '')
  writeFileSync(outputFile!, '')
  const cwd = join(job.project, fill(folder))
  mkdirSync(cwd, { recursive: true })
  const filled = Object.entries(env).map(([name, text]) => [name, fill(text)])
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script!], {
    cwd,
    env: {
      ...process.env,
      ...job.env,
      ...Object.fromEntries(filled),
      GITHUB_ENV: envFile,
      GITHUB_OUTPUT: outputFile,
      RUNNER_TEMP: job.temp,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  // A runner goes on when the step's shell has ended, whatever it has left behind.
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  Object.assign(job.env, pairsIn(envFile!))
  return { code, output, outputs: pairsIn(outputFile!) }
}

function pairsIn(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return Object.fromEntries(
    lines.map((line) => [line.replace(/=.*/s, ''), line.replace(/^[^=]*=/, '')]),
  )
}

/** Whether there is such a program here. */
export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}
