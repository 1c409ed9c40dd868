import { ServiceError } from '../../../lib/errors.js'
import { definePersistentEffect } from '../../rules/effect.js'
import { endAfter, holdAll } from '../../rules/holds.js'
import { stopped } from '../../rules/stoppedNodes.js'
import { standingSettings } from '../settings.js'

/**
 * The node's process is stopped where it stands: it takes connections and answers nothing, to nobody, until the rule is
 * removed; then it answers what it was asked meanwhile. The simulator lets it go on before it stops, and when the simulator
 * dies the watchdog kills it, stopped or not.
 */
export const down = definePersistentEffect({
  on: 'chain.stand',
  name: 'down',
  summary:
    'The nodes of the network (or of all) do not respond. Reads return 408 `timeout` after the read timeout, an execution returns 500 `internal_error`, `/rpc` returns an error after 35 s, and `/health/ready` returns 503. This lasts until the rule is removed, or for `ms`; then everything continues. Not on Windows.',
  settings: standingSettings,
  asksNodes: false,
  async stand({ ms }, networks, { nodes }) {
    if (process.platform === 'win32')
      throw new ServiceError(
        'invalid_params',
        'chain.down stops a process with SIGSTOP, which Windows does not have; use chain.slow with a large ms',
      )
    const stoppedNodes = networks.map((network) => nodes.get(network))
    return endAfter(ms, await holdAll(stopped, stoppedNodes))
  },
})
