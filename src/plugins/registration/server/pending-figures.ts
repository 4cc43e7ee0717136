import { sql } from 'drizzle-orm';
import { type FigureSource, queryRows, type ServerContext, tableOf, visibleRows } from '#server';
import { maxCountedRows } from '#shared/contract';
import { rowsOf } from '#shared/figures';
import { registrationStatuses } from '#shared/registration';
import { Registration, registration } from '../contract.ts';

const registrations = tableOf(Registration);

/** Requests for an account that wait for a decision, for the home page. */
export const pendingFigures = (db: ServerContext['db']): FigureSource => ({
  id: 'registration:pending',
  code: 'registration_approve',
  entities: [Registration.name],
  sort: 95,
  async read() {
    const [counted] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from (select from ${registrations} where decision = ${registrationStatuses.pending} and is_deleted = 0
            and ${visibleRows(db, Registration.name)} limit ${maxCountedRows}) waiting`,
    );
    const rows = rowsOf(registration, { decision: registrationStatuses.pending });
    return { waiting: [{ id: 'registration', title: ['待审核注册', 'Registrations'], count: counted?.count ?? 0, rows }] };
  },
});
