/**
 * A member that is added draws its version before the transaction waits for others that add or remove the same id, so an
 * entry of one of those may have a higher version. This function returns true, or raises an error after which the member is
 * added again. It sees what was committed while the statement ran, since each statement in it has a snapshot of its own.
 */
export const ENTRY_ORDER = `
  CREATE FUNCTION is_last_entry(history regclass, of_member text, of_version bigint)
  RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    is_late boolean;
  BEGIN
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE id = $1 AND version > $2)', history)
      INTO is_late USING of_member, of_version;
    IF is_late THEN
      RAISE EXCEPTION 'The member was removed after its new version was drawn.' USING ERRCODE = 'serialization_failure';
    END IF;
    RETURN true;
  END $$;
`
