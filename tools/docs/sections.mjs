// The pages of the site, in the order of its sidebar and of llms.txt. test/unit/docs.test.ts fails when a page is missing here.
const page = (link, text) => ({ text, link: `/${link}` })

export const sections = [
  {
    text: 'Start',
    items: [
      page('start/first-plan', 'First plan'),
      page('start/install', 'Install'),
      page('start/concepts', 'Concepts'),
      page('simulated', 'What is simulated'),
    ],
  },
  {
    text: 'Guides',
    items: [
      page('guides/tests', 'Write tests'),
      page('guides/parallel-tests', 'Run tests in parallel'),
      page('guides/snapshots', 'Snapshots and reset'),
      page('guides/time', 'Control time'),
      page('guides/break-it', 'Cause failures'),
      page('answers', 'Other answers'),
      page('guides/scenarios', 'Scenarios'),
      page('guides/why', 'Find out why'),
      page('guides/dashboard', 'The dashboard'),
      page('guides/agents', 'Coding agents'),
      page('guides/prices', 'Prices and liquidations'),
      page('guides/forks', 'Forks'),
      page('guides/data', 'Data folders'),
      page('ci', 'CI'),
      page('guides/access', 'Access'),
      page('guides/stopping', 'Stopping'),
      page('metrics', 'Metrics and logs'),
      page('scale', 'Scale'),
    ],
  },
  {
    text: 'Clients',
    items: [page('client', 'The typed client'), page('clients/generated', 'Generate a client')],
  },
  {
    text: 'Reference',
    items: [
      page('reference/commands', 'Commands and options'),
      page('reference/environment', 'Environment'),
      page('reference/routes', 'Routes'),
      page('reference/errors', 'Error codes'),
      page('reference/events', 'Events'),
      page('faults', 'Faults and effects'),
      page('fidelity', 'Fidelity'),
      page('verify', 'Conformance'),
      page('forks', 'Networks that are forked'),
      page('benchmarks', 'Benchmarks'),
    ],
  },
  {
    text: 'Contribute',
    items: [
      page('testing', 'Measure the tests'),
      page('recipes/add-a-fault', 'Add a fault'),
      page('recipes/add-a-plan-kind', 'Add a plan kind'),
      page('recipes/add-an-operation-script', 'Add an operation script'),
      page('decisions/README', 'Decisions'),
    ],
  },
]
