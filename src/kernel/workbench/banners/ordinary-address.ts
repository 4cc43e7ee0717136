/** Returns the same address without the parameter of safe mode. */
export function ordinaryAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search);
  query.delete('safe');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
