// A folio that takes longer than two seconds does not come: ask again.
import { carryOut, dollars, follow, gift, openAccount, patiently } from './support.mjs'

const account = await openAccount(dollars)
await patiently('GET', `${account.path}/folio`)
await follow(account, await carryOut(account, 'transfer', gift))
