import { sql } from 'drizzle-orm';
import { problems, Refusal } from '#shared/errors';
import { type SharedView, sharedViews, viewLimits, viewProblems } from '#shared/views';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../db/database.ts';
import { admit } from '../http/admission.ts';
import { type Route, route } from '../http/route.ts';
import { administers } from '../permission/administrators.ts';
import { rowsOf } from '../rows.ts';

/** Views people share: offered to whoever may see the list, replaced by whoever shares them, withdrawn by them or an administrator. */
export function viewRoutes(db: Database, routes: readonly Route[]): Route[] {
  const lists = new Map(routes.filter(({ call }) => call.rows).map((one) => [one.call.path, one]));
  const admitTo = (list: string, principal: Principal) => {
    const served = lists.get(list);
    if (!served) throw new Refusal(problems.forbidden);
    admit(served, principal);
  };
  return [
    route(sharedViews.list, ({ input, principal }) => {
      admitTo(input.of, principal);
      return sharedOf(db, input.of, principal);
    }),
    route(sharedViews.share, async ({ input, principal }) => {
      admitTo(input.of, principal);
      await share(db, input, principal);
      return null;
    }),
    route(sharedViews.withdraw, async ({ input, principal }) => {
      await withdraw(db, input.id, principal);
      return null;
    }),
  ];
}

function sharedOf(db: Database, list: string, principal: Principal): Promise<SharedView[]> {
  return rowsOf<SharedView>(
    db,
    sql`select v.id::text as id, v.name, v.view, coalesce(nullif(u.real_name, ''), u.account) as owner, v.user_id = ${principal.userId} as "isOwn",
          (v.user_id = ${principal.userId} or ${administers(principal)}::boolean) as "mayWithdraw"
        from shared_view v join user_account u on u.id = v.user_id
        where v.list = ${list} order by v.name, v.id`,
  );
}

async function share(db: Database, { of, name, view }: { of: string; name: string; view: object }, { userId, tenantId }: Principal): Promise<void> {
  const text = JSON.stringify(view);
  if (Buffer.byteLength(text) > viewLimits.bytes) throw new Refusal(problems.tooLarge);
  // Two who share at once do not both take the last place.
  await db.lock(`views of ${tenantId} ${of}`);
  const [others] = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::integer as count from shared_view where list = ${of} and not (user_id = ${userId} and name = ${name})`,
  );
  if (Number(others?.count) >= viewLimits.perList) throw new Refusal(viewProblems.tooMany);
  await rowsOf(
    db,
    sql`insert into shared_view (list, name, user_id, view) values (${of}, ${name}, ${userId}, ${text}::jsonb)
      on conflict (tenant_id, list, name, user_id) do update set view = excluded.view, update_time = now()`,
  );
}

async function withdraw(db: Database, id: string, principal: Principal): Promise<void> {
  const gone = await rowsOf(
    db,
    sql`delete from shared_view where id = ${id} and (user_id = ${principal.userId} or ${administers(principal)}::boolean) returning id`,
  );
  if (gone.length === 0) throw new Refusal(problems.notFound);
}
