import { answerOf } from '../../../clients/control/controlClient.js'
import type { Connect } from '../../../http/routes/control/connect.js'
import { connectVariables, dotenv } from '../../../http/routes/control/snippets.js'
import { shellWord } from '../../../lib/shellWord.js'
import { ConfigError } from '../options/config.js'
import type { OptionValues } from '../options/optionTable.js'
import { reference } from '../process/banner.js'
import { controlOf, controlTokenOf } from '../process/control.js'
import { print } from '../process/output.js'

/** `svc-sim env`: how to reach a running simulator, as commands for a shell, as a `.env` file, or as JSON. */
export async function env(values: OptionValues): Promise<number> {
  const format = values.format ?? (values.json ? 'json' : 'sh')
  if (format === 'yaml')
    throw new ConfigError('--format is "yaml", but env has sh, dotenv and json.')
  const connect = (await answerOf(controlOf(values).GET('/connect'))) as Connect
  if (format === 'json') {
    await print(`${JSON.stringify(connect, null, 2)}\n`)
    return 0
  }
  const variables = connectVariables(connect, controlTokenOf(values))
  await print(format === 'dotenv' ? dotenv(variables) : shell(variables, connect))
  return 0
}

/** The comments come last: without quotes around `$(...)` a shell takes everything behind `#` for one. */
function shell(variables: Record<string, string>, connect: Connect): string {
  const exports = Object.entries(variables).map(
    ([name, value]) => `export ${name}=${shellWord(value)}`,
  )
  const comments = reference(connect).map((line) => (line === '' ? '#' : `# ${line}`))
  return `${[...exports, ...comments].join('\n')}\n`
}
