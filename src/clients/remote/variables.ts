/** An environment variable has a malformed value. */
class VariableError extends Error {
  override name = 'VariableError'
}

/** The value of an environment variable. An empty one counts as not set. */
export function variable(name: `SVC_${string}`): string | undefined {
  return process.env[name]?.trim() || undefined
}

/** The URL in an environment variable. A malformed one is an error that names the variable and its value. */
export function urlVariable(name: `SVC_${string}`): string | undefined {
  const text = variable(name)
  if (text === undefined || isHttpUrl(text)) return text
  throw new VariableError(
    `${name} is ${JSON.stringify(text.slice(0, 200))}, but must be a URL such as http://127.0.0.1:4477. Set it to one, or unset it.`,
  )
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** Whether this program must use the one world of the run, as under `svc-sim swarm` and `exec --scenario`, because faults are armed there. */
export function isWorldShared(): boolean {
  const said = variable('SVC_WORLD')
  if (said !== undefined && said !== 'shared')
    throw new Error(
      `SVC_WORLD is ${JSON.stringify(said.slice(0, 80))}, but must be shared or not set. Unset it to lease a world.`,
    )
  return said === 'shared'
}
