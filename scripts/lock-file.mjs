import { readFileSync } from 'node:fs';

/** The packages of a lock file by their place in `node_modules`; the project's own stands under `''`. */
export const lockedPackages = (path = 'package-lock.json') => JSON.parse(readFileSync(path, 'utf8')).packages;

/** The optional packages that locked packages name and the lock file does not hold with version and integrity, as `dependent > package`. */
export function missingOptionalPackages(packages) {
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => {
        const found = packages[placeOf(packages, place, name)];
        return !found?.version || !found.integrity;
      })
      .map((name) => `${place || 'package.json'} > ${name}`),
  );
}

/** The packages with native code for one platform, as `{ dependent, name, place }`. A platform is `{ os, cpu, libc }`, in npm's words. */
export function nativePackages(packages, platform) {
  return Object.entries(packages).flatMap(([dependent, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .map((name) => ({ dependent, name, place: placeOf(packages, dependent, name) }))
      .filter(({ place }) => {
        const found = packages[place];
        return (found?.os || found?.cpu) && ['os', 'cpu', 'libc'].every((key) => isAllowed(found[key], platform[key]));
      }),
  );
}

/** The packages that have native code on Linux with x64 and none on the platform. Those that stand for a platform themselves do not count. */
export function withoutNativeCode(packages, platform) {
  const dependents = (of) => nativePackages(packages, of).map(({ dependent }) => dependent);
  const there = new Set(dependents(platform));
  return [...new Set(dependents(linux))].filter((dependent) => !packages[dependent].os && !there.has(dependent));
}

const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/** npm's rule: `["linux"]` allows what it lists, `["!win32"]` what it does not. */
function isAllowed(list, value) {
  if (!list || (list.includes('any') && list.length === 1)) return true;
  const refused = list.filter((entry) => entry.startsWith('!'));
  return !refused.includes(`!${value}`) && (refused.length === list.length || list.includes(value));
}

/** The place from which Node resolves a package for the one at `place`: the nearest `node_modules` above it that has it. */
export function placeOf(packages, place, name) {
  for (let above = place; ; above = above.slice(0, Math.max(above.lastIndexOf('/node_modules/'), 0))) {
    const candidate = `${above ? `${above}/` : ''}node_modules/${name}`;
    if (packages[candidate] || !above) return candidate;
  }
}
