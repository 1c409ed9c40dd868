/** The oldest glibc that anvil's Linux binary supports. */
const neededGlibc = '2.35'

/**
 * Why this Linux cannot run anvil; undefined if it can, and on other systems. `glibc` is its version, empty with another libc such as
 * musl.
 */
export function libcProblem(
  platform: string = process.platform,
  glibc: string = platform === 'linux' ? runningGlibc() : '',
): string | undefined {
  if (platform !== 'linux') return undefined
  if (isAtLeast(glibc, neededGlibc)) return undefined
  const found = glibc === '' ? 'none (it is built on musl, as Alpine is)' : `glibc ${glibc}`
  return `anvil needs glibc ${neededGlibc} or newer, and this system has ${found}. Use Debian 12, Ubuntu 22.04 or newer, or an image such as node:22-slim.`
}

/** Why an installed anvil does not run, by the code with which its start failed; undefined for unknown codes. */
export function runProblem(code: string | number | null | undefined): string | undefined {
  const mayNotRun = code === 126 || code === 'EACCES'
  const problem = libcProblem()
  if (problem !== undefined || !mayNotRun) return problem
  return 'anvil may not be executed: its file is not marked as executable, or its disk is mounted with noexec. Install svc-sim on a disk without noexec.'
}

function runningGlibc(): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime ?? ''
}

function isAtLeast(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number)
  return major > neededMajor || (major === neededMajor && minor >= neededMinor)
}
