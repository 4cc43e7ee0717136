import { sql } from 'drizzle-orm';
import { ApiError, problems } from '#shared/errors';
import type { UserPreference } from '#shared/preferences';
import { type DefaultView, type SavedView, type SharedView, sharedViews, viewLimits, viewProblems, viewsKey } from '#shared/views';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { authorize } from '../http/authorize-call.ts';
import { type Route, route } from '../http/route.ts';
import { administers, type Principal } from '../principal/principal.ts';

/** Serves shared views: available to everyone who may see the list, replaced by the user who shares them, and withdrawn by that user or an administrator. */
export function viewRoutes(db: Database, routes: readonly Route[]): Route[] {
  const assertCanList = listAuthorizer(routes);
  return [
    route(sharedViews.list, ({ input, principal }) => {
      assertCanList(input.of, principal);
      return sharedOf(db, input.of, principal);
    }),
    route(sharedViews.share, async ({ input, principal }) => {
      assertCanList(input.of, principal);
      await share(db, input, principal);
    }),
    route(sharedViews.withdraw, ({ input, principal }) => withdraw(db, input.id, principal)),
  ];
}

/** Updates preferences with the current content of followed shared views; omits views that were withdrawn, or whose list the user may no longer see. */
export async function withFollowed(
  db: Database,
  routes: readonly Route[],
  preferences: readonly UserPreference[],
  principal: Principal,
): Promise<UserPreference[]> {
  const followers = preferences.filter(({ key, value }) => key.startsWith(viewsKey('')) && typeof (value as DefaultView | null)?.follows === 'string');
  if (followers.length === 0) return [...preferences];
  const ids = followers.map(({ value }) => (value as DefaultView).follows).filter((id) => /^\d{1,19}$/.test(id ?? ''));
  const views = await queryRows<{ id: string; list: string; view: SavedView }>(
    db,
    sql`select id::text as id, list, view from shared_view where id::text = any(${`{${ids.join(',')}}`}::text[])`,
  );
  const assertCanList = listAuthorizer(routes);
  const viewsByKey = new Map(
    views.filter(({ list }) => isAllowed(() => assertCanList(list, principal))).map(({ id, list, view }) => [`${viewsKey(list)} ${id}`, view]),
  );
  return preferences.map((one) => {
    if (!followers.includes(one)) return one;
    const { followed: _, ...value } = one.value as DefaultView;
    const view = viewsByKey.get(`${one.key} ${value.follows}`);
    return { ...one, value: view ? { ...value, followed: view } : value };
  });
}

/** Builds a function that throws unless a user may request a list. */
export function listAuthorizer(routes: readonly Route[]): (list: string, principal: Principal) => void {
  const lists = new Map(routes.filter(({ call }) => call.filterable).map((one) => [one.call.path, one]));
  return (list, principal) => {
    const served = lists.get(list);
    if (!served) throw new ApiError(problems.forbidden);
    authorize(served, principal);
  };
}

/** Tests whether a request passes without an `ApiError`. */
export function isAllowed(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function sharedOf(db: Database, list: string, principal: Principal): Promise<SharedView[]> {
  return queryRows<SharedView>(
    db,
    sql`select v.id::text as id, v.name, v.view, coalesce(nullif(u.real_name, ''), u.account) as owner, v.user_id = ${principal.userId} as "isOwn",
          (v.user_id = ${principal.userId} or ${administers(principal)}::boolean) as "mayWithdraw"
        from shared_view v join user_account u on u.id = v.user_id
        where v.list = ${list} order by v.name, v.id`,
  );
}

async function share(db: Database, { of, name, view }: { of: string; name: string; view: object }, { userId, tenantId }: Principal): Promise<void> {
  const text = JSON.stringify(view);
  if (Buffer.byteLength(text) > viewLimits.bytes) throw new ApiError(problems.tooLarge);
  // The lock prevents two simultaneous requests from exceeding the limit together.
  await db.lock(`views of ${tenantId} ${of}`);
  const [others] = await queryRows<{ count: number }>(
    db,
    sql`select count(*)::integer as count from shared_view where list = ${of} and not (user_id = ${userId} and name = ${name})`,
  );
  if (Number(others?.count) >= viewLimits.perList) throw new ApiError(viewProblems.tooMany);
  await queryRows(
    db,
    sql`insert into shared_view (list, name, user_id, view) values (${of}, ${name}, ${userId}, ${text}::jsonb)
      on conflict (tenant_id, list, name, user_id) do update set view = excluded.view, update_time = now()`,
  );
}

async function withdraw(db: Database, id: string, principal: Principal): Promise<void> {
  const gone = await queryRows(
    db,
    sql`delete from shared_view where id = ${id} and (user_id = ${principal.userId} or ${administers(principal)}::boolean) returning id`,
  );
  if (gone.length === 0) throw new ApiError(problems.notFound);
}
