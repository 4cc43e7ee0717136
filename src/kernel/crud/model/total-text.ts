import { countedRows } from '#shared/contract';

/** Formats the total; a lower bound is rounded down to thousands once counting has stopped. */
export function totalText(total: number, isExact: boolean): string {
  const lowerBound = total < countedRows ? total - 1 : Math.floor(total / 1000) * 1000;
  return (isExact ? total : lowerBound).toLocaleString('en');
}
