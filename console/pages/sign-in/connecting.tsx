interface ConnectingProps {
  readonly base: string
  readonly onCancel: () => void
}

/** Nothing is known of the API yet. The way out appears where it takes its time. */
export function Connecting({ base, onCancel }: ConnectingProps) {
  return (
    <div class="connecting">
      <p role="status">Connecting to {base} …</p>
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}
