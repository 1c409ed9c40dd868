import { type HexText, newSigner, type SvcClient } from '../../clients/client/index.js'
import type { FundRequest } from '../../clients/remote/fundRequest.js'
import type { SimulatorOfTest } from './open.js'

/** What an account is given. */
export type GivenFunds = Omit<FundRequest, 'account_id' | 'address'>

/** An account with its key and funds. */
export interface FundedAccount {
  id: string
  /** The address of its wallet, the same on all networks. */
  wallet: HexText
  /** The address of its signer. */
  signer: HexText
  /** Signs for it: hand it to the client's `signAndExecute`. */
  privateKey: HexText
  /** Gives it more. */
  fund(funds: GivenFunds): Promise<void>
}

/** Makes an account of a new signer. */
export async function openAccount(
  sim: SimulatorOfTest,
  client: SvcClient,
  funds: readonly GivenFunds[],
): Promise<FundedAccount> {
  const { privateKey, address } = await newSigner()
  // Under a search, faults meet the fixture too: what it does is not the client that is searched.
  const account = await client.openAccount(address)
  const fund = async (more: GivenFunds): Promise<void> => {
    await sim.fund({ ...more, account_id: account.account_id })
  }
  for (const each of funds) await fund(each)
  const { account_id: id, svc_wallet_address: wallet } = account
  return { id, wallet, signer: address, privateKey, fund }
}
