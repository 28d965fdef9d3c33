import { useApi } from '../../shared/connection/index.ts'
import { Button, useMemberName } from '../../shared/controls/index.ts'
import { alternatives, filterWords, findChoice, mayTellName, onItsOwn } from './filter-topics.ts'
import { isFilter, orderInWords, type Pair, withOrder, withoutFilters, withoutPair } from './query.ts'
import type { TableState } from './use-table.ts'

interface ChipsProps {
  readonly table: Pick<TableState, 'pairs' | 'topics'>
  readonly refused: Pair | undefined
  /** Without it, filters can only be removed. */
  readonly onEdit?: ((pair: Pair) => void) | undefined
  readonly onRemove: (query: string) => void
  /** Whether there is a chip for the order, since no column shows it. */
  readonly showsOrder?: boolean
}

export function Chips(props: ChipsProps) {
  const { table, onRemove, showsOrder = false } = props
  const filters = table.pairs.filter(isFilter)
  const order = showsOrder ? orderInWords(table.pairs) : ''
  if (filters.length === 0 && !order) return null
  return (
    <ul class="table-chips row" aria-label={order ? 'Active filters and order' : 'Active filters'}>
      {order && (
        <li class="table-chip">
          <span class="table-chip-text">{order}</span>
          <RemoveButton label="Remove the order" onClick={() => onRemove(withOrder(table.pairs))} />
        </li>
      )}
      {alternatives(filters).map((one) => (
        <Chip key={one.pair.raw} {...one} {...props} />
      ))}
      {filters.length > 1 && (
        <li>
          <Button class="quiet table-clear" onClick={() => onRemove(withoutFilters(table.pairs))}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

type ChipProps = ChipsProps & ReturnType<typeof alternatives>[number]

function Chip({ pair, isAlternative, table: { pairs, topics }, refused, onEdit, onRemove }: ChipProps) {
  const found = findChoice(topics, onItsOwn(pair))
  const isInGroup = pair.group !== undefined
  const linked = found?.topic.kind === 'link' && found.choice.fixed === undefined ? pair.value : undefined
  const { classes } = useApi().documentation
  const name = useMemberName(linked ?? '', undefined, mayTellName(found?.topic.property?.range, classes))
  const { subject, value } = filterWords(pair, topics, linked ? { linked: name } : {})
  const text = isAlternative ? `${subject} … or ${value}` : `${subject} ${value}`.trimEnd()
  // An alternative is shown beside the filter that it belongs to.
  const shown = isAlternative ? `or ${isInGroup ? `${subject} ${value}` : value}` : text
  return (
    <li class={`table-chip ${isAlternative ? 'or' : ''} ${pair === refused ? 'refused' : ''}`}>
      {found && onEdit && !isInGroup ? (
        <button
          type="button"
          class="table-chip-text"
          aria-label={`Change the filter: ${text}`}
          onClick={() => onEdit(pair)}
        >
          {shown}
        </button>
      ) : (
        <span class="table-chip-text">{shown}</span>
      )}
      <RemoveButton label={`Remove the filter: ${text}`} onClick={() => onRemove(withoutPair(pairs, pair))} />
    </li>
  )
}

const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button type="button" class="table-chip-take" aria-label={label} onClick={onClick}>
    <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <path d="m3 3 10 10M13 3 3 13" />
    </svg>
  </button>
)
