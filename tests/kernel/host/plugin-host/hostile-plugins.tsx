import { useEffect, useLayoutEffect, useState } from 'react';
import { Bus, contribute, HomePanels, PaletteActions, type Plugin, type PluginContext } from '#kernel';
import type { LoadablePlugin } from '../../../../src/kernel/host/plugin/plugin.ts';
import { Happened, named, pageOf } from './plugins.ts';

const never = () => new Promise<never>(() => undefined);
const burst = () => {
  throw new Error('burst');
};
const entry = (id: string, given: unknown): LoadablePlugin => ({ id, load: () => Promise.resolve({ default: given as Plugin }) });
/** A page whose file arrives in a task of its own, as in a browser: `act` would render an endless loop in one task. */
const pageWith = (code: string, Page: () => React.ReactNode) => ({
  ...pageOf(code),
  load: () => new Promise<{ default: typeof Page }>((resolve) => setTimeout(() => resolve({ default: Page }))),
});

/** Renders itself again in an effect after each render. */
export function Circling() {
  const [turns, setTurns] = useState(0);
  useEffect(() => setTurns(turns + 1), [turns]);
  return <p>turn {turns}</p>;
}

function CirclingAtOnce() {
  const [turns, setTurns] = useState(0);
  useLayoutEffect(() => setTurns(turns + 1), [turns]);
  return null;
}

function Bursting(): React.ReactNode {
  throw new Error('burst on screen');
}

const listenForEver = ({ get, on }: PluginContext) => {
  on(Happened, burst);
  get(Bus).on(Happened, () => undefined);
  get(Bus).stream(Happened).subscribe();
};

const changeGlobals = () => {
  Object.assign(Array.prototype, { last: burst });
  Object.assign(globalThis, { fetch: burst });
  Array.prototype.map = burst;
};

const many = Array.from({ length: 3000 }, (_, index) => index);

/** Every way in which a plugin may harm its neighbours, each with the expected status. */
export const hostile: readonly (readonly [plugin: Plugin | LoadablePlugin, status: string])[] = [
  [{ id: 'throws-read', load: () => Promise.reject(new Error('burst')) }, 'quarantined: error'],
  [named('throws-wire', { provide: burst }), 'quarantined: error'],
  [named('throws-start', { start: burst }), 'quarantined: error'],
  [named('rejects-start', { start: () => Promise.reject(new Error('burst')) }), 'quarantined: error'],
  [named('throws-stop', { start: ({ onStop }) => onStop(burst) }), 'running'],
  [{ id: 'hangs-read', load: never }, 'quarantined: timeout'],
  [named('hangs-wire', { provide: never as never }), 'quarantined: timeout'],
  [named('hangs-start', { start: never }), 'quarantined: timeout'],
  [named('leaks', { start: listenForEver }), 'running'],
  [named('settings', { start: burst }), 'quarantined: duplicate'],
  [named('circle-a', { dependencies: ['circle-b'] }), 'quarantined: cycle'],
  [named('circle-b', { dependencies: ['circle-a'] }), 'quarantined: cycle'],
  [named('wants-more', { dependencies: ['no-such-plugin'] }), 'quarantined: missing'],
  [named('wants-broken', { dependencies: ['throws-start'] }), 'skipped: dependency'],
  [named('too-new', { version: '3.1.0', engine: '^99' }), 'quarantined: version'],
  [named('dated', { version: '1.4.0' }), 'running'],
  [named('wants-newer', { version: '2.0.0', dependencies: { dated: '^2' } }), 'quarantined: version'],
  [named('wants-nonsense', { dependencies: { dated: 'newest' } }), 'quarantined: version'],
  [entry('nothing', undefined), 'quarantined: malformed'],
  [entry('liar', named('other')), 'quarantined: malformed'],
  [named('pollutes-wire', { provide: changeGlobals }), 'quarantined: global-mutation'],
  [named('pollutes-start', { start: changeGlobals }), 'quarantined: global-mutation'],
  [named('huge', { title: ['大'.repeat(50_000), 'B'.repeat(50_000)], pages: many.map((index) => pageOf(`huge_${index}`)) }), 'running'],
  [named('everywhere', { contributions: many.map(() => contribute(PaletteActions, { title: ['动', 'Act'], run: burst })) }), 'running'],
  [
    named('bursts', {
      pages: [pageWith('bursts', Bursting)],
      contributions: [contribute(HomePanels, { title: ['坏', 'Bad'], load: async () => ({ default: Bursting }) })],
    }),
    'running',
  ],
  [named('circles', { pages: [pageWith('circles', Circling)] }), 'running'],
  [named('circles-at-once', { pages: [pageWith('circles_at_once', CirclingAtOnce)] }), 'running'],
];
