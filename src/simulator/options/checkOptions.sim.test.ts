import { expect, test } from 'vitest'
import { createSimulator } from '../../../test/kit/simulator.js'
import type { SimulatorOptions } from '../../index.js'
import { checkOptions } from './checkOptions.js'

test('default: what may be said, and what is left undefined', () => {
  checkOptions({})
  checkOptions({ host: '::1', port: 0, seed: 42n, worlds: 2, maxWorlds: 4, noUi: true })
  checkOptions({ corsOrigins: [], apiKeys: ['qk_a'], clock: 'frozen', fork: {}, bridgeDelayMs: 0 })
  checkOptions({ clock: 'frozen@2026-03-01T09:00:00Z', log: 'json' })
  checkOptions({ clock: { frozenAt: new Date() }, log: { debug() {}, error() {} } })
  checkOptions({ host: '0.0.0.0', controlToken: 'secret' })
  checkOptions({ dataDir: undefined, seed: undefined } as unknown as SimulatorOptions)
})

test.each([
  [
    { seed: -1n },
    'The option seed of createSimulator must be a whole number, 0 or more, as 42, 42n or "42", not -1n.',
  ],
  [{ seed: 1.5 }, 'as 42, 42n or "42", not 1.5.'],
  [{ seed: '1x' }, 'not "1x".'],
  [{ seed: '' }, 'not "".'],
  [{ seed: 2 ** 53 }, 'not 9007199254740992.'],
  [
    { port: 'x' },
    'The option port of createSimulator must be a whole number from 0 to 65535, not "x".',
  ],
  [{ port: 70_000 }, 'not 70000.'],
  [{ port: 1.5 }, 'not 1.5.'],
  [{ rpcPortBase: 65_532 }, 'from 1 to 65531, not 65532.'],
  [
    { bridgeDelayMs: -5 },
    'The option bridgeDelayMs of createSimulator must be a whole number from 0',
  ],
  [{ longPollMs: Number.NaN }, 'longPollMs'],
  [{ host: 5 }, 'The option host of createSimulator must be a text that is not empty, not 5.'],
  [{ dataDir: '' }, 'dataDir'],
  [{ corsOrigins: 'loopback' }, 'corsOrigins of createSimulator must be a list of texts'],
  [{ noUi: 'yes' }, 'must be true or false, not "yes".'],
  [
    { apiKeys: 'qk_secret' },
    'must be a list of texts that are not empty, not what was given (string).',
  ],
  [
    { dataDirectory: 'x' },
    'createSimulator has no option "dataDirectory"; its options are port, host, dataDir, fromExport, snapshot, apiKeys,',
  ],
  [
    { host: '0.0.0.0' },
    'createSimulator: Other machines may reach 0.0.0.0, and the control API there needs a token. Give one with controlToken, or listen on 127.0.0.1.',
  ],
  [
    { corsOrigins: ['app.example'] },
    'The option corsOrigins of createSimulator must be an origin as browsers send it',
  ],
  [
    { controlToken: 'a b' },
    'The option controlToken of createSimulator may have letters, digits and . _ ~ + / - only, with = at the end, not what was given (string).',
  ],
  [
    { apiKeys: ['qk_a', 'qk_a'] },
    'createSimulator: The API key qk_a is given twice. Each key of apiKeys and revokedApiKeys must be another one',
  ],
  [
    { worlds: 3, maxWorlds: 2 },
    'createSimulator: worlds 3 are to be kept ready, and there may be 2 at most. Lower it, or raise maxWorlds.',
  ],
  [
    { corsOrigins: ['none', 'https://app.example'] },
    'createSimulator: corsOrigins: none cannot be combined with other values',
  ],
  [{ saveBundle: true }, 'Give both, or leave saveBundle out.'],
  [{ port: 9001, rpcPortBase: 9000 }, 'port 9001 is one of the five node ports from rpcPortBase'],
  [
    { clock: 'f' },
    'The option clock of createSimulator must be "real", "auto", "frozen", "frozen@" and an instant such as 2026-01-01T00:00:00Z, or { frozenAt } with such an instant or a Date, up to 2100-01-01T00:00:00Z, not "f".',
  ],
  [{ clock: { frozenAt: 'zz' } }, 'not {"frozenAt":"zz"}.'],
  [{ clock: { frozenAt: new Date(Number.NaN) } }, 'not {"frozenAt":null}.'],
  [{ clock: {} }, 'The option clock of createSimulator must be'],
  [{ clock: null }, 'not null.'],
  [
    { log: 'x' },
    'The option log of createSimulator must be "pretty", "json", or a log of your own with the functions debug and error, and request and happened if you want, not "x".',
  ],
  [{ log: { error() {} } }, 'not an object without them.'],
  [{ log: { debug() {}, error() {}, request: 1 } }, 'not an object without them.'],
  [
    { onProgress: 'loud' },
    'The option onProgress of createSimulator must be a function, not "loud".',
  ],
])('error: %o: the option, its value, and what is allowed', async (options, message) => {
  await expect(createSimulator(options as unknown as SimulatorOptions)).rejects.toThrow(message)
})
