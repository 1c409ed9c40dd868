import { changesAccounts, findAccounts } from '../../api/accounts.js'
import { documentOf } from '../../api/documents.js'
import { answered, controlApi } from '../../api/session.js'
import { useLoaded } from '../../api/useLoaded.js'
import { Choice } from '../../parts/controls.js'
import { FaultList } from '../../parts/FaultList.js'
import { Described } from '../../parts/labels.js'
import { Panel } from '../../parts/panels.js'
import { href, useQuery } from '../../shell/route.js'
import { planForms } from '../plan/kinds.js'
import { Recipes } from './Recipes.js'
import { RuleForm } from './RuleForm.js'

/** What can go wrong on purpose: each effect with a form, and the rules that are armed. */
export default function Faults({ rest: [seam, name] }: { rest: readonly string[] }) {
  const known = useEffects()
  const [account, setAccount] = useQuery('account')
  const found = useLoaded('accounts', () => findAccounts({ limit: 100 }), changesAccounts).data
  if (!known) return <p aria-busy="true">Loading…</p>
  const { effects, rule, kinds } = known
  const accounts = (found?.accounts ?? []).map(({ account_id }) => account_id)
  const offered = new Set(account === '' ? accounts : [account, ...accounts])
  const to = (...path: string[]) => href(['faults', ...path], account === '' ? {} : { account })
  const seams = [...new Set(effects.map(({ on }) => on))]
  const at = seams.find((each) => each === seam) ?? seams[0] ?? ''
  const there = effects.filter(({ on }) => on === at)
  const chosen = there.find(({ effect }) => effect === name) ?? there[0]
  return (
    <div class="stack">
      <FaultList />
      <div class="panel steers">
        <Choice
          label="Rules below are for"
          of={[['', 'every account'], ...offered]}
          value={account}
          onChange={setAccount}
        />
      </div>
      <Recipes account={account} effects={effects} />
      <Panel
        title="Break something"
        kind="steers"
        aside={<span class="small">a rule that can never fire is refused, with the reason</span>}
      >
        <nav class="seams links" aria-label="Seams">
          {seams.map((each) => (
            <a key={each} href={to(each)} aria-current={each === at ? 'page' : undefined}>
              {each}
            </a>
          ))}
        </nav>
        <div class="effects">
          <ul class="effect-list links list" aria-label="Effects">
            {there.map(({ effect, summary }) => (
              <li key={effect}>
                <a
                  href={to(at, effect)}
                  aria-current={effect === chosen?.effect ? 'true' : undefined}
                >
                  <strong>{effect}</strong>
                  <span class="small">
                    <Described text={firstSentence(summary)} />
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

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? text
