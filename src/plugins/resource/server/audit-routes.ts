import { and, sql } from 'drizzle-orm';
import { type ServerContext, tableOf } from '#server';
import { DepartResource, kinds, resourceAudit, standings } from '../contract.ts';
import { decide } from './audit.ts';
import type { Resources } from './resources.ts';

const { status, type } = tableOf(DepartResource);

/** Serves the calls of resource auditors. */
export function serveAudit({ serve, db }: Pick<ServerContext, 'serve' | 'db'>, { rows }: Resources): void {
  serve(resourceAudit.list, ({ input }) => {
    const isAsked = Object.keys(input).some((name) => name.startsWith('status'));
    return rows.page(input, and(sql`${type} = ${kinds.file}`, isAsked ? undefined : sql`${status} = ${standings.waiting}`));
  });
  serve(resourceAudit.decide, ({ input, principal }) => decide(db, principal, input));
}
