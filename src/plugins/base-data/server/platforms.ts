import { ApiError, type Repository, repositoryOf, type ServerContext } from '#server';
import { wrongLine } from '#shared/link-patterns';
import { baseDataProblems, Platform } from '../contract.ts';

/** Repository of platforms, which validates link patterns. */
export function platformsOf({ db }: Pick<ServerContext, 'db'>): Repository<typeof Platform> {
  return repositoryOf(db, Platform, {
    unique: [{ fields: ['code'] }],
    beforeSave({ link_pattern }) {
      const line = wrongLine(link_pattern ?? '');
      if (line !== undefined) throw new ApiError(baseDataProblems.wrongPattern, { line }, { field: 'link_pattern' });
    },
  });
}
