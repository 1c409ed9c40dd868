import { type Address, concat, type Hex, keccak256 } from 'viem'
import { multiDigest, operationDigest } from '../../../chain/wallet/wallet.js'
import type { Probe } from '../probe.js'
import type { ResponseValue } from '../responseValue.js'
import { NotExercised } from '../types.js'
import { noPlan, probesOn, published, refusals, shown } from './define.js'
import { bridgeDone, earnOf, executesTransfer, plansTransfer, stake } from './fixtures.js'
import { hasType, isAbsent, plans, refuses, refusesToExecute } from './steps.js'

const planner = { planner: stake }

/** What signers sign. */
export const digestProbes: Probe[] = probesOn('shapes', {
  'a digest is made of its domain separator and struct hash, as EIP-712 has it': {
    from: shown('Authentication', '201@earn'),
    accounts: planner,
    steps: [plans('plan', 'planner', 'earn', earnOf('1000000'))],
    compute({ body }) {
      const data = body('plan').at('details', 'eip712_data')
      if (data.at('domain_separator').value === undefined)
        throw new NotExercised('some answers have no domain separator', 'not provable')
      const [domain, struct] = ['domain_separator', 'hash_struct'].map(
        (name) => data.at(name).text().value as Hex,
      )
      data.at('digest').is(keccak256(concat(['0x1901', domain!, struct!])))
    },
  },
  'the digest of one operation is the EIP-712 hash of that operation, its chain and wallet': {
    from: published('EIP-712 types', '201@transfer'),
    accounts: planner,
    steps: [plansTransfer('plan', 'planner', '1000000')],
    compute({ body, actor }) {
      const plan = body('plan')
      digestOf(plan).is(operationDigests(actor('planner').wallet, plan)[0])
    },
  },
  'the digest of several operations is the hash of their own digests: one signature for all networks':
    {
      from: published('EIP-712 types', '201@transfer'),
      ...bridgeDone,
      compute({ body, actor }) {
        const plan = body('bridged_out')
        digestOf(plan).is(multiDigest(operationDigests(actor('bridged').wallet, plan)).digest)
      },
    },
  'withdraw and transfer show the digest alone': {
    from: shown('Plan', '201@transfer'),
    accounts: planner,
    steps: [
      plansTransfer(
        'plan',
        'planner',
        '1000000',
        hasType('details.eip712_data.digest', 'text'),
        isAbsent('details.eip712_data.domain_separator'),
        isAbsent('details.eip712_data.hash_struct'),
      ),
    ],
  },
  'plans of one state have the same nonce, and those of another state another': {
    axis: 'staleness',
    from: published('nonces', '201@transfer'),
    accounts: { nonces: stake },
    steps: [
      plansTransfer('first', 'nonces', '100000'),
      plansTransfer('second', 'nonces', '100000'),
      ...executesTransfer('done', 'nonces', '100000'),
      plansTransfer('third', 'nonces', '100000'),
    ],
    compute({ body }) {
      const nonceOf = (plan: string) =>
        body(plan).at('details', 'svc_operation_actions', 0, 'operation', 'nonce').text()
      const before = nonceOf('first').value
      nonceOf('second').is(before)
      const after = nonceOf('third')
      after.holds(after.value !== before, `another than ${before}`)
    },
  },
  'a signature of another key, of the digest as a message, or of no form is refused': {
    axis: 'codes',
    from: shown('Errors', '500:internal_error@execute'),
    accounts: { signer: stake },
    // Another plan each time: the fate of a plan with a refused signature is unknown.
    steps: ['other_key', 'personal_sign', '0x', `0x${'11'.repeat(65)}`].flatMap((signature) => [
      plansTransfer('plan', 'signer', '100000'),
      refusesToExecute('plan', refusals.internal, signature),
    ]),
  },
  'execute names what is missing': {
    axis: 'codes',
    from: shown('Plan execution', '400:invalid_params@execute'),
    accounts: { newcomer: {} },
    steps: [{ signature: `0x${'11'.repeat(65)}` }, { plan_id: noPlan }].map((body) =>
      refuses('newcomer', 'execute', body, refusals.invalid),
    ),
  },
})

const digestOf = (plan: ResponseValue): ResponseValue => plan.at('details', 'eip712_data', 'digest')

/** The digest of each operation of a plan, from its fields on the wire. */
function operationDigests(wallet: string, plan: ResponseValue): Hex[] {
  const operations = plan.at('details', 'svc_operation_actions').list()
  return operations.map((entry) => {
    const read = (...path: string[]) => entry.at(...path).text().value
    const operation = {
      nonce: read('operation', 'nonce') as Hex,
      isReplayable: entry.at('operation', 'is_replayable').value === true,
      scriptAddress: read('operation', 'script_address') as Address,
      scriptSources: (entry.at('operation', 'script_sources').value ?? []) as Hex[],
      scriptCalldata: read('operation', 'script_calldata') as Hex,
      expiry: Number(read('operation', 'expiry')),
    }
    const chainId = Number(read('action', 'action_context', 'chain_id'))
    return operationDigest(operation, chainId, wallet as Address).digest
  })
}
