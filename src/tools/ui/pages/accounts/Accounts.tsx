import { AccountList } from './AccountList.js'
import { OneAccount } from './OneAccount.js'

export default function Accounts({ rest: [id] }: { rest: readonly string[] }) {
  return id === undefined ? <AccountList /> : <OneAccount key={id} id={id} />
}
