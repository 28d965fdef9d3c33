/** So many writers can add to the total of a class without waiting for each other's commit. */
const SLOTS = 32

/** Adds to the total of a class, in the slot of this connection. `more`: a query for how many, in a column `more`. */
export const countText = (classId: number | string, more: string): string => `
  INSERT INTO totals (class_id, slot, total)
  SELECT ${classId}, pg_backend_pid() % ${SLOTS}, more FROM (${more}) AS change WHERE more <> 0
  ON CONFLICT (class_id, slot) DO UPDATE SET total = totals.total + excluded.total`
