import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { Region } from '#plugins/region/contract';
import { ApiError, currentActor, idArray, type Repository, repositoryOf, type ServerContext, type TreeRepository, tableOf, treeRepositoryOf } from '#server';
import type { ListInput } from '#shared/contract';
import { firstInvalidLine } from '#shared/link-patterns';
import { Advertiser, advertiserName, baseDataProblems, Category, type CategorySubmit, City, Platform, TaskGrade } from '../contract.ts';

type RepositoryContext = Pick<ServerContext, 'db'>;

const { companyid } = tableOf(Advertiser);
const administratorRoles = ['administrator', 'admin'];

function seesAllCompanies(): boolean {
  const actor = currentActor();
  return !actor || actor.roles?.some((role) => administratorRoles.includes(role)) === true;
}

/** Condition for the advertisers of the caller's company; administrators see those of all companies. */
const ofCompany = (): SQL => {
  if (seesAllCompanies()) return sql`true`;
  return sql`is_of_company(${companyid}, ${idArray(currentActor()?.deptIds ?? [])})`;
};

/** Repository of advertisers. */
export const advertisersOf = ({ db }: RepositoryContext): Repository<typeof Advertiser> =>
  repositoryOf(db, Advertiser, { where: ofCompany, unique: [{ fields: ['name'] }] });

/** Repository of advertiser names, for pickers. */
export const advertiserNames = ({ db }: RepositoryContext) => repositoryOf(db, advertiserName.entity, { where: ofCompany });

/** Adapts the input of the list for BladeX-compatible clients: `companyid` filters for administrators only, and `isadmin` is ignored, because the server derives it. */
export function advertiserFilter({ companyid, isadmin: _, ...input }: ListInput): ListInput {
  return companyid === undefined || !seesAllCompanies() ? input : { ...input, companyid_equal: companyid };
}

/** Repository of platforms, which validates link patterns. */
export function platformsOf({ db }: RepositoryContext): Repository<typeof Platform> {
  return repositoryOf(db, Platform, {
    unique: [{ fields: ['code'] }],
    beforeSave({ link_pattern }) {
      const line = firstInvalidLine(link_pattern ?? '');
      if (line !== undefined) throw new ApiError(baseDataProblems.wrongPattern, { line }, { field: 'link_pattern' });
    },
  });
}

/** Repository of categories; BladeX-compatible clients name the parent `pid`. */
export function categoriesOf({ db }: RepositoryContext): TreeRepository<typeof Category, CategorySubmit> {
  return treeRepositoryOf<typeof Category, CategorySubmit>(db, Category, { unique: [{ fields: ['parentId', 'name'] }] });
}

/** Maps `pid` of a form to `parentId`. */
export const withParentId = ({ pid, ...form }: CategorySubmit): CategorySubmit => (pid === undefined ? form : { ...form, parentId: pid });

/** Repository of task grades. */
export function taskGradesOf({ db }: RepositoryContext): Repository<typeof TaskGrade> {
  return repositoryOf(db, TaskGrade, { unique: [{ fields: ['level'] }] });
}

const cityLevel = 2;
const districtLevel = 3;

/** Repository of cities, each with its region. The database fills in the province, and the region's name when no name is entered. */
export function citiesOf({ db }: RepositoryContext): Repository<typeof City> {
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

interface PickableColumns {
  readonly id: SQLWrapper;
  readonly status: SQLWrapper;
}

/** Condition of a picker: enabled rows, or the rows with these ids regardless of status. */
export function pickerRows({ id, status }: PickableColumns, { ids }: { readonly ids?: string }): SQL {
  return ids ? sql`${id} = any(${`{${ids}}`}::bigint[])` : sql`${status} = 1`;
}
