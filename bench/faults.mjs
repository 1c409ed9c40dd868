import { send } from './http.mjs'
import { timed } from './stats.mjs'

/**
 * What faults cost when none fires: the smallest request there is, without rules and with one that never matches, in turns of
 * a hundred so that the machine's mood falls on both alike. `again` is a second series without rules: how far two equal
 * series lie apart, below which no difference means anything. Milliseconds.
 */
export async function measureFaults({ url, apiKey }, { turns }) {
  const headers = { authorization: `Bearer ${apiKey}` }
  const read = () => send('GET', `${url}/networks`, undefined, headers)
  const rules = `${url}/_sim/faults`
  const never = {
    on: 'request',
    match: { path: '/accounts/*/folio' },
    effect: { latency: { ms: 60_000 } },
  }
  const samples = { without: [], never: [], again: [] }
  for (let turn = -3; turn < turns; turn++) {
    for (const name of ['without', 'never', 'again']) {
      if (name === 'never') await send('POST', rules, never)
      for (let i = 0; i < 100; i++) {
        const took = await timed(read)
        if (turn >= 0) samples[name].push(took)
      }
      if (name === 'never') await send('DELETE', rules)
    }
  }
  return samples
}
