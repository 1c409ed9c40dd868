// What the matrix tries. Without `--all`, the cases marked as core: every package manager once, npm in each of its kinds, both majors of vitest.
//
// Left out, and why:
// - Windows and macOS: this runs on one machine. The packages of their anvil are compared with the lock file by test/unit/engines.test.ts.
// - vitest 5 under Node 20: vitest 5 asks for Node 22.
// - TypeScript under Plug'n'Play: Yarn patches the compiler, so it tests Yarn's patch; the types are tried under every other kind of linker.
// - Jest beyond one case: it only loads ES modules with --experimental-vm-modules, which is the same under every package manager.
// - Bun as the runtime: svc-sim promises Node. Bun is tried as the package manager.

/** The programs, as packages of the registry; the folder of each is its name here. Linux on this machine's processor. */
const arch = process.arch === 'x64' ? 'x64' : 'arm64'
export const tools = {
  node20: `node-linux-${arch}@20`,
  node22: `node-linux-${arch}@22`,
  node24: `node-linux-${arch}@24`,
  npm9: 'npm@9',
  npm10: 'npm@10',
  npm11: 'npm@11',
  pnpm9: 'pnpm@9',
  pnpm10: 'pnpm@10',
  pnpm12: 'pnpm@12',
  yarn1: 'yarn@1',
  yarn4: '@yarnpkg/cli-dist@4',
  bun: process.arch === 'x64' ? '@oven/bun-linux-x64@1' : '@oven/bun-linux-aarch64@1',
  typescript5: 'typescript@5',
  typescript6: 'typescript@6',
}

/** npm 9 to 11.0 crash on vitest 4.1.12 ("edgesOut"), with svc-sim in the project or without it. */
const oldNpm = { 'vitest 4': { vitest: '4.1.11' } }
/** Yarn installs no peers: vitest 5 has vite for one, and Plug'n'Play wants it named for vitest 4 too. */
const withVite = { 'vitest 4': { vite: '^8' }, 'vitest 5': { vite: '^8' } }

/** Yarn ends where an optional package cannot be had; vite 8.4.0 names one that is not on every registry. Others pass over it. */
const pinned = { resolutions: { vite: '8.3.8' } }

/** Package managers: which program under which Node, how it installs, and the files that configure it. */
const managers = {
  'npm 10, Node 20': { node: 20, tool: 'npm10', besideVitest: oldNpm, isCore: true },
  'npm 10, Node 22': { node: 22, tool: 'npm10', besideVitest: oldNpm },
  'npm 11, Node 24': { node: 24, tool: 'npm11', isCore: true },
  'npm 9, Node 20': { node: 20, tool: 'npm9', besideVitest: oldNpm },
  'npm 11 linked, Node 24': {
    node: 24,
    tool: 'npm11',
    files: { '.npmrc': 'install-strategy=linked\n' },
    isCore: true,
  },
  'pnpm 9, Node 20': { node: 20, tool: 'pnpm9', isCore: true },
  'pnpm 10, Node 22': { node: 22, tool: 'pnpm10' },
  'pnpm 12, Node 24': { node: 24, tool: 'pnpm12', isCore: true },
  'pnpm 12 hoist=false, Node 24': {
    node: 24,
    tool: 'pnpm12',
    files: { '.npmrc': 'hoist=false\n', 'pnpm-workspace.yaml': 'hoist: false\n' },
    isCore: true,
  },
  'Yarn 1, Node 20': { node: 20, tool: 'yarn1', manifest: pinned, isCore: true },
  'Yarn 4 PnP, Node 24': {
    node: 24,
    tool: 'yarn4',
    files: { '.yarnrc.yml': 'nodeLinker: pnp\n' },
    manifest: pinned,
    besideVitest: withVite,
    isCore: true,
  },
  'Yarn 4 node_modules, Node 22': {
    node: 22,
    tool: 'yarn4',
    files: { '.yarnrc.yml': 'nodeLinker: node-modules\n' },
    manifest: pinned,
    besideVitest: withVite,
  },
  'Bun, Node 22': { node: 22, tool: 'bun', isCore: true },
}

/** What stands beside svc-sim in the project. */
const neighbours = { alone: {}, 'vitest 4': { vitest: '^4' }, 'vitest 5': { vitest: '^5' } }

/** In the core set, each manager has one neighbour. */
const coreNeighbour = ({ node }) => (node === 20 ? 'vitest 4' : 'vitest 5')

export const cases = Object.entries(managers).flatMap(([name, manager]) =>
  Object.entries(neighbours)
    .filter(([beside]) => !(beside === 'vitest 5' && manager.node === 20))
    .map(([beside, devDependencies]) => ({
      ...manager,
      name: `${name}, ${beside === 'alone' ? beside : `beside ${beside}`}`,
      devDependencies: {
        ...devDependencies,
        ...(beside === 'alone' ? {} : manager.besideVitest?.[beside]),
      },
      isCore: Boolean(manager.isCore) && beside === coreNeighbour(manager),
    })),
)
// npm alone is how most try it first, and Jest is tried once.
for (const each of cases) if (each.name === 'npm 10, Node 20, alone') each.isCore = true
cases.push({
  ...managers['npm 10, Node 22'],
  name: 'npm 10, Node 22, beside Jest',
  devDependencies: { jest: '^30' },
  isCore: true,
})
// In the core set, each case compiles with one version of TypeScript. The versions take turns, so each meets both majors of vitest.
const core = cases.filter(({ isCore }) => isCore)
for (const [index, each] of core.entries()) each.compilers = [5 + (index % 2)]
