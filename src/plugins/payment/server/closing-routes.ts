import { type SQL, sql } from 'drizzle-orm';
import { Advertiser } from '#plugins/base-data/contract';
import { canSeeField, crudRoutes, hasFullAccess, type PluginRoute, queryRows, repositoryOf, route, type ServerContext, tableOf, visibleRows } from '#server';
import type { ReplyOf } from '#shared/contract';
import { accountTitles, journal, LedgerPosting, ledgerMonth, trialBalance } from '../contract.ts';
import type { Closing } from './closing.ts';
import { readTrialBalance } from './trial-balance.ts';

/** Serves the months of the ledger, the trial balance and the journal for accounting. */
export function closingRoutes(db: ServerContext['db'], closing: Closing): PluginRoute[] {
  return [
    crudRoutes(ledgerMonth, closing.rows),
    crudRoutes(journal, repositoryOf(db, journal.entity, { noTotal: true, where: () => visiblePostings(db) })),
    route(trialBalance, ({ input }) => readTrialBalance(db, input)),
    route(ledgerMonth.checks, ({ input }) => closing.checks(input.month)),
    route(ledgerMonth.close, ({ input, principal }) => closing.close(principal, input)),
    route(ledgerMonth.reopen, ({ input, principal }) => closing.reopen(principal, input)),
    route(accountTitles.detail, async () => ({ titles: await readTitles(db) })),
    route(accountTitles.save, async ({ input: { titles } }) => {
      await db.sql.execute(
        sql`insert into ledger_account_title (account, code, name)
            select account, code, name from jsonb_to_recordset(${JSON.stringify(titles)}::jsonb) as given (account integer, code text, name text)
            on conflict (tenant_id, account) do update set code = excluded.code, name = excluded.name`,
      );
    }),
  ];
}

/** Condition for the lines of postings that the user may see with their amounts, and whose advertisers the user may see, because lines name them. */
function visiblePostings(db: ServerContext['db']): SQL {
  if (!canSeeField(LedgerPosting.name, 'amount')) return sql`false`;
  if (hasFullAccess(LedgerPosting.name) && hasFullAccess(Advertiser.name)) return sql`true`;
  const { id, advertiserId } = tableOf(journal.entity);
  return sql`${id} in (select p.id from ledger_posting p where ${visibleRows(db, LedgerPosting.name, 'p')})
    and ${advertiserId} in (select a.id from advertiser a where ${visibleRows(db, Advertiser.name, 'a')})`;
}

const readTitles = (db: ServerContext['db']) =>
  queryRows<ReplyOf<typeof accountTitles.detail>['titles'][number]>(
    db,
    sql`select preset.account, coalesce(own.code, preset.code) as code, coalesce(own.name, preset.name) as name
        from preset_account_titles() preset left join ledger_account_title own on own.account = preset.account order by preset.account`,
  );
