import { expect, test } from '@rstest/core';
import { ApiLogEntry } from '#shared/api-log';
import { traitsOf } from '#shared/fields';
import { filesUnder } from './source.ts';

const consoleFiles = filesUnder('src').filter(({ path }) => /^src\/(kernel|plugins\/[^/]+\/console)\//.test(path));
const named = (known: Readonly<Record<string, string>>, found: readonly string[]) => ({
  unknown: found.filter((path) => !Object.keys(known).some((name) => path.endsWith(`/${name}`))),
  gone: Object.keys(known).filter((name) => !found.some((path) => path.endsWith(`/${name}`))),
});
const nothing = { unknown: [], gone: [] };

/** Files that may cancel something by hand, each with the reason. Components read with `useQuery`, stores with `observeRequest`. */
const controllers = {
  'use-query.ts': 'the query of a component',
  'observe-request.ts': 'the request of a store',
  'http-client.ts': 'the end of the console',
  'server-menu.ts': 'the session’s menu, loaded before any page',
  'granted-permission.ts': 'the session’s permissions, loaded before any page',
  'browser-live.ts': 'the stream of live events',
  'leader-election.ts': 'the turn of the leading tab',
  'live-reader.ts': 'one connection to the stream',
  'plugin-host.ts': 'the end of all plugins',
  'panes.ts': 'all requests of a tab',
  'use-uploads.ts': 'one upload of several, with its progress',
  'use-records.ts': 'the search while typing, whose last answer stays until the next',
  'use-tab-drag.ts': 'listeners, no request',
  'grant-store.ts': 'two promises of a source that the page gives',
  'RunLog.tsx': 'lines after the last one, appended to those shown',
  'ConsentPage.tsx': 'a request whose failure leaves the page',
  'ProofOfWork.tsx': 'a computation, no request',
  'captcha.ts': 'a picture that each failed attempt replaces',
};

test('requests are cancelled by useQuery and observeRequest, and by hand in named files only', () => {
  const found = consoleFiles.filter(({ text }) => text.includes('new AbortController')).map(({ path }) => path);
  expect(named(controllers, found)).toEqual(nothing);
});

/** Components whose effects send something, each with the reason. */
const effects = {
  'use-query.ts': 'the query of a component',
  'ReadingPage.tsx': 'marks the opened notice as read',
  'TotalsLine.tsx': 'sums that follow the rows of a store, once these are shown',
  'RecordChanges.tsx': 'announces that a form is open',
  'RunLog.tsx': 'see above',
  'use-records.ts': 'see above',
  'ConsentPage.tsx': 'see above',
};

/** Returns the text of each call of a function, with its arguments. */
function* callsOf(name: string, text: string): Generator<string> {
  for (let start = text.indexOf(`${name}(`); start >= 0; start = text.indexOf(`${name}(`, start + 1)) {
    let depth = 0;
    let end = start + name.length;
    do depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
    while (depth > 0 && ++end < text.length);
    yield text.slice(start, end);
  }
}

test('no effect and no memo of a component sends a request', () => {
  const sends = /\bhttp\s*\.send\(|\bobserveRequest\(/;
  const found = consoleFiles.filter(({ text }) => ['useEffect', 'useMemo'].some((name) => [...callsOf(name, text)].some((call) => sends.test(call))));
  expect(
    named(
      effects,
      found.map(({ path }) => path),
    ),
  ).toEqual(nothing);
});

/** Components with a busy flag of their own, until the features that they belong to use `useMutation`. */
const busyFlags = {
  'ExportDialog.tsx': 'transfers',
  'use-import.ts': 'transfers',
  'ProfileSection.tsx': 'account',
  'StepForm.tsx': 'account',
  'SignInForm.tsx': 'sign-in',
  'RegisterIdentityDialog.tsx': 'sign-in',
  'PhoneStep.tsx': 'sign-in',
  'RegisterStep.tsx': 'sign-in',
  'SecondFactorStep.tsx': 'sign-in',
  'use-sign-in-attempt.ts': 'sign-in',
};

test('the busy flag of an action is that of useMutation', () => {
  const busy = /\[is(?:Busy|Saving|Sending|Loading|Pending|Removing|Ending|Uploading|Submitting), set|\.finally\(\(\) => set/;
  const found = consoleFiles.filter(({ path, text }) => busy.test(text) && !path.endsWith('/use-mutation.ts')).map(({ path }) => path);
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
