import { z } from 'zod'
import { defineEffect, type Effect } from '../rules/effect.js'
import { secondsField } from './settings.js'

export const bridgeEffects: readonly Effect[] = [
  defineEffect({
    on: 'bridge',
    name: 'delay',
    lasts: 'holds',
    summary:
      'The fill comes `seconds` of the clock later, and the activity is pending meanwhile. If the deposit’s deadline (10 minutes after its plan was made) has passed by then, the deposit is refunded on its origin network instead, also after `seconds`, and the activity fails. The delays of several rules add up.',
    settings: z.strictObject({ seconds: secondsField }),
    outcome: ({ seconds }) => ({
      text: `delayed the fill by ${seconds} s`,
      ends: ['failed', 'pending'],
    }),
    foresee({ seconds }, call, { id, signal }) {
      call.hold({ rule: id, effect: 'bridge.delay', forMs: Math.round(seconds * 1000), signal })
    },
    async apply({ seconds }, call, proceed, { rule, wait, clock }) {
      const endMs = call.sinceMs + Math.round(seconds * 1000)
      const signal = AbortSignal.any([rule.signal, call.signal])
      if (await wait(endMs - clock.now(), signal)) {
        call.sinceMs = endMs
        call.waited.push(rule.id)
      }
      call.holds.shift()
      return call.signal.aborted ? { status: 'interrupted' as const } : proceed()
    },
  }),
  defineEffect({
    on: 'bridge',
    name: 'stuck',
    lasts: 'holds',
    summary:
      'The deposit is never filled: it is debited on one network, nothing arrives on the other, and the activity is pending. After the deadline (10 minutes of the clock) it is refunded on its origin network and the activity fails. Removing the rule before that fills it.',
    outcome: () => ({
      text: 'kept relayers from filling the deposit',
      ends: ['failed', 'pending'],
    }),
    foresee(_, call, { id, signal }) {
      call.hold({ rule: id, effect: 'bridge.stuck', signal })
    },
    async apply(_, call, proceed, { rule }) {
      const signal = AbortSignal.any([call.signal, rule.signal])
      const outcome = await call.refund('no relayer filled the deposit', { signal })
      const healed = outcome.status === 'interrupted' && !call.signal.aborted
      if (healed) call.holds.shift()
      return healed ? proceed() : outcome
    },
  }),
  defineEffect({
    on: 'bridge',
    name: 'refund',
    summary:
      'The deposit is not filled and is refunded on its origin network at once. The activity fails, and the full amount is returned.',
    outcome: () => ({ text: 'had the deposit refunded at once', ends: ['failed'] }),
    foresee: (_, call, { id }) => call.hold({ rule: id, effect: 'bridge.refund', isRefused: true }),
    apply: (_, call) => call.refund('the bridge refused the deposit', { early: true }),
  }),
  defineEffect({
    on: 'bridge',
    name: 'partial',
    summary:
      'Only `percent` of the output arrives (rounded down) and nothing is refunded. The operations that waited for it are sent and revert on chain, so the activity fails with that reason. The funds that arrived stay in the wallet on the target network.',
    settings: z.strictObject({ percent: z.int().min(1).max(99).default(50) }),
    outcome: ({ percent }) => ({
      text: `let only ${percent} % of the bridged amount arrive`,
      ends: ['filled in part', 'reverted'],
    }),
    foresee({ percent }, call) {
      call.outputAmount = (call.outputAmount * BigInt(percent)) / 100n
    },
    apply: (_settings, _call, proceed) => proceed(),
  }),
]
