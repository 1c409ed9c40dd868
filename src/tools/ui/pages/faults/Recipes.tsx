import type { EffectEntry } from '../../api/types.js'
import { Act } from '../../parts/controls.js'
import { Panel } from '../../parts/panels.js'
import { addRule } from './rules.js'

/** What people mostly want to break, each with the rule that does it. */
const recipes = [
  {
    title: 'Make the next plan stale',
    says: 'Its nonce is used up right after it is made, so executing it returns 409.',
    rule: { on: 'plan', effect: { stale: { by: 'nonce' } }, times: 1 },
  },
  {
    title: 'Lose the response to execute',
    says: 'The plan is executed, and the connection is cut without a response.',
    rule: { on: 'execute', effect: 'response_lost', times: 1 },
  },
  {
    title: 'Revert the next transaction',
    says: 'The activity fails with the decoded reason; no funds move.',
    rule: { on: 'execute', effect: 'revert', times: 1 },
  },
  {
    title: 'The bridge hangs',
    says: 'The next deposit is never filled; after the deadline it is refunded.',
    rule: { on: 'bridge', effect: 'stuck', times: 1 },
  },
  {
    title: 'The swap quote fails',
    says: 'The aggregator closes the connection: 422 on the next plan that swaps.',
    rule: { on: 'quote', effect: 'unavailable', times: 1 },
  },
  {
    title: 'Deliver events twice',
    says: 'Each event comes a second time.',
    rule: { on: 'events', effect: 'duplicate' },
  },
  {
    title: 'Take a network down',
    says: 'Polygon does not respond until the rule is removed.',
    rule: { on: 'chain', effect: 'down', match: { network: 'polygon' } },
  },
  {
    title: 'Refuse one request too many',
    says: 'The next request gets 429 with retry-after: 1.',
    rule: { on: 'request', effect: 'rate_limit', times: 1 },
  },
] as const

/** One press breaks something; everything else is below. */
export function Recipes({
  account,
  effects,
}: {
  account: string
  effects: readonly EffectEntry[]
}) {
  return (
    <Panel title="Recipes" kind="steers" aside={<span class="small">one press arms a rule</span>}>
      <ul class="recipes columns" style={{ '--least': '17rem' }}>
        {recipes.map(({ title, says, rule }) => {
          const name = typeof rule.effect === 'string' ? rule.effect : Object.keys(rule.effect)[0]
          const entry = effects.find(({ on, effect }) => on === rule.on && effect === name)
          const isOfOne = account !== '' && entry?.matches.includes('account_id')
          const match = {
            ...('match' in rule && rule.match),
            ...(isOfOne && { account_id: account }),
          }
          return (
            <li key={title}>
              <Act done={`Armed: ${title}`} work={() => addRule({ ...rule, match })}>
                {title}
              </Act>
              <span class="small">
                {says} Hits {isOfOne ? account : 'every account'}.
              </span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
