import { readBundle } from '../../../chain/fork/bundle/bundle.js'
import { accountKnowledge } from '../../../chain/fork/upstream/emptyAccounts.js'
import { isoSeconds } from '../../../time/clock.js'
import { ConfigError } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { print, say } from '../process/output.js'
import { stopRequested } from '../process/signals.js'

const usage =
  'use it as "svc-sim bundle create --fork NET=URL --out DIR" or "svc-sim bundle inspect DIR"; see "svc-sim bundle --help".'

/** `svc-sim bundle VERB [DIR]`: records networks at one moment, and says what such a recording holds. */
export async function bundle(values: OptionValues, words: readonly string[]): Promise<number> {
  const [verb, folder, ...others] = words
  if (verb === 'inspect' && folder !== undefined && others.length === 0)
    return inspect(folder, values.json)
  if (verb === 'create' && folder === undefined) return create(values)
  throw new ConfigError(usage)
}

async function create(values: OptionValues): Promise<number> {
  const { out, fork, account, assumeEmpty, at, overwrite, forkCache, forkMaxRequests } = values
  if (out === undefined) throw new ConfigError('name the folder to write to with --out DIR.')
  if (fork.length === 0)
    throw new ConfigError('name the networks to record with --fork NET=URL, once for each.')
  const odd = account.find((one) => !/^0x[0-9a-f]{40}$/i.test(one))
  if (odd !== undefined)
    throw new ConfigError(
      `--account is ${JSON.stringify(odd)}, but here it must be the address of a signer: 0x and 40 hex digits.`,
    )
  const { recordBundle } = await import('../../bundles/record.js')
  const stopping = new AbortController()
  void stopRequested().then(({ why }) => stopping.abort(new Error(`${why}: nothing was written`)))
  await recordBundle({
    fork: Object.fromEntries(fork.map(({ network, ...target }) => [network, target])),
    out,
    at,
    forkCache,
    forkMaxRequests,
    say,
    mayReplace: overwrite,
    assumeEmpty,
    accounts: account.map((one) => one as `0x${string}`),
    signal: stopping.signal,
  })
  return inspect(out, values.json)
}

async function inspect(folder: string, asJson: boolean): Promise<number> {
  const { madeBy, moment, accounts, networks, bytes } = await readBundle(folder)
  const at = isoSeconds(moment * 1000)
  const recorded = [...networks].map(([network, { block, hash, answers }]) => {
    const { paths, assumedEmpty } = accountKnowledge(answers)
    const known = { paths: paths.length, assumed_empty: assumedEmpty }
    return { network, block, hash, answers: answers.size, ...known }
  })
  const made = { folder, made_by: madeBy, moment: at, bytes, accounts, networks: recorded }
  if (asJson) {
    await print(`${JSON.stringify(made)}\n`)
    return 0
  }
  const emptyOnes = [...new Set(recorded.flatMap(({ assumed_empty }) => assumed_empty))]
  const size = `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB`
  const lines = [
    `${folder}: intact; made by svc-sim ${madeBy}, ${size}.`,
    `  moment     ${at}`,
    ...recorded.map(
      ({ network, block, answers, paths }) =>
        `  ${network.padEnd(10)} block ${block}, ${answers} answers, ${paths} paths to data about a wallet`,
    ),
    `  accounts   ${accounts.length === 0 ? 'none' : accounts.join(', ')}`,
    ...(emptyOnes.length === 0 ? [] : [`  empty      ${emptyOnes.join(', ')}`]),
    `"svc-sim start --bundle ${folder}" starts from it.`,
  ]
  await print(`${lines.join('\n')}\n`)
  return 0
}
