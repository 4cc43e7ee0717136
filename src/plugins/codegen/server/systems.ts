import { ApiError } from '#server';
import { codeProblems, frontEnds, type System, systems } from '../contract.ts';

const halves = '^src/plugins/[^/]+/';
/** Path patterns of the files each system consists of. */
const paths: Readonly<Record<System, RegExp>> = {
  all: /^/,
  server: new RegExp(`${halves}((contract|menus)\\.ts$|server/)|^tests/`),
  console: new RegExp(`${halves}((contract|menus)\\.ts$|console/)`),
  openapi: /^openapi\//,
  sql: /^sql\//,
};

/** Returns a filter for the files of `system`; refuses unknown values with the list of valid ones. */
export function filesOf(system = ''): (path: string) => boolean {
  const name = system === '' || (frontEnds as readonly string[]).includes(system) ? 'all' : system;
  if (!Object.hasOwn(paths, name)) {
    const values = [...Object.keys(systems), ...frontEnds].join(', ');
    throw new ApiError(codeProblems.unknownSystem, { values }, { field: 'system' });
  }
  return (path) => paths[name as System].test(path);
}
