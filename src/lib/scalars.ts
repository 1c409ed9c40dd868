/** Numbers as several routes answer them, with their bounds: generated clients and fuzzers use these. */
import { z } from 'zod'

const largest = Number.MAX_SAFE_INTEGER

/** How many, or a cursor that grows. */
export const count = z.int().min(0).max(largest)
export const chainId = z.int().min(1).max(largest)
/** Milliseconds between two moments, with fractions. */
export const duration = z.number().min(0).max(largest)
/** Of a token: how many digits of the amount stand behind the point. */
export const decimals = z.int().min(0).max(255)
/** An HTTP status. */
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
