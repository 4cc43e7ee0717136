import { sql } from 'drizzle-orm';
import { type FigureSource, queryRows, type ServerContext, tableOf, visibleRows } from '#server';
import { countedRows } from '#shared/contract';
import { DepartResource, kinds, standings } from '../contract.ts';
import { resourceAuditMenu } from '../menus.ts';
import { ofDepartments } from './resources.ts';

/** Metrics of files in the user's departments that wait for an audit. */
export function auditFigures({ db }: Pick<ServerContext, 'db'>): FigureSource {
  return {
    id: 'resource:audit',
    code: resourceAuditMenu.code,
    entities: [DepartResource.name],
    sort: 90,
    isPersonal: true,
    async read() {
      const [counted] = await queryRows<{ count: number }>(
        db,
        sql`select count(*)::integer as count from (select from ${tableOf(DepartResource)} where type = ${kinds.file} and status = ${standings.waiting} and is_deleted = 0
              and ${ofDepartments()} and ${visibleRows(db, DepartResource.name)} limit ${countedRows}) waiting`,
      );
      return { waiting: [{ id: 'resource', title: ['待审核资源', 'Files to review'], count: counted?.count ?? 0, rows: { menu: resourceAuditMenu.code } }] };
    },
  };
}
