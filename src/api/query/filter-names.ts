/** Parameters that every collection has, whatever its properties are called. */
export const GENERAL = ['q', 'include', 'fields', 'sort', 'page', 'itemsPerPage', 'after', 'before'] as const

/** The name of the filter for a value of a property, which a general parameter of the same name would hide. */
export const equalFilterName = (property: string): string =>
  (GENERAL as readonly string[]).includes(property) ? `${property}.eq` : property
