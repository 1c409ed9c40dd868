/** The oldest Node that runs the simulator; `engines` of package.json says the same. */
export const oldestNode = '20.19.0'

/** Why this version of Node (`process.version`) cannot be used, and what to do; undefined when it can. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `Node ${version} is too old: ${oldestNode} or newer is needed. Install one from https://nodejs.org and start again.`
}
