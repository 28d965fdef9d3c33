import { type Browser, chromium } from 'playwright-core'
import { provideChromium } from './chromium.ts'

const HERE_ALONE = ['MAP localhost 127.0.0.1', 'EXCLUDE 127.0.0.1', 'MAP * ~NOTFOUND']

/**
 * Chromium as the tests use it: by itself, in contact with this machine alone. `rules`: where addresses lead to instead,
 * as `MAP localhost:8080 127.0.0.1:4321`; `more`: of its command line.
 */
export async function launchChromium(
  more: readonly string[] = [],
  rules: readonly string[] = [],
): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.HYDRANT_TEST_CHROMIUM || (await provideChromium()),
    args: [
      ...more,
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=${[...rules, ...HERE_ALONE].join(', ')}`,
    ],
  })
}
