// Careful with every response, but what it has done is known to this process alone.
import { carryOut, dollars, follow, gift, openAccount } from './support.mjs'

const account = await openAccount(dollars)
await follow(account, await carryOut(account, 'transfer', gift))
