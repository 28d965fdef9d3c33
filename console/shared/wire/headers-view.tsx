interface HeadersViewProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
}

export function HeadersView({ title, headers }: HeadersViewProps) {
  const lines = Object.entries(headers)
  return (
    <section>
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <p class="hint">None.</p>
      ) : (
        <dl>
          {lines.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
