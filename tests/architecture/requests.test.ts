import { expect, test } from '@rstest/core';
import { ApiLogEntry } from '#shared/api-log';
import { traitsOf } from '#shared/fields';
import { busyFlags, controllers, effects, hasBusyFlag, sendsFromEffect } from './rules/requests.ts';
import { filesUnder } from './source.ts';

const consoleFiles = filesUnder('src').filter(({ path }) => /^src\/(kernel|plugins\/[^/]+\/console)\//.test(path));
const named = (known: Readonly<Record<string, string>>, found: readonly string[]) => ({
  unknown: found.filter((path) => !Object.keys(known).some((name) => path.endsWith(`/${name}`))),
  gone: Object.keys(known).filter((name) => !found.some((path) => path.endsWith(`/${name}`))),
});
const nothing = { unknown: [], gone: [] };

test('requests are cancelled by useQuery and observeRequest, and by hand in named files only', () => {
  const found = consoleFiles.filter(({ text }) => text.includes('new AbortController')).map(({ path }) => path);
  expect(named(controllers, found)).toEqual(nothing);
});

test('no effect and no memo of a component sends a request', () => {
  const found = consoleFiles.filter(sendsFromEffect);
  expect(
    named(
      effects,
      found.map(({ path }) => path),
    ),
  ).toEqual(nothing);
});

test('the busy flag of an action is that of useMutation', () => {
  const found = consoleFiles.filter(hasBusyFlag).map(({ path }) => path);
  expect(named(busyFlags, found)).toEqual(nothing);
});

/** Statuses of requests that are refused before a call is known, which the API log does not have. */
const beforeCalls = [408, 431];

test('the API log has a name for the status of each declared problem', () => {
  const declared = filesUnder('src').flatMap(({ text }) => [...text.matchAll(/\bproblem\(\s*(\d{3})/g)].map(([, status]) => Number(status)));
  const named = traitsOf(ApiLogEntry.fields.statusCode)?.options?.map(([status]) => status) ?? [];
  expect(new Set(declared).size).toBeGreaterThan(10);
  expect([...new Set(declared)].filter((status) => !named.includes(status) && !beforeCalls.includes(status))).toEqual([]);
});
