import { sql } from 'drizzle-orm';
import type { ServerContext } from '#server';
import { headKey } from './dictionaries.ts';
import { seedDictionaries } from './seed-dictionaries.ts';

/** Seeds the dictionaries of the BladeX-compatible API in one statement. Existing dictionaries are not changed, and deleted ones are not restored. */
export async function seedDicts({ db }: Pick<ServerContext, 'db'>): Promise<void> {
  const rows = seedDictionaries.flatMap(({ code, name, entries }, index) => [
    { code, key: headKey, value: name, sort: index + 1 },
    ...entries.map(([key, value], at) => ({ code, key, value, sort: at + 1 })),
  ]);
  await db.sql.execute(sql`
    with given as (
      select next_id() as id, g.*, g.key = ${headKey} as "isHead" from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(code text, key text, value text, sort integer)
    )
    insert into dict (id, parent_id, code, dict_key, dict_value, sort, update_time)
    select g.id, case when g."isHead" then 0 else head.id end, g.code, g.key, g.value, g.sort, date_trunc('second', now())
    from given g join given head on head.code = g.code and head."isHead"
    where not exists (select from dict d where d.code = g.code and d.parent_id = 0)
    order by g.id`);
}
