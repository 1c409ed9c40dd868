// The service says `executing`: the payment is made.
import { carryOut, dollars, gift, openAccount } from './support.mjs'

const account = await openAccount(dollars)
const activityId = await carryOut(account, 'transfer', gift)
process.stdout.write(`paid: ${activityId}\n`)
