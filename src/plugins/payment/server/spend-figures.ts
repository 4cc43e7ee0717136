import { type SQL, sql } from 'drizzle-orm';
import { task } from '#plugins/task/contract';
import { canSeeField, type FigureSource, hasFullAccess, queryRows, type ServerContext, visibleRows } from '#server';
import { type ChartFigure, type ChartRow, type DayFigure, type FigureRows, rowsOf } from '#shared/figures';
import { Payout, type PayoutRow, payout, payoutStates } from '../contract.ts';
import { payMenu, payoutMenu } from '../menus.ts';
import { payoutStateSql } from './states.ts';

interface SpendDay {
  readonly day: string;
  readonly next: string;
  readonly amount: number;
}

interface SpendShare {
  readonly attribute: Attribute;
  readonly id: string;
  readonly name: string | null;
  readonly amount: number;
  readonly total: number;
}

type Attribute = 'advertiser' | 'category' | 'platform' | 'city';

const attributes: Readonly<Record<Attribute, ChartFigure['title']>> = {
  advertiser: ['广告主', 'Advertiser'],
  category: ['分类', 'Category'],
  platform: ['平台', 'Platform'],
  city: ['城市', 'City'],
};
const maxRows = 10;
const others = ['其他', 'Other'] as const;
/** Labels in place of a city for tasks without a city limit, or with several cities. */
const cityLabels: Readonly<Record<string, { readonly label: ChartRow['label']; readonly operator: 'null' | 'several' }>> = {
  '0': { label: ['不限城市', 'All cities'], operator: 'null' },
  '-1': { label: ['多个城市', 'Multiple cities'], operator: 'several' },
};
const paidTitle = ['付款', 'Paid'] as const;

/** Metrics of the amounts paid, by day and by attributes of the tasks. In 分. */
export function spendFigures({ db }: Pick<ServerContext, 'db'>): FigureSource {
  return {
    id: 'payment:spend',
    code: payoutMenu.code,
    workCode: payMenu.code,
    entities: [Payout.name, 'task', 'advertiser', 'category', 'platform', 'city'],
    async read({ days }) {
      if (!canSeeField(Payout.name, 'amount')) return {};
      const from = sql`current_date - ${days - 1}::integer`;
      const since = sql`current_date - ${Math.max(days - 1, 1)}::integer`;
      const all = await queryRows<SpendDay>(
        db,
        sql`select to_char(one, 'YYYY-MM-DD') as day, to_char(one + interval '1 day', 'YYYY-MM-DD') as next, coalesce(sum(amount), 0)::float8 as amount
            from generate_series(${since}, current_date, interval '1 day') one left join (${paid(db, since)}) paid on paid.day = one::date group by one order by one`,
      );
      const shown = all.slice(-days);
      const today = all.at(-1) as SpendDay;
      const dayConditions = (one: SpendDay, until: string) => [
        { field: 'paidTime' as const, operator: 'datege' as const, value: `${one.day} 00:00:00` },
        { field: 'paidTime' as const, operator: 'datelt' as const, value: `${until} 00:00:00` },
      ];
      const rowsOn = (one: SpendDay) => rowsOf(payout, { state: payoutStates.paid }, dayConditions(one, one.next));
      const figure: DayFigure = {
        id: 'paid',
        title: ['今日付款', 'Paid today'],
        unit: 'money',
        today: today.amount,
        yesterday: all.at(-2)?.amount ?? 0,
        rows: rowsOn(today),
      };
      const trend: ChartFigure = {
        id: 'spend',
        shape: 'days',
        title: ['付款趋势', 'Payment trend'],
        unit: 'money',
        series: [{ title: paidTitle, tone: 'brand' }],
        rows: shown.some(({ amount }) => amount > 0) ? shown.map((one) => ({ key: one.day, label: one.day, values: [one.amount], rows: rowsOn(one) })) : [],
      };
      const period = dayConditions(shown[0] as SpendDay, today.next);
      return { days: [figure], charts: [trend, ...shares(await sharesOf(db, from), period)] };
    },
  };
}

/** Returns daily sums: stored ones for users who see all rows, recomputed ones for users with a data scope. */
function paid(db: ServerContext['db'], from: SQL): SQL {
  if (hasFullAccess(Payout.name)) return sql`select day, task_id, advertiser_id, amount from payout_day where day >= ${from}`;
  return sql`select p.paid_time::date as day, p.task_id, p.advertiser_id, p.amount from payout p
    where p.paid_time >= ${from} and p.state = ${payoutStateSql.paid} and p.is_deleted = 0 and ${visibleRows(db, Payout.name, 'p')}`;
}

/** Returns the largest values of each attribute and their total. A task for several cities is counted separately. */
function sharesOf(db: ServerContext['db'], from: SQL): Promise<SpendShare[]> {
  return queryRows<SpendShare>(
    db,
    sql`select part as attribute, id::text as id, name, amount::float8 as amount, total::float8 as total from (
          select part, share.id, sum(amount) as amount, sum(sum(amount)) over (partition by part) as total,
            row_number() over (partition by part order by sum(amount) desc, share.id) as place,
            case part
              when 'advertiser' then (select a.name from advertiser a where a.id = share.id and ${visibleRows(db, 'advertiser', 'a')})
              when 'category' then (select c.name from category c where c.id = share.id and ${visibleRows(db, 'category', 'c')})
              when 'platform' then (select p.name from platform p where p.id = share.id and ${visibleRows(db, 'platform', 'p')})
              else (select c.name from city c where c.id = share.id and ${visibleRows(db, 'city', 'c')})
            end as name
          from (select task_id, advertiser_id, sum(amount) as amount from (${paid(db, from)}) paid group by task_id, advertiser_id) spent
          join task t on t.id = spent.task_id
          cross join lateral (values ('advertiser', spent.advertiser_id), ('category', t.category_id), ('platform', t.platform_id),
            ('city', case coalesce(jsonb_array_length(t.city_ids), 0) when 0 then 0 when 1 then (t.city_ids ->> 0)::bigint else -1 end)) share (part, id)
          group by part, share.id
        ) ranked where place <= ${maxRows} order by part, amount desc, id`,
  );
}

type PayoutConditions = Parameters<typeof rowsOf<PayoutRow>>[2];

/** Links to the payouts of an advertiser, otherwise to the tasks with this attribute. */
function rowsWith(part: Attribute, id: string, conditions: PayoutConditions): FigureRows {
  if (part === 'advertiser') return rowsOf(payout, { state: payoutStates.paid, advertiserId: id }, conditions);
  const city = part === 'city' ? cityLabels[id] : undefined;
  if (city) return rowsOf(task, {}, [{ field: 'cityIds', operator: city.operator, value: 'true' }]);
  return rowsOf(task, { [part === 'city' ? 'cityIds' : (`${part}Id` as const)]: id });
}

function shares(rows: readonly SpendShare[], conditions: PayoutConditions): ChartFigure[] {
  return (Object.keys(attributes) as Attribute[]).map((part) => {
    const own = rows.filter((row) => row.attribute === part);
    // Values whose names the user may not see are counted as others.
    const named = own.filter(({ id, name }) => name !== null || (part === 'city' && id in cityLabels));
    const rest = (own[0]?.total ?? 0) - named.reduce((sum, { amount }) => sum + amount, 0);
    const bars: ChartRow[] = named.map(({ id, name, amount }) => ({
      key: id,
      label: name ?? cityLabels[id]?.label ?? others,
      values: [amount],
      rows: rowsWith(part, id, conditions),
    }));
    return {
      id: `spend-${part}`,
      shape: 'bars',
      title: attributes[part],
      group: { id: 'spend-by', title: ['付款构成', 'Payment breakdown'] },
      unit: 'money',
      series: [{ title: paidTitle, tone: 'brand' }],
      rows: rest > 0 ? [...bars, { key: 'others', label: others, values: [rest] }] : bars,
    };
  });
}
