// What pictures of the console need: an API with sample data, a console for it, and one font on every machine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { hashParaphrase } from '../src/auth/credentials.ts'
import { addSampleData } from '../src/cli/serve/sample-data.ts'
import { readConfig } from '../src/config/config.ts'
import { classSchemas } from '../src/members/conversion/conversion.ts'
import { startConsoleServer } from '../src/service/console.ts'
import { startService } from '../src/service/service.ts'
import { openStore } from '../src/store/open.ts'
import { readApiFile } from '../src/vocabulary/api-file.ts'
import { buildConsole } from './build-console.ts'

/** The address that the pictures show. Chromium maps it to the free port on which the API is really served. */
const BASE = 'http://localhost:8080/api'
export const NOW = Date.parse('2026-11-15T12:00:00Z')
export const USER = 1
export const PARAPHRASE = 'cave resource anchor limit cement'

/** A minimal system has no well-chosen default interface font, and its name differs from system to system. */
export function useOneFont(): void {
  const family = (name: string, font: string) =>
    `<match><test name="family"><string>${name}</string></test><edit name="family" mode="assign" binding="strong"><string>${font}</string></edit></match>`
  const fonts = mkdtempSync(join(tmpdir(), 'hydrant-fonts-'))
  process.on('exit', () => rmSync(fonts, { recursive: true }))
  process.env.FONTCONFIG_FILE = join(fonts, 'fonts.conf')
  writeFileSync(
    process.env.FONTCONFIG_FILE,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include>/etc/fonts/fonts.conf</include>${['system-ui', 'sans', 'sans-serif'].map((name) => family(name, 'Liberation Sans')).join('')}${family('monospace', 'DejaVu Sans Mono')}</fontconfig>`,
  )
}

/** By the address alone: a page that is loaded anew knows no token. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`void (location.hash = ${JSON.stringify(place)})`)
}

/**
 * Serves an API file from memory, as `hydrant serve` would, with the sample data beside it and the console of this working
 * tree.
 */
export async function serveForPictures(file: string) {
  const { model } = await readApiFile(file)
  const config = readConfig({ db: 'sqlite::memory:', port: '0', baseUrl: BASE }, {})
  const store = await openStore(config.db, classSchemas(model), { scanMs: config.scanMs })
  await addSampleData(file.replace(/yaml$/, 'ndjson'), model, store)
  await store.auth.addUser({ id: USER, paraphraseHash: await hashParaphrase(PARAPHRASE) }, NOW)
  const tell = (details: object, message: string) => console.error(message, details)
  const quiet = () => {}
  const service = await startService({
    config,
    model,
    store,
    log: { error: tell, warn: tell, info: quiet, debug: quiet },
  })
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-console-'))
  await buildConsole(folder)
  const page = await startConsoleServer({ host: '127.0.0.1', port: 0, base: BASE, folder })
  rmSync(folder, { recursive: true })
  return {
    port: service.port,
    console: `http://localhost:${page.port}/`,
    async close() {
      await page.close()
      await service.close()
      await store.close()
    },
  }
}
