import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface Grant {
  address: string
  accountId: string
  asset: string
  amount: bigint
  network: string
}

export type Funder = (grant: Grant) => Promise<void>

/** The funding server or command failed. */
export class FundingFailed extends Error {
  override name = 'FundingFailed'
}

const fundingMs = 120_000

/** POSTs `{address, asset, amount, network}`, as the faucet of a simulator takes it. */
export function fundingByUrl(url: string): Funder {
  return async ({ address, asset, amount, network }) => {
    const body = JSON.stringify({ address, asset, amount: `${amount}`, network })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    let answer: Response
    try {
      answer = await fetch(url, { ...init, signal: AbortSignal.timeout(fundingMs) })
    } catch (error) {
      throw new FundingFailed(`${url} does not answer: ${(error as Error).message}`)
    }
    const text = await answer.text().catch((error: Error) => error.message)
    if (!answer.ok)
      throw new FundingFailed(`${url} answered ${answer.status} ${text.slice(0, 300)}`)
  }
}

/**
 * Runs a command without a shell; spaces separate its words. `{address}`, `{account_id}`, `{asset}`, `{amount}` and `{network}` in them are
 * replaced, and the environment has them as `SVC_FUND_ADDRESS` and so on.
 */
export function fundingByCommand(command: string): Funder {
  const [file = '', ...words] = command.trim().split(/\s+/)
  return async ({ address, accountId, asset, amount, network }) => {
    const values: Record<string, string> = {
      address,
      account_id: accountId,
      asset,
      amount: `${amount}`,
      network,
    }
    const args = words.map((word) =>
      word.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
    )
    const env = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`SVC_FUND_${name.toUpperCase()}`, value]),
    )
    try {
      await promisify(execFile)(file, args, {
        env: { ...process.env, ...env },
        timeout: fundingMs,
      })
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string }
      throw new FundingFailed(`${file} failed: ${stderr?.trim() || message}`)
    }
  }
}
