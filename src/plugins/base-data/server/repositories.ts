import { type SQL, sql } from 'drizzle-orm';
import { currentActor, idArray, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { ListInput } from '#shared/contract';
import { Advertiser, advertiserName } from '../contract.ts';

const { companyid } = tableOf(Advertiser);
const seeAll = ['administrator', 'admin'];

function isSeeingAll(): boolean {
  const actor = currentActor();
  return !actor || actor.roles?.some((role) => seeAll.includes(role)) === true;
}

/** Condition for the advertisers of the caller's company; administrators see those of all companies. */
const ofCompany = (): SQL => {
  if (isSeeingAll()) return sql`true`;
  return sql`is_of_company(${companyid}, ${idArray(currentActor()?.deptIds ?? [])})`;
};

/** Repository of advertisers. */
export const advertisersOf = ({ db }: Pick<ServerContext, 'db'>): Repository<typeof Advertiser> =>
  repositoryOf(db, Advertiser, { where: ofCompany, unique: [{ fields: ['name'] }] });

/** Repository of advertiser names, for pickers. */
export const advertiserNames = ({ db }: Pick<ServerContext, 'db'>) => repositoryOf(db, advertiserName.entity, { where: ofCompany });

/** Adapts the input of the list. BladeX-compatible clients send `companyid`, which filters for administrators only, and `isadmin`, which the server derives itself. */
export function withoutClaims({ companyid, isadmin: _is, ...input }: ListInput): ListInput {
  return companyid === undefined || !isSeeingAll() ? input : { ...input, companyid_equal: companyid };
}
