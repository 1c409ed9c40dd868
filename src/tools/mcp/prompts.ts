/** A task that a person can hand to an agent by name. */
interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly { name: string; description: string; required: boolean }[]
  /** What the agent is asked to do. */
  text: (args: Readonly<Record<string, string>>) => string
}

/** What people want most of the simulator. */
export const prompts: readonly Prompt[] = [
  {
    name: 'test_my_client',
    title: 'Test a client',
    description: 'Run a client against the simulator, break things, and report what it got wrong.',
    arguments: [
      { name: 'command', description: 'What runs the client or its tests.', required: true },
    ],
    text: ({ command }) =>
      `Read svc-sim://skill. Start a simulator, run \`${command}\` against it, then again with a fault for each error that the client handles. Report what it got wrong, with what the tool explain says of it.`,
  },
  {
    name: 'explain',
    title: 'Explain an id',
    description: 'Find out why an account, plan, activity or request is as it is.',
    arguments: [
      { name: 'id', description: 'An acc_, pln_, act_, qi_ or req_ id.', required: true },
    ],
    text: ({ id }) =>
      `Ask the tool explain about ${id}, and explain in three sentences what happened and what to do.`,
  },
]
