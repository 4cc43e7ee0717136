import { countedRows } from '#shared/contract';

/** How many rows there are, in figures; `least` where the total is a lower bound, which is told in round thousands once counting has stopped. */
export function totalText(total: number, isExact: boolean): string {
  const least = total < countedRows ? total - 1 : Math.floor(total / 1000) * 1000;
  return (isExact ? total : least).toLocaleString('en');
}
