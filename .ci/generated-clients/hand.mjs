// What every journey needs besides its client, whatever its language: `node hand.mjs fund ACCOUNT_ID` gives funds on two networks,
// `node hand.mjs sign DIGEST` prints the signature of the journey's signer, `node hand.mjs signer` its address.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { privateKeyToAccount } = await import(require.resolve('viem/accounts'))
const { SVC_CONTROL_URL, JOURNEY_KEY } = process.env
const signer = privateKeyToAccount(JOURNEY_KEY)

const does = {
  signer: () => signer.address,
  sign: (hash) => signer.sign({ hash }),
  async fund(account_id) {
    await give({ account_id, asset: 'USDC', amount: '10000000', network: 'base' })
    // The third plan of a journey needs more than there is on base: this part is bridged.
    await give({ account_id, asset: 'USDC', amount: '30000000', network: 'mainnet' })
    return 'funded'
  },
}

async function give(body) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${SVC_CONTROL_URL}/fund`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`fund: ${answer.status} ${await answer.text()}`)
}

const [what, argument] = process.argv.slice(2)
process.stdout.write(await does[what](argument))
