import { faults, overview } from '../../api/live.js'
import { isReadOnly } from '../../api/trace.js'
import type { NetworkView } from '../../api/types.js'
import { NetworkLabel } from '../../parts/labels.js'
import { shownClock } from '../../parts/text.js'
import { href } from '../../shell/route.js'

/** The five networks: how far they are, and what is wrong with them. */
export function Networks() {
  return (
    <section class="networks columns fit" aria-label="Networks">
      {overview.value?.networks.map((network) => (
        <NetworkCard key={network.network} {...network} />
      ))}
    </section>
  )
}

function NetworkCard({ network, chain_id, ready, error, forked_from, height, time }: NetworkView) {
  const troubles = troublesOf(network)
  const isHalted = troubles.includes('halt')
  const isOver = isReadOnly.value
  const state = isOver ? 'ended' : !ready ? 'down' : isHalted ? 'halted' : 'ready'
  return (
    <article class={`panel network ${state}`} data-network={network}>
      <header>
        <h2>
          <a href={href(['chain', network])}>
            <NetworkLabel network={network} />
          </a>
        </h2>
        <span class={`pill ${{ ready: 'good', ended: 'frozen' }[state as string] ?? 'bad'}`}>
          {state}
        </span>
      </header>
      <p class="height figure">
        <span class="small">block </span>
        {height ?? '?'}
      </p>
      <p class="small">
        {time ? `at ${shownClock(time)}, ` : ''}chain id {chain_id},{' '}
        {forked_from === null ? 'offline' : `forked from ${forked_from}`}
      </p>
      {error !== null && !isOver && <p class="refused-text small">{error}</p>}
      {troubles
        .filter((trouble) => trouble !== 'halt')
        .map((trouble) => (
          <span key={trouble} class="pill warn">
            fault {trouble}
          </span>
        ))}
    </article>
  )
}

/** The effects of the rules that stand on a network, or on all. */
function troublesOf(network: string): string[] {
  return faults.value
    .filter(({ on, match }) => on === 'chain' && (match.network ?? network) === network)
    .flatMap(({ effect }) =>
      effect === undefined ? [] : typeof effect === 'string' ? [effect] : Object.keys(effect),
    )
}
