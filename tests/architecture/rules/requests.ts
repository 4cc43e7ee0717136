import { posix } from 'node:path';
import type { SourceFile } from '../source.ts';
import { type Finding, isSource, lineOf, lineOfMatch, type SourceRule } from './rule.ts';

/** Matches everything by which console code can send a request outside of the transport. */
export const senders =
  /(?<![\w.])(?:(?:window|globalThis)\.)?fetch\(|XMLHttpRequest|new EventSource|new WebSocket|sendBeacon|from 'axios|import\('axios|\btransport\.(?:request|open)\(/;

/** Files that may cancel something by hand, each with the reason. Components read with `useQuery`, stores with `observeRequest`. */
export const controllers: Readonly<Record<string, string>> = {
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
  'CaptchaProof.tsx': 'a computation, no request',
  'captcha.ts': 'a picture that each failed attempt replaces',
  'PdfPages.tsx': 'the drawing of a page, no request',
};

/** Components whose effects send something, each with the reason. */
export const effects: Readonly<Record<string, string>> = {
  'use-query.ts': 'the query of a component',
  'ReadingPage.tsx': 'marks the opened notice as read',
  'TotalsLine.tsx': 'sums that follow the rows of a store, once these are shown',
  'RecordChanges.tsx': 'announces that a form is open',
  'RunLog.tsx': 'see above',
  'use-records.ts': 'see above',
  'ConsentPage.tsx': 'see above',
};

/** Components with a busy flag of their own, until the features that they belong to use `useMutation`. */
export const busyFlags: Readonly<Record<string, string>> = {
  'ProfileSection.tsx': 'account',
  'SignInForm.tsx': 'sign-in',
  'NextStep.tsx': 'sign-in',
  'use-sign-in-attempt.ts': 'sign-in',
};

/** Returns the places of the calls of a function, with the text of each including its arguments. */
function* callsOf(name: string, text: string): Generator<{ index: number; call: string }> {
  for (let start = text.indexOf(`${name}(`); start >= 0; start = text.indexOf(`${name}(`, start + 1)) {
    let depth = 0;
    let end = start + name.length;
    do depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
    while (depth > 0 && ++end < text.length);
    yield { index: start, call: text.slice(start, end) };
  }
}

const sendPattern = /\bhttp\s*\.send\(|\bobserveRequest\(/;
const busy = /\[is(?:Busy|Saving|Sending|Loading|Pending|Removing|Ending|Uploading|Submitting), set|\.finally\(\(\) => set/;

/** Returns the index of the first effect or memo of a component that sends a request, or -1. */
const sendingEffect = ({ text }: SourceFile): number =>
  ['useEffect', 'useMemo'].flatMap((name) => [...callsOf(name, text)]).find(({ call }) => sendPattern.test(call))?.index ?? -1;

/** Returns true for a file that sends a request from an effect or a memo. */
export const sendsFromEffect = (file: SourceFile): boolean => sendingEffect(file) >= 0;

/** Returns true for a file with a busy flag of its own; the module of `useMutation` is the one for all. */
export const hasBusyFlag = ({ path, text }: SourceFile): boolean => busy.test(text) && !path.endsWith('/use-mutation.ts');

const isOfPlugin = (file: SourceFile) => isSource(file) && /^src\/plugins\/[^/]+\/console\//.test(file.path);
const isNamed = (known: Readonly<Record<string, string>>, { path }: SourceFile) => Object.hasOwn(known, posix.basename(path));

const rule = (id: string, isFound: (file: SourceFile) => boolean, place: (file: SourceFile) => number, reason: string): SourceRule => ({
  id,
  find: (files) => files.filter((file) => isOfPlugin(file) && isFound(file)).map((file): Finding => ({ path: file.path, line: place(file), reason })),
});

/** Rules about requests of the console half. */
export const requestRules: readonly SourceRule[] = [
  rule(
    'request-transport',
    ({ text }) => senders.test(text),
    (file) => lineOfMatch(file, senders),
    'requests use the service Http, which has a time limit and the session',
  ),
  rule(
    'request-cancelling',
    (file) => file.text.includes('new AbortController') && !isNamed(controllers, file),
    (file) => lineOfMatch(file, /new AbortController/),
    'useQuery and observeRequest cancel requests; nothing is cancelled by hand',
  ),
  rule(
    'request-effect',
    (file) => sendsFromEffect(file) && !isNamed(effects, file),
    (file) => lineOf(file.text, sendingEffect(file)),
    'an effect or a memo sends a request; read with useQuery, act with useMutation',
  ),
  rule(
    'busy-flag',
    (file) => hasBusyFlag(file) && !isNamed(busyFlags, file),
    (file) => lineOfMatch(file, busy),
    'the busy flag of an action is that of useMutation',
  ),
];
