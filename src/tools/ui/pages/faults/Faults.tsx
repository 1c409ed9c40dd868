import { answered, controlApi, documentOf } from '../../api/session.js'
import type { EffectEntry } from '../../api/types.js'
import { useLoaded } from '../../api/useLoaded.js'
import { AccountField, accountIn } from '../../parts/AccountField.js'
import { Act } from '../../parts/controls.js'
import { FaultList } from '../../parts/FaultList.js'
import { Described } from '../../parts/labels.js'
import { Panel } from '../../parts/panels.js'
import { href, useQuery } from '../../shell/route.js'
import { planForms } from '../plan/forms.js'
import { addRule, RuleForm } from './RuleForm.js'

export default function Faults({ rest: [seam, name] }: { rest: readonly string[] }) {
  const known = useEffects()
  const [typed, setTyped] = useQuery('account')
  if (!known) return <p aria-busy="true">Loading…</p>
  const { effects, rule, kinds } = known
  const account = accountIn(typed) ?? ''
  const to = (...path: string[]) => href(['faults', ...path], account === '' ? {} : { account })
  const seams = [...new Set(effects.map(({ on }) => on))]
  const at = seams.find((each) => each === seam) ?? seams[0] ?? ''
  const there = effects.filter(({ on }) => on === at)
  const chosen = there.find(({ effect }) => effect === name) ?? there[0]
  return (
    <div class="stack">
      <FaultList />
      <div class="panel steers">
        <AccountField
          label="Rules below are for"
          placeholder="every account; or type a "
          value={typed}
          unfinished="Choose one of the offered accounts. Until then, rules are for every account."
          onInput={setTyped}
        />
      </div>
      <Recipes account={account} effects={effects} />
      <Panel
        title="Break something"
        kind="steers"
        aside={<span class="small">a rule that can never fire is refused, with the reason</span>}
      >
        <nav class="links row" aria-label="Seams">
          {seams.map((listed) => (
            <a key={listed} href={to(listed)} aria-current={listed === at ? 'page' : undefined}>
              {listed}
            </a>
          ))}
        </nav>
        <div class="effects stack">
          <ul class="effect-list links list" aria-label="Effects">
            {there.map(({ effect, summary }) => (
              <li key={effect}>
                <a
                  href={to(at, effect)}
                  aria-current={effect === chosen?.effect ? 'true' : undefined}
                >
                  <strong>{effect}</strong>
                  <span class="small">
                    <Described text={summary.split(/(?<=\.)\s/, 1).join()} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
          {chosen && (
            <RuleForm key={`${at} ${chosen.effect}`} {...{ entry: chosen, rule, account, kinds }} />
          )}
        </div>
      </Panel>
    </div>
  )
}

function useEffects() {
  const { data } = useLoaded('effects', () =>
    Promise.all([
      answered(controlApi.GET('/_sim/effects')),
      documentOf('/_sim/openapi.json'),
      documentOf('/openapi.json'),
    ]),
  )
  if (!data) return undefined
  const [{ effects }, control, service] = data
  const kinds = planForms(service).map((form) => form.name)
  return { effects, rule: control.components.schemas.FaultRule ?? {}, kinds }
}

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

function Recipes({ account, effects }: { account: string; effects: readonly EffectEntry[] }) {
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
            <li key={title} class="stack tight">
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
