import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const source = join(dirname(import.meta.dirname), 'console')

/** The page, its one script and its one style sheet: nothing inline, so that the strictest CSP holds. */
export async function buildConsole(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all([
    ...['index.html', 'icon.svg'].map((name) => cp(join(source, name), join(folder, name))),
    build({
      entryPoints: {
        console: join(source, 'console.tsx'),
        'console-styles': join(source, 'styles', 'styles.css'),
      },
      outdir: folder,
      bundle: true,
      minify: true,
      format: 'esm',
      // The browsers that the client library supports (docs/client.md).
      target: ['chrome126', 'firefox126', 'safari18'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      legalComments: 'none',
      logLevel: 'warning',
    }),
  ])
}
