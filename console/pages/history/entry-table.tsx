import type { ClassDescription, MemberEntry } from 'hydrant-client'
import type { ComponentProps } from 'preact'
import { Actor, Button, Moment } from '../../shared/controls/index.ts'
import { momentText } from '../../shared/values.ts'
import { changeInWords } from './differences.ts'

type ComparedIndexes = readonly [from: number, to: number]

interface EntryTableProps {
  readonly entries: readonly MemberEntry[]
  readonly cls: ClassDescription | undefined
  readonly compared: ComparedIndexes
  readonly onCompare: (compared: ComparedIndexes) => void
  readonly focusOf: (index: number) => ComponentProps<'tr'>
  readonly onRestore: (entry: MemberEntry) => void
}

/** Who changed what, and when; two of the entries are chosen to be compared. */
export function EntryTable({ entries, cls, compared, onCompare, focusOf, onRestore }: EntryTableProps) {
  const [from, to] = compared
  return (
    // It can be focused, so that it can be scrolled with the keyboard.
    <section class="member-table history-entries" aria-label="Changes" {...{ tabIndex: 0 }}>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Compare</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <tr key={entry.iri} {...focusOf(index)}>
              <th scope="row">
                <Moment at={entry.published} />
              </th>
              <td>
                <Actor iri={entry.actor} />
              </td>
              <td>{changeInWords(entry, cls)}</td>
              <td>
                <span class="row">
                  <Choice
                    name="from"
                    entry={entry}
                    checked={index === from}
                    onChoose={() => onCompare([index, to])}
                  />
                  <Choice
                    name="to"
                    entry={entry}
                    checked={index === to}
                    onChoose={() => onCompare([from, index])}
                  />
                </span>
              </td>
              <td>
                {entry.mayRestore && !isCurrent(entries, index) && (
                  <Button onClick={() => onRestore(entry)}>
                    Restore<span class="visually-hidden"> as of {momentText(entry.published)}</span>
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Whether the member still is like that, so that there is nothing to restore. */
const isCurrent = (entries: readonly MemberEntry[], index: number): boolean =>
  index === 0 && entries[0]?.type !== 'delete'

interface EntryChoiceProps {
  /** Both groups of radio buttons have one in each row. */
  readonly name: string
  readonly entry: MemberEntry
  readonly checked: boolean
  readonly onChoose: () => void
}

const Choice = ({ name, entry, checked, onChoose }: EntryChoiceProps) => (
  <label class="history-choice">
    <input type="radio" name={`history-${name}`} checked={checked} onChange={onChoose} />
    {name}
    <span class="visually-hidden"> {momentText(entry.published)}</span>
  </label>
)
