import type { ClassDescription, Member, MemberEntry } from 'hydrant-client'
import { useMemo } from 'preact/hooks'
import { useApi } from '../../shared/connection/index.ts'
import { Failure, Moment, Status } from '../../shared/controls/index.ts'
import { useLoading } from '../../shared/state.ts'
import { firstLinks, NamedLinks, ValueList } from '../member/index.ts'
import { differencesOf } from './differences.ts'

interface EntryComparisonProps {
  /** Undefined if nothing before the newer one is known. */
  readonly older: MemberEntry | undefined
  readonly newer: MemberEntry
  readonly cls: ClassDescription | undefined
}

/** Two states of a member, property by property. */
export function EntryComparison({ older, newer, cls }: EntryComparisonProps) {
  const { value, error, busy, reload } = useLoading(
    async (signal) => ({
      was: older && (await older.member({ signal })),
      is: await newer.member({ signal }),
      older,
      newer,
    }),
    [older?.iri, newer.iri],
  )
  return (
    <section class="stack" aria-labelledby="history-comparison">
      <h2 id="history-comparison">Comparison</h2>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!value && busy && <Status>Loading …</Status>}
      {value && <Differences {...value} cls={cls} />}
    </section>
  )
}

/** Each name that is not known yet takes a request. */
const MOST_NAMED = 10

interface DifferencesProps extends EntryComparisonProps {
  readonly was: Member | undefined
  readonly is: Member
}

function Differences({ was, is, older, newer, cls }: DifferencesProps) {
  const { classes } = useApi().documentation
  const differences = useMemo(() => differencesOf(was?.data ?? {}, is.data, cls), [was, is, cls])
  const named = useMemo(() => {
    const [before, after] = [was, is].map((one) => one && firstLinks(one, cls, classes, MOST_NAMED))
    return new Set([...(before ?? []), ...(after ?? [])])
  }, [was, is, cls])
  if (differences.length === 0) return <Status>There is no difference between the two.</Status>
  return (
    <section class="member-table history-differences" aria-label="Differences" {...{ tabIndex: 0 }}>
      <NamedLinks.Provider value={named}>
        <table>
          <thead>
            <tr>
              <th scope="col">Property</th>
              <th scope="col">{older && was ? <Moment at={older.published} /> : 'Before'}</th>
              <th scope="col">
                <Moment at={newer.published} />
              </th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ name, label, property, ...values }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                {[values.was, values.is].map((value, index) => (
                  <td key={String(index)} class={index === 0 ? 'history-was' : 'history-is'}>
                    {value === undefined ? (
                      <span class="soft">No value</span>
                    ) : (
                      <ValueList value={value} property={property} at={is.iri} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </NamedLinks.Provider>
    </section>
  )
}
