import { Region } from '#plugins/region/contract';
import { ApiError, type Repository, repositoryOf, type ServerContext } from '#server';
import { baseDataProblems, City } from '../contract.ts';

const cityLevel = 2;
const districtLevel = 3;

/** Repository of cities, each with its region. The database fills in the province, and the region's name when no name is entered. */
export function citiesOf({ db }: Pick<ServerContext, 'db'>): Repository<typeof City> {
  const regions = repositoryOf(db, Region);
  return repositoryOf(db, City, {
    unique: [{ fields: ['code'] }],
    async beforeSave({ code }, before) {
      if (code === undefined || code === before?.code) return;
      const region = await regions.find({ code });
      if (!region) throw new ApiError(baseDataProblems.noRegion, {}, { field: 'code' });
      if (region.regionLevel < cityLevel || region.regionLevel > districtLevel) throw new ApiError(baseDataProblems.noCity, {}, { field: 'code' });
    },
  });
}
