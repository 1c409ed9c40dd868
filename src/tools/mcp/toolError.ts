/** What a call of an agent's cannot do, with what to do instead; the message is its answer. */
export class ToolError extends Error {
  override name = 'ToolError'
}
