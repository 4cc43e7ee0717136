/** Returns the page numbers of a pager, at most seven of them; a gap is the negative number of the page before it. */
export function pageNumbers(current: number, pages: number): number[] {
  const near = [current - 1, current, current + 1];
  const wanted = new Set([
    1,
    pages,
    ...(current <= 4 ? [2, 3, 4, 5] : []),
    ...(current >= pages - 3 ? [pages - 4, pages - 3, pages - 2, pages - 1] : []),
    ...near,
  ]);
  const numbers = [...wanted].filter((page) => page >= 1 && page <= pages).sort((one, other) => one - other);
  return numbers.flatMap((page, at) => {
    const before = numbers[at - 1];
    return before !== undefined && page - before > 1 ? [-before, page] : [page];
  });
}
