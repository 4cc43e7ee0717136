import { and, eq, max, sql } from 'drizzle-orm';
import { ApiError, hasId, isActive, type Repository, reorder, repositoryOf, type ServerContext, tableOf } from '#server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { Banner, type BannerPhase, type BannerRow, type BannerSubmit, type banner, linkTypes, miniappProblems } from '../contract.ts';

const table = tableOf(Banner);
const phase = sql<BannerPhase>`case
  when ${table.status} = 0 then 'off'
  when ${table.start_at} > now() then 'waiting'
  when ${table.end_at} <= now() then 'over'
  else 'showing' end`;

const linkPatterns: Readonly<Record<number, RegExp>> = {
  [linkTypes.page]: /^\/[\w/-]+(\?\S*)?$/,
  [linkTypes.web]: /^https:\/\/[^\s/]+\.[^\s/]+\S*$/,
  [linkTypes.task]: /^\d{1,19}$/,
};

/** Stores, lists and sorts banners. */
export class Banners {
  readonly rows: Repository<typeof Banner, BannerSubmit>;

  constructor(private readonly db: ServerContext['db']) {
    this.rows = repositoryOf<typeof Banner, BannerSubmit>(db, Banner, {
      complete: async ({ sort, position = 'home' }, { before }) => ({ sort: sort ?? before?.sort ?? (await this.nextSort(position)) }),
      beforeSave: (form, before) => assertValid({ ...before, ...form }),
    });
  }

  async page(input: InputOf<typeof banner.list>): Promise<ReplyOf<typeof banner.list>> {
    const { records, ...page } = await this.rows.page(input);
    const ids = records.map(({ id }) => id);
    const phases = await this.db.sql.select({ id: table.id, phase }).from(table).where(hasId(table, ids));
    const phaseById = new Map(phases.map((one) => [one.id, one.phase]));
    return { ...page, records: records.map((row) => ({ ...row, phase: phaseById.get(row.id) ?? 'off' })) };
  }

  showing(): Promise<BannerRow[]> {
    return this.rows.list(sql`${phase} = 'showing'`);
  }

  async order({ position, ids }: InputOf<typeof banner.order>): Promise<void> {
    await this.db.lock(`order of banners of ${this.db.tenantId}`);
    const currentBanners = await this.rows.list(sql`${table.position} = ${position}`);
    await reorder(currentBanners, ids, (moved) => this.rows.save(moved));
  }

  private async nextSort(position: BannerRow['position']): Promise<number> {
    const isSamePosition = and(eq(table.position, position), isActive(table));
    const sort = max(table.sort);
    const [last] = await this.db.sql.select({ sort }).from(table).where(isSamePosition);
    return (last?.sort ?? 0) + 1;
  }
}

function assertValid({ link_type = linkTypes.none, link }: Partial<BannerRow>): void {
  if (link_type !== linkTypes.none && link && !linkPatterns[link_type]?.test(link)) throw new ApiError(miniappProblems.wrongLink, {}, { field: 'link' });
}
