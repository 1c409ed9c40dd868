import { baseUrl, redisUrl, seconds, token } from './optionValues.js'

const fleet = ['worker', 'front'] as const

/** The options of `worker` and `front` alone: a part of `optionTable`. */
export const fleetOptions = {
  directory: {
    commands: fleet,
    value: 'URL',
    isSecret: true,
    help: 'Redis or Valkey in which workers and fronts of a fleet find each other: redis://HOST:PORT, or rediss:// for TLS',
    parse: redisUrl,
  },
  advertise: {
    commands: ['worker'],
    value: 'URL',
    help: 'where fronts reach this worker, for example http://10.0.0.5:4500 (default: where it listens)',
    parse: baseUrl,
  },
  fleetToken: {
    commands: fleet,
    value: 'TOKEN',
    isSecret: true,
    help: 'shared secret of workers and fronts',
    parse: token,
  },
  drainSeconds: {
    commands: ['worker'],
    value: 'N',
    help: 'how long a stopping worker waits for its leases to end',
    parse: seconds,
    fallback: 300,
  },
} as const
