import { answerOf } from '../../../clients/control/controlClient.js'
import type { NetworkName } from '../../../deployments/networks.js'
import { ConfigError } from '../options/config.js'
import { flagOf, type OptionValues, variableOf } from '../options/optionTable.js'
import { controlOf } from '../process/control.js'
import { print } from '../process/output.js'

/** `svc-sim fund`: the faucet of a running simulator. Prints the balance that it leaves, in the asset's smallest unit. */
export async function fund(values: OptionValues): Promise<number> {
  const [account_id, ...others] = values.account
  if (account_id === undefined) throw missing('account')
  if (others.length > 0) throw new ConfigError('fund takes one --account at a time.')
  const asset = required(values, 'asset')
  const amount = required(values, 'amount')
  // The simulator checks the name, and says which there are.
  const network = required(values, 'network') as NetworkName
  const body = { account_id, asset, amount, network }
  const answer = await answerOf(controlOf(values).POST('/fund', { body }))
  if (values.json) {
    await print(`${JSON.stringify(answer)}\n`)
    return 0
  }
  await print(
    `${account_id} now has ${answer.balance} ${asset} on ${network} (smallest unit), in its wallet ${answer.address}\n`,
  )
  return 0
}

function required(values: OptionValues, name: 'asset' | 'amount' | 'network'): string {
  const value = values[name]
  if (value !== undefined) return value
  throw missing(name)
}

function missing(name: 'account' | 'asset' | 'amount' | 'network'): ConfigError {
  return new ConfigError(
    `fund needs --${flagOf(name)} (or ${variableOf(name)}); see "svc-sim fund --help".`,
  )
}
