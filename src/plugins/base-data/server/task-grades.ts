import { Refusal, type Repository, repositoryOf, type ServerContext } from '#server';
import { baseDataProblems, TaskGrade } from '../contract.ts';

/** Task grades, each with a range of prices; a highest price of nothing is none. */
export function taskGradesOf({ db }: Pick<ServerContext, 'db'>): Repository<typeof TaskGrade> {
  return repositoryOf(db, TaskGrade, {
    unique: [{ fields: ['level'] }],
    beforeSave(form, before) {
      const { min_price = 0, max_price = 0 } = { ...before, ...form };
      if (max_price !== 0 && max_price < min_price) throw new Refusal(baseDataProblems.priceRange, {}, { field: 'max_price' });
    },
  });
}
