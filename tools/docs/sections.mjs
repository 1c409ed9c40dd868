// The pages of the site, in the order of its sidebar and of llms.txt. test/unit/docs.test.ts fails when a page is missing here.
const page = (link, text, about) => ({ text, link: `/${link}`, about })

export const sections = [
  {
    text: 'Start',
    items: [
      page(
        'start/first-plan',
        'First plan',
        'Start the simulator, then create, fund, plan, sign and execute with viem, Python or curl.',
      ),
      page('start/install', 'Install', 'What it needs: Node, package managers and machines.'),
      page(
        'start/concepts',
        'Concepts',
        'What accounts, plans, activities, events, worlds and snapshots are.',
      ),
      page(
        'simulated',
        'What is simulated',
        'Which endpoints, plan kinds, protocols and networks are there, and what is left out.',
      ),
    ],
  },
  {
    text: 'Guides',
    items: [
      page(
        'guides/tests',
        'Write tests',
        'Fixtures for vitest, and how to use the simulator with Jest, other runners and other languages.',
      ),
      page(
        'guides/parallel-tests',
        'Run tests in parallel',
        'Lease a world for each test worker, so that tests do not disturb each other.',
      ),
      page(
        'guides/snapshots',
        'Snapshots and reset',
        'Restore the same funded accounts before each test.',
      ),
      page(
        'guides/time',
        'Control time',
        'Freeze and advance the clock, let it skip waits, and get the same bytes in every run.',
      ),
      page(
        'guides/break-it',
        'Cause failures',
        'Add a fault rule to a test, a request or a running simulator.',
      ),
      page(
        'guides/shell',
        'From the shell',
        'Arm faults, move the clock, give funds and take snapshots with curl.',
      ),
      page(
        'swarm',
        'Find what breaks your client',
        'Search for the faults that make your client pay twice, hang or give up.',
      ),
      page(
        'answers',
        'Other answers',
        'Answers that the interface allows besides ours, to test that your client accepts them.',
      ),
      page(
        'guides/plan-stale',
        'Retry after plan_stale',
        'What makes a plan stale, and how a client recovers from 409 `plan_stale`.',
      ),
      page(
        'guides/lost-answer',
        'Lost responses',
        'Find out whether an execution happened when its response was lost, without paying twice.',
      ),
      page(
        'guides/bridge',
        'Bridges half-way',
        'Follow a plan whose funds are bridged: delays, refunds and partial fills.',
      ),
      page(
        'guides/scenarios',
        'Scenarios',
        'Files with accounts, faults, steps and expectations: run, write and replay them.',
      ),
      page(
        'guides/why',
        'Find out why',
        'Timelines with `svc-sim why`, the journal, coverage, and the live stream.',
      ),
      page(
        'guides/traces',
        'Traces and saved tests',
        'Look at a run that has ended, and turn what happened in a run into a test.',
      ),
      page('guides/dashboard', 'The dashboard', 'Watch and control a world in the browser.'),
      page(
        'guides/agents',
        'Coding agents',
        'Connect a coding agent over MCP, and what its tools do.',
      ),
      page(
        'guides/prices',
        'Prices and liquidations',
        'Move an asset’s price everywhere at once, and liquidate unsafe loans.',
      ),
      page(
        'guides/forks',
        'Forks',
        'Run on the state of real networks, from an endpoint or from a recorded bundle, and how a fork differs from its network.',
      ),
      page(
        'guides/data',
        'Data folders',
        'Persist, check, compact, export and import the state of a simulator.',
      ),
      page('ci', 'CI', 'Run tests in GitHub Actions, GitLab or Docker.'),
      page(
        'guides/access',
        'Networks and access',
        'Allow other host names, browser apps and machines; Kubernetes, proxies and TLS; what `/rpc` refuses.',
      ),
      page(
        'guides/stopping',
        'Stopping',
        'What ends a simulator, what a stop does, and how long it takes.',
      ),
      page(
        'metrics',
        'Metrics and logs',
        'The numbers of `GET /metrics`, and the fields of the JSON log.',
      ),
      page(
        'guides/costs',
        'What it costs',
        'The memory of a simulator and of a world, the disk, and the seconds of a start and a test.',
      ),
      page(
        'guides/troubleshooting',
        'Troubleshooting',
        'Ten messages that stop a start, a request or a test, each with its cause and cure.',
      ),
      page(
        'scale',
        'Scale',
        'Lease worlds on each CI runner, on a shared machine, or on many machines.',
      ),
    ],
  },
  {
    text: 'Clients',
    items: [
      page(
        'client',
        'The typed client',
        'Plan, sign, execute and follow with `svc-sim/client`: retries, errors and signers.',
      ),
      page(
        'clients/generated',
        'Generate a client',
        'Generate a client from the OpenAPI document in TypeScript, Python, Go, Java or Rust.',
      ),
      page(
        'guides/signing',
        'Sign the digest',
        'Sign the EIP-712 digest of a plan in several languages, and check what you sign.',
      ),
      page(
        'guides/timeouts',
        'Timeouts',
        'Which timeouts a client needs for folios, executions and long polls.',
      ),
      page(
        'guides/browsers',
        'Web pages',
        'Call the simulator from a web page: origins, local network access, repeated requests.',
      ),
      page(
        'guides/browser-wallets',
        'Browser wallets',
        'Add the networks to a wallet, and what to do about nonces after a reset.',
      ),
      page(
        'guides/indexers',
        'Indexers and old blocks',
        'Read logs and old blocks over JSON-RPC, and follow reorganisations.',
      ),
    ],
  },
  {
    text: 'Reference',
    items: [
      page(
        'reference/commands',
        'Commands and options',
        'Every command of the command line with its options.',
      ),
      page(
        'reference/environment',
        'Environment',
        'Variables for your client, and every option as variable and as key of the configuration file.',
      ),
      page('reference/routes', 'Routes', 'Every route of the service API and of the control API.'),
      page(
        'reference/errors',
        'Error codes',
        'Every error code with its status, the routes that return it, and how to cause it.',
      ),
      page(
        'reference/events',
        'Events',
        'The events of an account, and what each activity reports.',
      ),
      page(
        'faults',
        'Faults and effects',
        'Every fault effect with its settings, by seam, and a fault for each documented error.',
      ),
      page(
        'fidelity',
        'Fidelity',
        'Every choice that the interface leaves open, with its reason and its test.',
      ),
      page(
        'verify',
        'Conformance',
        'Compare any server with the interface by `svc-sim verify`, and read its score.',
      ),
      page(
        'corpus',
        'The corpus',
        'The probes of `verify` as data, for runners in other languages.',
      ),
    ],
  },
]

/** Pages for maintainers, below `docs`: they are neither in the site nor in the package. CONTRIBUTING.md leads to them. */
export const unpublished = ['benchmarks.md', 'decisions', 'recipes', 'testing.md']

/** What `llms.txt` says of a site at this path: every page, and what it is about. */
export function contentsOf(base) {
  const lines = [
    '# svc-sim',
    '',
    '> A local simulator of a DeFi sub-account plan service: real signatures, real transactions on five local chains, failures on purpose.',
  ]
  return `${lines.join('\n')}\n${listOf('##', (page) => `${base}${page}.md`)}`
}

/** Every page with what it is about, in the groups of the sidebar; `addressOf` makes a link of `guides/time`. */
export function listOf(heading, addressOf) {
  const groups = sections.map(({ text, items }) => [
    ...['', `${heading} ${text}`, ''],
    ...items.map(
      ({ text: title, link, about }) => `- [${title}](${addressOf(link.slice(1))}): ${about}`,
    ),
  ])
  return `${groups.flat().join('\n')}\n`
}
