import type { Folio, FolioService } from '../../service/folio/service.js'
import type { FaultSeams } from '../engine/seams.js'

/** The folio service with the seam `folio` around what is computed. */
export function withFolioFaults<F extends FolioService>(folio: F, faults: FaultSeams): F {
  const read: FolioService['read'] = (account, options) => {
    if (!faults.hasRules || options.cached) return folio.read(account, options)
    const facts = { account_id: account.accountId }
    const previous = () => folio.read(account, { cached: true })
    return faults.intercept('folio', { facts }, () =>
      faults.intercept('folio.read', { facts, previous }, () => folio.read(account, options)),
    ) as Promise<Folio>
  }
  return { ...folio, read }
}
