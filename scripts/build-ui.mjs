// Builds the dashboard (src/tools/ui): hashed assets and the page that names them, with the licences of what is in them. Argument: the folder,
// which is emptied before.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

await build({
  configFile: false,
  root: fileURLToPath(new URL('../src/tools/ui', import.meta.url)),
  base: '/_sim/ui/',
  logLevel: 'warn',
  build: {
    outDir: resolve(process.argv[2]),
    emptyOutDir: true,
    target: 'es2022',
    // Everything is a file of its own, as the page's policy demands.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'LICENSES.md' },
  },
})
