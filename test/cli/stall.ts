import type { ChildProcess } from 'node:child_process'
import postgres from 'postgres'
import { onPostgres } from '../support/postgres.ts'
import { until } from './ops.ts'

/** Where a trigger of a database stands still for so long that the process behind it can be killed. */
export interface Stall {
  /** Until it does, or the process has ended. */
  reached(child: ChildProcess): Promise<void>
  /** Ends what stands still, and removes the trigger. */
  end(): Promise<void>
}

/** `trigger`: when, as `AFTER INSERT ON links`. */
export async function stallAt(url: string, trigger: string): Promise<Stall> {
  const mark = `stalled ${new URL(url).searchParams.get('search_path')}`
  await onPostgres(
    url,
    `CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM set_config('application_name', '${mark}', false), pg_sleep(30); RETURN NEW;
     END $$;
     CREATE TRIGGER stall ${trigger} EXECUTE FUNCTION stall()`,
  )
  return {
    async reached(child) {
      const sql = postgres(url, { max: 1 })
      await until(async () => {
        const found = await sql`SELECT pid FROM pg_stat_activity WHERE application_name = ${mark}`
        return found.length > 0 || child.exitCode !== null
      }).finally(() => sql.end())
    },
    async end() {
      const ending = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1'
      await onPostgres(url, ending, [mark])
      await onPostgres(url, 'DROP FUNCTION stall CASCADE')
    },
  }
}
