import { sql } from 'drizzle-orm';
import { type Database, type TreeRepository, tableOf, treeRepositoryOf } from '#server';
import type { InputOf } from '#shared/contract';
import { Dept, type DeptRow, type dept, organizationProblems } from '../contract.ts';

/** Repository of departments. The database maintains their paths. */
export function departmentsOf(db: Database): TreeRepository<typeof Dept> {
  return treeRepositoryOf(db, Dept, {
    belowItself: organizationProblems.deptOwnParent,
    noParent: organizationProblems.noParentDept,
    hasChildren: organizationProblems.deptHasChildren,
  });
}

/** Returns the departments of one user, the main one first. */
async function departmentsOfUser(departments: TreeRepository<typeof Dept>, userId: string): Promise<DeptRow[]> {
  const { id } = tableOf(Dept);
  const sortOfUser = sql`(select ud.sort from user_dept ud where ud.dept_id = ${id} and ud.user_id = ${userId}::bigint)`;
  return departments.list(sql`${sortOfUser} is not null`, sortOfUser, sql`${id}`);
}

/** Returns departments as a list, those of one user or those with certain ids. */
export async function departmentOptions(departments: TreeRepository<typeof Dept>, { userId, deptId }: InputOf<typeof dept.select>): Promise<DeptRow[]> {
  const rows = userId ? await departmentsOfUser(departments, userId) : await departments.list();
  const requestedIds = deptId?.split(',');
  return requestedIds ? rows.filter(({ id }) => requestedIds.includes(id)) : rows;
}

/** Tells whether another tenant is requested, for which the result is empty. */
export const isOtherTenant = ({ tenantId }: { readonly tenantId?: string }, principal: { readonly tenantId: string }) =>
  tenantId !== undefined && tenantId !== '' && tenantId !== principal.tenantId;
