import { readFileSync } from 'node:fs';

/** Returns the packages of a lock file by their path in `node_modules`; the project itself has the path `''`. */
export const lockedPackages = (path = 'package-lock.json') => JSON.parse(readFileSync(path, 'utf8')).packages;

/** Returns the optional dependencies that the lock file lacks or holds without version or integrity, as `dependent > package`. */
export function missingOptionalPackages(packages) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => {
        const found = packages[resolvedPath(packages, path, name)];
        return !found?.version || !found.integrity;
      })
      .map((name) => `${path || 'package.json'} > ${name}`),
  );
}

/** Returns the packages with native code for one platform, as `{ dependent, name, path }`. A platform is `{ os, cpu, libc }` in npm's terms. */
export function nativePackages(packages, platform) {
  return Object.entries(packages).flatMap(([dependent, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .map((name) => ({ dependent, name, path: resolvedPath(packages, dependent, name) }))
      .filter(({ path }) => {
        const found = packages[path];
        return (found?.os || found?.cpu) && ['os', 'cpu', 'libc'].every((key) => isAllowed(found[key], platform[key]));
      }),
  );
}

/** Returns the packages that have native code for Linux on x64 but not for the platform. Packages made for a single platform are left out. */
export function withoutNativeCode(packages, platform) {
  const dependents = (of) => nativePackages(packages, of).map(({ dependent }) => dependent);
  const withNativeCode = new Set(dependents(platform));
  return [...new Set(dependents(linux))].filter((dependent) => !packages[dependent].os && !withNativeCode.has(dependent));
}

const linux = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/** Applies npm's rule: `["linux"]` allows the listed values, `["!win32"]` all others. */
function isAllowed(list, value) {
  if (!list || (list.includes('any') && list.length === 1)) return true;
  const refused = list.filter((entry) => entry.startsWith('!'));
  return !refused.includes(`!${value}`) && (refused.length === list.length || list.includes(value));
}

/** Returns the path at which Node resolves a package from the package at `from`: the nearest `node_modules` above it that has it. */
export function resolvedPath(packages, from, name) {
  for (let above = from; ; above = above.slice(0, Math.max(above.lastIndexOf('/node_modules/'), 0))) {
    const candidate = `${above ? `${above}/` : ''}node_modules/${name}`;
    if (packages[candidate] || !above) return candidate;
  }
}
