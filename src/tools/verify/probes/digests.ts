import { type Address, concat, type Hex, keccak256 } from 'viem'
import { multiDigest, operationDigest } from '../../../chain/wallet/digest.js'
import { executes, plans, sends } from '../corpus/steps.js'
import { at, listAt, same, textAt } from '../expect.js'
import type { Probe } from '../probe.js'
import type { MadePlan, TestAccount } from '../testAccount.js'
import { NotExercised } from '../types.js'
import { noPlan, probeOn, published, shown } from './define.js'
import { accountWith, bridgeDone, earnOf, stake, transferFrom, transferOf } from './fixtures.js'

const probe = probeOn('shapes')

/** What signers sign. */
export const digestProbes: Probe[] = [
  probe({
    name: 'a digest is made of its domain separator and struct hash, as EIP-712 has it',
    cells: ['201@earn'],
    from: shown('Authentication'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const { body } = await user.plan('earn', earnOf('1000000'))
      const where = `POST ${user.path}/plan/earn`
      const data = at(body, 'details', 'eip712_data')
      if (at(data, 'domain_separator') === undefined)
        throw new NotExercised('some answers have no domain separator', 'not provable')
      const read = (name: string) => textAt(where, data, name) as Hex
      const made = keccak256(concat(['0x1901', read('domain_separator'), read('hash_struct')]))
      same(`${where}: digest`, read('digest'), made)
    },
  }),
  probe({
    name: 'the digest of one operation is the EIP-712 hash of that operation, its chain and wallet',
    cells: ['201@transfer'],
    from: published('EIP-712 types'),
    reach: 'plan',
    async attempt({ funded }) {
      const user = await funded('planner', stake)
      const plan = await user.plan('transfer', transferOf(user, '1000000'))
      const where = `POST ${user.path}/plan/transfer: digest`
      const [own] = operationDigests(user, plan)
      same(where, plan.digest, own)
    },
  }),
  probe({
    name: 'the digest of several operations is the hash of their own digests: one signature for all networks',
    cells: ['201@transfer'],
    from: published('EIP-712 types'),
    reach: 'all',
    async attempt(context) {
      const { user, plan } = await bridgeDone(context)
      const own = operationDigests(user, plan)
      const where = `POST ${user.path}/plan/transfer: digest of ${own.length} operations`
      same(where, plan.digest, multiDigest(own).digest)
    },
  }),
  probe({
    name: 'withdraw and transfer show the digest alone',
    cells: ['201@transfer'],
    from: shown('Plan'),
    steps: [
      accountWith('planner', stake),
      plans('plan', 'planner', 'transfer', transferFrom('planner', '1000000'), {
        checks: [
          { at: ['details', 'eip712_data', 'digest'], type: 'text' },
          { at: ['details', 'eip712_data', 'domain_separator'], absent: true },
          { at: ['details', 'eip712_data', 'hash_struct'], absent: true },
        ],
      }),
    ],
  }),
  probe({
    name: 'plans of one state have the same nonce, and those of another state another',
    axis: 'staleness',
    cells: ['201@transfer'],
    from: published('nonces'),
    reach: 'all',
    async attempt({ funded }) {
      const user = await funded('nonces', stake)
      const nonce = async () => {
        const { body } = await user.plan('transfer', transferOf(user, '100000'))
        const first = listAt('plan', body, 'details', 'svc_operation_actions')[0]
        return textAt(`POST ${user.path}/plan/transfer`, first, 'operation', 'nonce')
      }
      const before = await nonce()
      same(`POST ${user.path}/plan/transfer: nonce`, await nonce(), before)
      await user.carryOut('transfer', transferOf(user, '100000'))
      const after = await nonce()
      same(`POST ${user.path}/plan/transfer: nonce is another`, after !== before, true)
    },
  }),
  probe({
    name: 'a signature of another key, of the digest as a message, or of no form is refused',
    axis: 'codes',
    cells: ['500:internal_error@execute'],
    from: shown('Errors'),
    // Another plan each time: what becomes of one whose signature was refused is not shown.
    steps: [
      accountWith('signer', stake),
      ...['other_key', 'personal_sign', '0x', `0x${'11'.repeat(65)}`].flatMap((sign) => [
        plans('plan', 'signer', 'transfer', transferFrom('signer', '100000')),
        executes('plan', { sign, expect: [{ status: 500, code: 'internal_error' }] }),
      ]),
    ],
  }),
  probe({
    name: 'execute names what is missing',
    axis: 'codes',
    cells: ['400:invalid_params@execute'],
    from: shown('Plan execution'),
    steps: [
      { account: 'newcomer' },
      ...[{ signature: `0x${'11'.repeat(65)}` }, { plan_id: noPlan }].map((body) =>
        sends(
          'POST',
          '/accounts/{newcomer.id}/plan/execute',
          { body },
          { status: 400, code: 'invalid_params' },
        ),
      ),
    ],
  }),
]

/** The digest of each operation of a plan, from its fields on the wire. */
function operationDigests(user: TestAccount, { body }: MadePlan): Hex[] {
  return listAt('plan', body, 'details', 'svc_operation_actions').map((each, i) => {
    const read = (...path: string[]) => textAt(`operation ${i}`, each, ...path)
    const operation = {
      nonce: read('operation', 'nonce') as Hex,
      isReplayable: at(each, 'operation', 'is_replayable') === true,
      scriptAddress: read('operation', 'script_address') as Address,
      scriptSources: (at(each, 'operation', 'script_sources') ?? []) as Hex[],
      scriptCalldata: read('operation', 'script_calldata') as Hex,
      expiry: Number(read('operation', 'expiry')),
    }
    const chainId = Number(read('action', 'action_context', 'chain_id'))
    return operationDigest(operation, chainId, user.wallet as Address).digest
  })
}
