import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { cliFile, emptyFolder, killRuns, startProgram, startReady } from '../kit/cli.js'
import { markedBy, waitUntilNothingCarries } from '../kit/processes.js'

// A simulator inside somebody's program, which ends without closing it. Needs `npm run build` before.

afterEach(killRuns)

const entry = pathToFileURL(join(cliFile, '../../index.js')).href

/** Runs a program that has the library at hand; resolves when it has ended and nothing of it is left. */
async function run(text: string) {
  const file = join(emptyFolder(), 'program.mjs')
  writeFileSync(file, `import { createSimulator } from '${entry}'\n${text}`)
  const program = startProgram(process.execPath, [file])
  const { code, signal } = await program.ended
  if (process.platform === 'linux') await waitUntilNothingCarries(program.mark)
  const { stdout, stderr } = program
  return { code, signal, stdout, stderr }
}

const ended = (stdout: string) => ({ code: 0, signal: null, stdout, stderr: '' })

const use = `
  const address = '0x' + 'a1'.repeat(20)
  const funds = { address, asset: 'USDC', amount: '7', network: 'base' }
  const ask = async (sim) => (await fetch(sim.url + '/health/ready')).status`

test('default: a program that has nothing else to do ends, and leaves nothing', async () => {
  const text = `${use}
    const sim = await createSimulator()
    console.log(await ask(sim), (await sim.fund(funds)).balance)
    await sim.snapshot('here')
    await sim.clock.freeze()
    await sim.clock.advance(3600)
    await sim.restore('here')
    await sim.reset()
    console.log((await sim.fund(funds)).balance)`
  expect(await run(text)).toEqual(ended('200 7\n7\n'))
})

test('behavior: two at once, one of them waited for, one closed; waiting for the end alone ends', async () => {
  const text = `${use}
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => createSimulator()))
    await two.close()
    console.log(await ask(one), await ask(three))
    three.closed.then(({ reason }) => console.log('three', reason))
    console.log('one', (await one.closed).reason)`
  const { stdout, ...how } = await run(text)
  expect(how).toEqual({ code: 0, signal: null, stderr: '' })
  expect(stdout.split('\n').sort()).toEqual(['', '200 200', 'one stopped', 'three stopped'])
})

test('behavior: as long as the program has something to do it stays, also for others', async () => {
  const text = `${use}
    const sim = await createSimulator()
    console.log(sim.url)
    process.stdin.resume()`
  const file = join(emptyFolder(), 'program.mjs')
  writeFileSync(file, `import { createSimulator } from '${entry}'\n${text}`)
  const program = startProgram(process.execPath, [file], { stdin: 'pipe' })
  const [url] = await program.saying('stdout', /^http:\S+/)
  // As many turns as a program that is about to end would not take.
  for (let turn = 0; turn < 50; turn++)
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  program.closeInput()
  expect(await program.ended).toEqual({ code: 0, signal: null })
  if (process.platform === 'linux') await waitUntilNothingCarries(program.mark)
})

test('behavior: what is due some day does not hold it', async () => {
  const text = `
    const { createClock } = await import(new URL('modules/time/clock.js', '${entry}'))
    createClock().wait(86_400_000, new AbortController().signal)
    console.log('waits')`
  expect(await run(text)).toEqual(ended('waits\n'))
})

test('behavior: the data folder is written down as by close', async () => {
  const dataDir = emptyFolder()
  const folder = JSON.stringify(dataDir)
  const text = `${use}
    const sim = await createSimulator({ dataDir: ${folder} })
    console.log((await sim.fund(funds)).balance)`
  expect(await run(text)).toEqual(ended('7\n'))
  const again = await startReady('--data-dir', dataDir)
  expect(again.run.stderr).toContain(': resumed\n')
  expect(again.run.stderr).not.toContain('suddenly')
})

test.each([
  ['an exit in the middle', 'process.exit(3)', 3],
  ['an error nobody catches', "throw new Error('mine')", 1],
  ['a start that fails', 'await createSimulator({ port: Number(new URL(sim.url).port) })', 1],
])('error: %s leaves nothing', async (_, text, code) => {
  expect(await run(`const sim = await createSimulator()\n${text}`)).toMatchObject({
    code,
    signal: null,
  })
})

test.runIf(process.platform === 'linux')(
  'error: a kill while it starts leaves nothing',
  async () => {
    const file = join(emptyFolder(), 'program.mjs')
    writeFileSync(
      file,
      `import { createSimulator } from '${entry}'
    await createSimulator({ onProgress: console.log })`,
    )
    const program = startProgram(process.execPath, [file])
    await program.saying('stdout', /starting 5 nodes/)
    program.kill('SIGKILL')
    await program.ended
    await waitUntilNothingCarries(program.mark)
    expect(markedBy(program.mark)).toEqual([])
  },
)
