import { expect, test } from '@rstest/core';
import { ApiLogEntry } from '#shared/api-log';
import { traitsOf } from '#shared/fields';
import { busyFlags, controllers, effects, hasBusyFlag, sendsFromEffect } from './rules/requests.ts';
import { filesUnder } from './source.ts';

const consoleFiles = filesUnder('src').filter(({ path }) => /^src\/(kernel|plugins\/[^/]+\/console)\//.test(path));
/** Compares the found files with the listed exceptions: those that are not listed, and entries that no file needs. */
const compareExceptions = (listed: Readonly<Record<string, string>>, found: readonly string[]) => ({
  unlisted: found.filter((path) => !Object.keys(listed).some((name) => path.endsWith(`/${name}`))),
  unneeded: Object.keys(listed).filter((name) => !found.some((path) => path.endsWith(`/${name}`))),
});
const noDifference = { unlisted: [], unneeded: [] };

test('only listed files cancel requests by hand, instead of useQuery and observeRequest', () => {
  const found = consoleFiles.filter(({ text }) => text.includes('new AbortController')).map(({ path }) => path);
  expect(compareExceptions(controllers, found)).toEqual(noDifference);
});

test('no effect or memo of a component sends a request, except in listed files', () => {
  const found = consoleFiles.filter(sendsFromEffect);
  expect(
    compareExceptions(
      effects,
      found.map(({ path }) => path),
    ),
  ).toEqual(noDifference);
});

test('only listed files have a busy flag of an action other than that of useMutation', () => {
  const found = consoleFiles.filter(hasBusyFlag).map(({ path }) => path);
  expect(compareExceptions(busyFlags, found)).toEqual(noDifference);
});

/** Statuses of requests that are refused before their call is known, and therefore not logged. */
const unloggedStatuses = [408, 431];

test('the API log has a name for the status of each declared problem', () => {
  const declared = filesUnder('src').flatMap(({ text }) => [...text.matchAll(/\bproblem\(\s*(\d{3})/g)].map(([, status]) => Number(status)));
  const named = traitsOf(ApiLogEntry.fields.statusCode)?.options?.map(([status]) => status) ?? [];
  expect(new Set(declared).size).toBeGreaterThan(10);
  expect([...new Set(declared)].filter((status) => !named.includes(status) && !unloggedStatuses.includes(status))).toEqual([]);
});
