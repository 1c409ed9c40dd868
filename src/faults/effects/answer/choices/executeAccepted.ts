import { atPaths, defineAnswer, executePath } from '../defineAnswer.js'

/** interface.md shows the body of a successful execution, and no status. */
export const executeAccepted = defineAnswer({
  name: 'execute_accepted',
  summary: 'A successful execution returns 202 instead of 200.',
  at: atPaths(executePath),
  alter: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer),
})
