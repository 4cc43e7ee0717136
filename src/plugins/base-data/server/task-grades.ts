import { ApiError, type Repository, repositoryOf, type ServerContext } from '#server';
import { baseDataProblems, TaskGrade } from '../contract.ts';

/** Repository of task grades, which validates the range of prices; a maximum of 0 is no limit. */
export function taskGradesOf({ db }: Pick<ServerContext, 'db'>): Repository<typeof TaskGrade> {
  return repositoryOf(db, TaskGrade, {
    unique: [{ fields: ['level'] }],
    beforeSave(form, before) {
      const { min_price = 0, max_price = 0 } = { ...before, ...form };
      if (max_price !== 0 && max_price < min_price) throw new ApiError(baseDataProblems.priceRange, {}, { field: 'max_price' });
    },
  });
}
