import { type SQL, sql } from 'drizzle-orm';
import { currentActor, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { ListInput } from '#shared/contract';
import { Advertiser, advertiserName } from '../contract.ts';

const { companyid } = tableOf(Advertiser);
const seeAll = ['administrator', 'admin'];

/** The customers of the caller's company; administrators see those of all. */
const ofCompany = (): SQL => {
  const actor = currentActor();
  if (!actor || actor.roles?.some((role) => seeAll.includes(role))) return sql`true`;
  return sql`is_of_company(${companyid}, ${`{${(actor.deptIds ?? []).join(',')}}`}::bigint[])`;
};

/** Advertisers as they are kept. */
export const advertisersOf = ({ db }: Pick<ServerContext, 'db'>): Repository<typeof Advertiser> =>
  repositoryOf(db, Advertiser, { where: ofCompany, unique: [{ fields: ['name'] }] });

/** Advertisers by name, for whoever picks one. */
export const advertiserNames = ({ db }: Pick<ServerContext, 'db'>) => repositoryOf(db, advertiserName.entity, { where: ofCompany });

/** What a list asks for. Clients of the family say whose advertisers they want and that they may see all; the server knows both. */
export function withoutClaims({ companyid: _company, isadmin: _is, ...input }: ListInput): ListInput {
  return input;
}
