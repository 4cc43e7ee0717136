import { expect, test } from '@rstest/core';
import { BackgroundWork } from '../../../src/server/host/plugin-host/background-work.ts';
import { pluginAtFault } from '../../../src/server/platform/audit/stray-errors.ts';

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function backgroundWork() {
  const lines: unknown[] = [];
  const log = { error: (fields: object, message: string) => void lines.push({ ...fields, message }) };
  const background = new BackgroundWork({ log, metrics: { failed: () => undefined }, timeScale: 1, traces: undefined } as never);
  return { background, lines };
}

test('an error of a plugin that stops is logged, and the others stop', async () => {
  const { background, lines } = backgroundWork();
  const stopped: (string | undefined)[] = [];
  const err = new Error('boom');
  background.add('broken', { stop: () => Promise.reject(err) });
  background.add('sound', { stop: () => void stopped.push(pluginAtFault(undefined)) });
  await background.stop();
  expect(stopped).toEqual(['sound']);
  expect(lines).toEqual([{ plugin: 'broken', err, message: 'plugin "broken" failed when the server stopped' }]);
});

test('no interval task begins once plugins stop, and one that runs may end through the `stop` of its plugin', async () => {
  const { background } = backgroundWork();
  let runs = 0;
  let finish = (): void => undefined;
  const events: string[] = [];
  const count = async () => {
    runs += 1;
  };
  background.add('quick', { tasks: [{ everySeconds: 0.005, run: count }], stop: () => pause(50) });
  background.add('long', {
    tasks: [{ everySeconds: 0.005, run: () => new Promise<void>((resolve) => (finish = resolve)).then(() => void events.push('ended')) }],
    stop: () => {
      events.push('stop');
      finish();
    },
  });
  await pause(30);
  const stopping = background.stop();
  const before = runs;
  await stopping;
  expect(before).toBeGreaterThan(0);
  expect(runs).toBe(before);
  expect(events).toEqual(['stop', 'ended']);
});
