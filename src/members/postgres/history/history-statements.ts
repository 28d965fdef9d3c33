import { CHANGE_KINDS, type Change } from '../../changes.ts'

// Entries of the history (history.md): their table, and the parts of statements that write them.

/**
 * Without indexes, which are built faster when the table is filled.
 *
 * - `gone`: 1 for the last removal of a member that was not added again; null for all other entries
 * - `links`: as `linksText` writes them
 */
export const createHistoryTable = (history: string): string => `
  CREATE TABLE ${history} (
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    kind smallint NOT NULL,
    at bigint NOT NULL,
    actor bigint,
    owner bigint,
    gone smallint,
    body text NOT NULL,
    holes text NOT NULL,
    hidden text NOT NULL,
    links text NOT NULL
  );`

export const createHistoryIndexes = (history: string): string => `
  ALTER TABLE ${history} ADD PRIMARY KEY (id, version);
  CREATE INDEX ${history}_removals ON ${history} (id, version) WHERE kind = ${CHANGE_KINDS.indexOf('delete')};
  CREATE INDEX ${history}_at ON ${history} (at);
  CREATE INDEX ${history}_gone ON ${history} (version) WHERE gone = 1;
  CREATE INDEX ${history}_gone_of_owner ON ${history} (owner, version) WHERE gone = 1;`

export const ENTRY_COLUMNS = 'id, version, kind, at, actor, owner, gone, body, holes, hidden, links'

/** In SQL: the time, as the change log has it by default. */
export const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** In SQL: the links in rows with `property`, `to_class` and `to_id`, as `linksText` writes them. */
const LINKS = `'[' || string_agg(array_to_json(ARRAY[property, to_class, to_id])::text, ',') || ']'`
const NO_LINKS = `''`

const insertEntries = (history: string, kind: Change['kind'], links: string, rows: string): string => `
  INSERT INTO ${history} (${ENTRY_COLUMNS})
  SELECT id, version, ${CHANGE_KINDS.indexOf(kind)}, at, actor, owner, ${kind === 'delete' ? 1 : 'NULL'}, body, holes,
    hidden, ${links}
  FROM ${rows}`

/**
 * A column `is_last` of an added member: whether no entry of the same id has a higher version (`ENTRY_ORDER`). If no version
 * was drawn after its own, there is none.
 */
export const isLast = (versions: string, history: string): string => `
  CASE WHEN pg_sequence_last_value('${versions}') = version THEN true
    ELSE is_last_entry('${history}', id, version) END AS is_last`

/**
 * Tables of a WITH, after `placed`, the added members with their texts and times, and `wanted`. A former removal is marked
 * by its address in the table, so that PostgreSQL cannot choose to read the whole table.
 */
export const addedEntries = (history: string, hasLinks: boolean): string => `
  remembered AS (
    ${insertEntries(
      history,
      'create',
      hasLinks ? `coalesce(links, ${NO_LINKS})` : NO_LINKS,
      hasLinks
        ? `placed LEFT JOIN (SELECT place, ${LINKS} AS links FROM wanted GROUP BY place) AS linking USING (place)`
        : 'placed',
    )} ORDER BY id
  ),
  brought_back AS (
    UPDATE ${history} SET gone = NULL WHERE ctid = ANY (ARRAY(
      SELECT last.ctid FROM placed CROSS JOIN LATERAL (
        SELECT entry.ctid, gone FROM ${history} AS entry WHERE entry.id = placed.id ORDER BY entry.version DESC LIMIT 1
      ) AS last WHERE gone = 1))
  )`

/** A table of a WITH, after `changed`, the head of the changed member with its time, `given` and `wanted`. */
export const changedEntry = (history: string, hasLinks: boolean): string => `
  remembered AS (${insertEntries(
    history,
    'update',
    hasLinks ? `coalesce((SELECT ${LINKS} FROM wanted), ${NO_LINKS})` : NO_LINKS,
    `(SELECT changed.id, changed.version, at, actor, changed.owner, body, holes, hidden FROM changed, given) AS entry`,
  )})`

/** A table of a WITH, after `removed`, the removed member with its time. `links`: its links, if they are gone by now. */
export const removedEntry = (
  history: string,
  { links, source }: { readonly links: string; readonly source: string },
): string => `
  remembered AS (${insertEntries(
    history,
    'delete',
    `coalesce(${links}, (SELECT ${LINKS} FROM links WHERE ${source}), ${NO_LINKS})`,
    'removed',
  )})`
