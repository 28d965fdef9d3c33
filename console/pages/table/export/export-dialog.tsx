import type { CollectionDescription } from 'hydrant-client'
import { useRef, useState } from 'preact/hooks'
import { membersWord, memberWord, sentenceOf, useApi } from '../../../shared/connection/index.ts'
import { Button, Dialog, Status } from '../../../shared/controls/index.ts'
import { useAbortableEffect } from '../../../shared/state.ts'
import { readCsvPages, readSelectedCsv, type SelectedRows } from './csv-pages.ts'
import { joinCsv } from './csv-table.ts'

type ExportProps = { readonly collection: CollectionDescription } & (
  | {
      /** The first page of the filtered table. */
      readonly address: string
      /** The same with smaller pages. */
      readonly otherwise: string
    }
  | { readonly selected: SelectedRows }
)

/** Downloads the selected members, or all that match the filters, in the order of the table, as one CSV file. */
export function ExportDialog({ onClose, ...exported }: ExportProps & { readonly onClose: () => void }) {
  const words = membersWord(exported.collection)
  const [isForSpreadsheets, setForSpreadsheets] = useState(false)
  const { isBusy, said, failure, download } = useDownload({ ...exported, isForSpreadsheets })
  return (
    <Dialog title={`Export ${words}`} onCancel={onClose}>
      <p>
        {'selected' in exported
          ? `Downloads the selected ${words} with all columns, as a file in CSV.`
          : `Downloads all ${words} that match the filters, on all pages and with all columns, as a file in CSV.`}
      </p>
      <div class="field">
        <label class="row">
          <input
            type="checkbox"
            checked={isForSpreadsheets}
            aria-describedby="export-hint"
            onChange={({ currentTarget }) => setForSpreadsheets(currentTarget.checked)}
          />{' '}
          For spreadsheets
        </label>
        <p class="hint" id="export-hint">
          A spreadsheet could run a text such as <code>=1+2</code> as a formula. An apostrophe before such
          texts prevents that.
        </p>
      </div>
      <Status>{said}</Status>
      {failure && (
        <p class="violation" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <Button label="Download" class="primary" busy={isBusy && 'Downloading …'} onClick={download} />
        <Button label={isBusy ? 'Cancel' : 'Close'} onClick={onClose} />
      </div>
    </Dialog>
  )
}

function useDownload(exported: ExportProps & { readonly isForSpreadsheets: boolean }) {
  const { collection, isForSpreadsheets } = exported
  const { client } = useApi()
  const words = membersWord(collection)
  const [state, setState] = useState({ isBusy: false, said: '', failure: '' })
  const running = useRef(new AbortController())
  // Closing the dialog ends the download.
  useAbortableEffect(() => () => running.current.abort(), [])
  const download = async () => {
    running.current = new AbortController()
    const { signal } = running.current
    setState({ isBusy: true, said: '', failure: '' })
    try {
      const pages = []
      const leftOut = new Set<string>()
      let count = 0
      const query = { isForSpreadsheets, signal }
      const read =
        'selected' in exported
          ? readSelectedCsv(client, exported.selected, query)
          : readCsvPages(client, { ...exported, signal })
      for await (const page of read) {
        pages.push(page.rows)
        for (const name of page.leftOut) leftOut.add(name)
        count += Math.max(0, page.rows.length - 1)
        setState((before) => ({ ...before, said: `${count.toLocaleString()} ${words} so far …` }))
      }
      const file = `${collection.name}.csv`
      // Spreadsheets recognise UTF-8 by the byte order mark.
      save(file, (isForSpreadsheets ? '\uFEFF' : '') + joinCsv(pages))
      const without = leftOut.size > 0 ? ` CSV cannot hold ${[...leftOut].join(', ')}.` : ''
      const saved = count === 1 ? memberWord(collection) : words
      const lost = 'selected' in exported ? exported.selected.iris.size - count : 0
      const gone = lost > 0 ? ` ${lost.toLocaleString()} selected are no longer on their pages.` : ''
      const said = `Saved ${count.toLocaleString()} ${saved} as ${file}.${without}${gone}`
      setState({ isBusy: false, said, failure: '' })
    } catch (error) {
      if (!signal.aborted) setState({ isBusy: false, said: '', failure: sentenceOf(error) })
    }
  }
  return { ...state, download }
}

function save(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  URL.revokeObjectURL(href)
}
