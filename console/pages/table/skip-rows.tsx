/** Rows are many: by keys one gets past them at once. */
export const SkipRows = () => (
  <button
    type="button"
    class="button table-skip"
    onClick={({ currentTarget }) => {
      const pager = currentTarget.parentElement?.querySelectorAll<HTMLElement>('.table-pager a') ?? []
      const usable = [...pager].filter((link) => link.getAttribute('aria-disabled') !== 'true')
      const next = usable.find((link) => link.textContent === 'Next')
      ;(next ?? usable[0] ?? pager[0])?.focus()
    }}
  >
    Skip to the pages
  </button>
)
