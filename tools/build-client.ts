import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Completes what tsc has compiled to packages/client/dist to the package that is published. In the repository
 * `hydrant-client` is its sources, so that nothing has to be built to run a test; npm does not apply the `exports` of
 * `publishConfig`, as other package managers do, so the published manifest is written here.
 */
export function packageClient(root: string): void {
  const source = join(root, 'packages', 'client')
  const folder = join(source, 'dist')
  const {
    private: _,
    publishConfig: { exports, ...publishConfig },
    ...manifest
  } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const published = { ...manifest, exports, publishConfig }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}
