import { type ServerContext, type TreeRepository, treeRepositoryOf } from '#server';
import { Category, type CategorySubmit } from '../contract.ts';

/** Repository of categories; BladeX-compatible clients name the parent `pid`. */
export function categoriesOf({ db }: Pick<ServerContext, 'db'>): TreeRepository<typeof Category, CategorySubmit> {
  return treeRepositoryOf<typeof Category, CategorySubmit>(db, Category, { unique: [{ fields: ['parentId', 'name'] }] });
}

/** Maps `pid` of a form to `parentId`. */
export const withParentId = ({ pid, ...form }: CategorySubmit): CategorySubmit => (pid === undefined ? form : { ...form, parentId: pid });
