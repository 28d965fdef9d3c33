import { TOO_LATE } from './errors.ts'

// A write that has timed out here must not be carried out later, when a socket or a process that hung continues. So each
// has a deadline by PostgreSQL's clock, in milliseconds since 1970, and raises TOO_LATE after it.

/** A function in the schema that returns true or raises TOO_LATE: plain SQL cannot raise errors. */
export const IN_TIME = `
  CREATE FUNCTION in_time(deadline float8) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    IF clock_timestamp() < to_timestamp(deadline / 1000) THEN
      RETURN true;
    END IF;
    RAISE EXCEPTION 'The deadline of this write has passed.' USING ERRCODE = 'TLATE';
  END $$;
`

/**
 * A condition on the parameter with the deadline. It is evaluated once, when the statement begins; `statement_timeout`
 * limits the rest.
 */
export const inTime = (place: number): string => `(SELECT in_time($${place}::float8))`

/**
 * Commits, or raises TOO_LATE. `hasSchema`: whether `in_time` exists. Otherwise a block does the same, which costs a
 * little more, since PostgreSQL compiles it each time.
 */
export const commitBefore = (deadline: number, hasSchema: boolean): string => {
  if (hasSchema) return `SELECT in_time(${deadline}); COMMIT`
  return `DO $$ BEGIN
      IF clock_timestamp() >= to_timestamp(${deadline} / 1000) THEN
        RAISE EXCEPTION 'The deadline of this transaction has passed.' USING ERRCODE = '${TOO_LATE}';
      END IF;
    END $$; COMMIT`
}
