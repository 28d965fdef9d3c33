/** Names of users, and changes of users, which wait for each other across all hosts (people.md, Accounts). */
export const USERS = `
  -- name_key: the folded name. revision: goes up with every change of name or roles. removal_at: when the removal of the
  -- user began, by the database's clock.
  ALTER TABLE users
    ADD COLUMN name text,
    ADD COLUMN name_key text COLLATE "C" UNIQUE,
    ADD COLUMN revision bigint NOT NULL DEFAULT 1,
    ADD COLUMN signed_in_at bigint,
    ADD COLUMN removal_at bigint;

  -- Changes wait for each other until the commit, and each raises the generation by which copies of the users are kept
  -- in step. In the functions below every later statement sees what the change before has committed.
  CREATE FUNCTION lock_users() RETURNS void LANGUAGE sql VOLATILE AS $$
    INSERT INTO settings VALUES ('users_generation', '1')
      ON CONFLICT (name) DO UPDATE SET value = (settings.value::bigint + 1)::text
  $$;

  -- Roles are joined by commas.
  CREATE FUNCTION has_role(held text, wanted text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(string_to_array(held, ',') && wanted, false)
  $$;

  -- Whether a user other than this one has one of the roles, and is not being removed.
  CREATE FUNCTION others_have_role(than bigint, wanted text[]) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT EXISTS (SELECT FROM users WHERE id <> than AND has_role(roles, wanted)
      AND (removal_at IS NULL OR removal_at <= clock_ms() - 60000))
  $$;

  -- Without an id: the lowest one above all that were ever used.
  CREATE FUNCTION add_user(
    of_id bigint, with_hash text, at_time bigint, with_roles text, with_name text, with_key text,
    OUT added bigint, OUT refusal text
  ) LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM lock_users();
    IF EXISTS (SELECT FROM users WHERE id = of_id) THEN
      refusal := 'id taken';
      RETURN;
    END IF;
    IF EXISTS (SELECT FROM users WHERE name_key = with_key) THEN
      refusal := 'name taken';
      RETURN;
    END IF;
    added := coalesce(of_id, 1 + greatest(0,
      (SELECT max(id) FROM users), (SELECT value::bigint FROM settings WHERE name = 'highest_user_id')));
    IF added > 9007199254740991 THEN
      added := NULL;
      refusal := 'id taken';
      RETURN;
    END IF;
    INSERT INTO users (id, paraphrase_hash, added_at, roles, name, name_key)
      VALUES (added, with_hash, at_time, with_roles, with_name, with_key);
  END $$;

  -- What is null stays; the name is set only with sets_name.
  CREATE FUNCTION change_user(
    of_id bigint, sets_name boolean, to_name text, to_key text, to_roles text, to_hash text,
    if_revision bigint, keep_roles text[]
  ) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    present users;
  BEGIN
    PERFORM lock_users();
    SELECT * INTO present FROM users WHERE id = of_id FOR NO KEY UPDATE;
    IF present.id IS NULL THEN
      RETURN 'missing';
    ELSIF if_revision <> present.revision THEN
      RETURN 'stale';
    ELSIF to_roles IS NOT NULL AND has_role(present.roles, keep_roles) AND NOT has_role(to_roles, keep_roles)
      AND NOT others_have_role(of_id, keep_roles) THEN
      RETURN 'last manager';
    ELSIF sets_name AND EXISTS (SELECT FROM users WHERE name_key = to_key AND id <> of_id) THEN
      RETURN 'name taken';
    END IF;
    IF NOT sets_name THEN
      to_name := present.name;
      to_key := present.name_key;
    END IF;
    to_roles := coalesce(to_roles, present.roles);
    UPDATE users SET name = to_name, name_key = to_key, roles = to_roles,
      paraphrase_hash = coalesce(to_hash, paraphrase_hash),
      revision = revision + (to_name IS DISTINCT FROM present.name OR to_roles <> present.roles)::int
      WHERE id = of_id;
    -- After the update, which has waited for every exchange that has verified the former hash.
    IF to_hash IS NOT NULL THEN
      DELETE FROM tokens WHERE user_id = of_id;
    END IF;
    RETURN 'changed';
  END $$;

  CREATE FUNCTION change_own_paraphrase(of_id bigint, from_hash text, to_hash text, kept bigint)
    RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE users SET paraphrase_hash = to_hash WHERE id = of_id AND paraphrase_hash = from_hash;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM tokens WHERE user_id = of_id AND id IS DISTINCT FROM kept;
    RETURN true;
  END $$;

  CREATE FUNCTION begin_removal(of_id bigint, keep_roles text[]) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    held text;
  BEGIN
    PERFORM lock_users();
    SELECT roles INTO held FROM users WHERE id = of_id;
    IF held IS NULL THEN
      RETURN 'missing';
    ELSIF has_role(held, keep_roles) AND NOT others_have_role(of_id, keep_roles) THEN
      RETURN 'last manager';
    END IF;
    UPDATE users SET removal_at = clock_ms() WHERE id = of_id;
    RETURN 'begun';
  END $$;

  -- Tokens are deleted with the row (ON DELETE CASCADE), even those that were issued while this waited. The id stays used.
  CREATE FUNCTION remove_user(of_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM lock_users();
    DELETE FROM users WHERE id = of_id;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    INSERT INTO settings VALUES ('highest_user_id', of_id::text) ON CONFLICT (name)
      DO UPDATE SET value = greatest(settings.value::bigint, excluded.value::bigint)::text;
    RETURN true;
  END $$;

  -- As begin_attempt, without a nonce, for each of these users or for none.
  CREATE FUNCTION reserve_attempts(
    of_address text, of_users bigint[], at_time bigint,
    user_failures bigint, user_window bigint, address_failures bigint, address_window bigint
  ) RETURNS TABLE (attempt_id bigint, retry_at bigint) LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || of_address, 1));
    retry_at := (SELECT max(throttled_until(of_address, claimed, at_time, 0::smallint,
      user_failures, user_window, address_failures, address_window)) FROM unnest(of_users) AS claimed);
    IF retry_at IS NOT NULL THEN
      RETURN NEXT;
      RETURN;
    END IF;
    RETURN QUERY INSERT INTO attempts (address, user_id, at, failed)
      SELECT of_address, claimed, at_time, 0 FROM unnest(of_users) AS claimed RETURNING id, NULL::bigint;
  END $$;
`
