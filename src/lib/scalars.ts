/** Addresses, hashes and bounded numbers of responses: generated clients and fuzzers use the patterns and bounds. */
import { z } from 'zod'

const largest = Number.MAX_SAFE_INTEGER

export const address = z.string().meta({ pattern: '^0x[0-9a-fA-F]{40}$' })
export const hash = z.string().meta({ pattern: '^0x[0-9a-f]{64}$' })
/** A number of things, or a growing cursor. */
export const count = z.int().min(0).max(largest)
export const chainId = z.int().min(1).max(largest)
/** Milliseconds, with fractions. */
export const duration = z.number().min(0).max(largest)
export const decimals = z.int().min(0).max(255)
export const httpStatus = z.int().min(100).max(599)
/** The last instant that a date can name, in seconds. */
const lastSecond = 8_640_000_000_000
/** Seconds since the Unix epoch. */
export const unixSecondsField = z.int().min(0).max(lastSecond)
/** Milliseconds since the Unix epoch. */
export const unixMilliseconds = z
  .int()
  .min(0)
  .max(lastSecond * 1000)
