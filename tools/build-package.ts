import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Turns a folder into which tsc has compiled packages/<name> into the package that is published, by adding its manifest. In
 * the repository `hydrant-client` and `hydrant-mcp` resolve to the TypeScript sources, so that tests run without a
 * build. Other package managers would apply the `exports` and `bin` of `publishConfig`; npm does not, so the published
 * manifest is written here.
 */
export function packageWorkspace(root: string, name: 'client' | 'mcp', folder: string): void {
  const source = join(root, 'packages', name)
  const {
    private: _,
    publishConfig: { exports, bin, ...publishConfig },
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const published = { ...manifest, bin, exports, publishConfig }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}
