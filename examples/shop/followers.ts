import { mkdir, writeFile } from 'node:fs/promises'
import type { Extensions } from 'hydrant'
import type { Shop } from './api.ts'
import shop from './hooks.ts'

export default {
  ...shop,
  followers: {
    mail: {
      classes: ['Order'],
      async handle({ event, member }) {
        if (event['@type'] !== 'Create' || member?.['@type'] !== 'Order') return
        await mkdir('outbox', { recursive: true })
        // If the call is repeated, the same file is written again.
        await writeFile(`outbox/${event.id}.txt`, `Dear ${member.customer}, thank you for ${member.total}.\n`)
      },
    },
  },
} satisfies Extensions<Shop>
