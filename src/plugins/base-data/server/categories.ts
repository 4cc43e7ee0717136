import { type ServerContext, type TreeRepository, treeRepositoryOf } from '#server';
import { Category, type CategorySubmit } from '../contract.ts';

/** Categories; clients of the family call the one above `pid`. */
export function categoriesOf({ db }: Pick<ServerContext, 'db'>): TreeRepository<typeof Category, CategorySubmit> {
  return treeRepositoryOf<typeof Category, CategorySubmit>(db, Category, { unique: [{ fields: ['parentId', 'name'] }] });
}

/** The form as the tree reads it. */
export const placed = ({ pid, ...form }: CategorySubmit): CategorySubmit => (pid === undefined ? form : { ...form, parentId: pid });
