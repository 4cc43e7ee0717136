import { sql } from 'drizzle-orm';
import type { ServerContext } from '#server';
import { listSeedRegions } from './seed-regions.ts';

/** Seeds the divisions of China in one statement, passed as one JSON document. */
export async function seedRegions({ db }: Pick<ServerContext, 'db'>): Promise<void> {
  await db.sql.execute(sql`
    with given as (
      select next_id() as id, g.* from jsonb_to_recordset(${JSON.stringify(listSeedRegions())}::jsonb)
        as g(code text, "parentCode" text, name text, level integer, sort integer)
    )
    insert into region (id, parent_id, name, code, region_level, sort, parent_code, ancestors,
      province_code, province_name, city_code, city_name, district_code, district_name)
    select g.id, coalesce(above.id, 0), g.name, g.code, g.level, g.sort, g."parentCode",
      case g.level when 0 then '0' when 1 then '00' when 2 then '00,' || left(g.code, 2) else '00,' || left(g.code, 2) || ',' || left(g.code, 4) end,
      p.code, p.name, c.code, c.name, d.code, d.name
    from given g
    left join given above on above.code = g."parentCode"
    left join given p on p.level = 1 and p.code = left(g.code, 2)
    left join given c on c.level = 2 and c.code = left(g.code, 4)
    left join given d on d.level = 3 and d.code = g.code
    on conflict do nothing`);
}
