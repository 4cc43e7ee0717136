/** Whether a version is within `^1.2.3`: the same leading number that is not zero, and not older. */
export function isWithin(version: string, range: string): boolean {
  const [wanted, given] = [parts(range.replace(/^\^/, '')), parts(version)];
  const leading = wanted.findIndex((part) => part > 0);
  const fixed = leading < 0 ? wanted.length : leading + 1;
  if (wanted.slice(0, fixed).some((part, place) => part !== given[place])) return false;
  const differing = wanted.findIndex((part, place) => part !== given[place]);
  return differing < 0 || (given[differing] ?? 0) > (wanted[differing] ?? 0);
}

const parts = (version: string): number[] => version.split('-', 1).flatMap((plain) => plain.split('.').map(Number));
