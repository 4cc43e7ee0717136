import { afterEach, expect, test } from '@rstest/core';
import { cleanup, render } from '@testing-library/react';
import { Subscription } from 'rxjs';
import type { Call } from '#shared/contract';
import { get, NoInput } from '#shared/contract';
import type { Services } from '../../../../src/kernel/base/container/services.ts';
import { useService } from '../../../../src/kernel/base/react/services.tsx';
import { type Answer, Http, type SendOptions } from '../../../../src/kernel/platform/http/http.ts';
import { type Pane, PaneContext } from '../../../../src/kernel/ui/pane/pane-context.ts';
import { usePageStore } from '../../../../src/kernel/ui/pane/use-page-store.ts';
import { PaneProvider } from '../../../../src/kernel/workbench/tabs/PaneProvider.tsx';
import { createPane } from '../../../../src/kernel/workbench/tabs/panes.ts';

const lamps = get('/api/lamp', { title: ['灯', 'Lamps'], access: 'signedIn', input: NoInput, reply: NoInput });

/** Never answers and records the signals of its requests. */
class SilentHttp extends Http {
  readonly signals: (AbortSignal | undefined)[] = [];
  send<C extends Call>(_call: C, _input: unknown, { signal }: SendOptions = {}): Promise<Answer<never>> {
    this.signals.push(signal);
    return new Promise(() => {});
  }
}

class Clock {
  readonly lifetime = new Subscription();
}

const stores: Clock[] = [];

function ClockPage() {
  const store = usePageStore(() => new Clock());
  if (!stores.includes(store)) stores.push(store);
  return null;
}

afterEach(cleanup);

function show(pane: Pane, Page: () => null) {
  const http = new SilentHttp();
  const services: Services = { get: (service) => (service === (Http as never) ? http : {}) as never };
  const tree = (
    <PaneContext value={pane}>
      <PaneProvider services={services}>
        <Page />
      </PaneProvider>
    </PaneContext>
  );
  return { http, services, ...render(tree) };
}

test('requests of a page are cancelled when its tab closes, with or without their own signal', () => {
  const pane = createPane({ onDirty: () => {} });
  const own = new AbortController();
  const { http } = show(pane, () => {
    const lent = useService(Http);
    void lent.send(lamps, {});
    void lent.send(lamps, {}, { signal: own.signal });
    return null;
  });
  expect(http.signals.map((signal) => signal?.aborted)).toEqual([false, false]);
  pane.lifetime.unsubscribe();
  expect(http.signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});

test('a request can still be cancelled by its sender alone', () => {
  const pane = createPane({ onDirty: () => {} });
  const own = new AbortController();
  const { http } = show(pane, () => {
    const lent = useService(Http);
    void lent.send(lamps, {});
    void lent.send(lamps, {}, { signal: own.signal });
    return null;
  });
  own.abort();
  expect(http.signals.map((signal) => signal?.aborted)).toEqual([false, true]);
});

test('outside a tab requests are unchanged', () => {
  const { http } = show({ setDirty: () => {} }, () => {
    void useService(Http).send(lamps, {});
    return null;
  });
  expect(http.signals).toEqual([undefined]);
});

test('a page store ends with its tab, or with its component if that is earlier', async () => {
  stores.length = 0;
  const closed = createPane({ onDirty: () => {} });
  show(closed, ClockPage);
  closed.lifetime.unsubscribe();
  expect(stores.map(({ lifetime }) => lifetime.closed)).toEqual([true]);

  const { unmount } = show(createPane({ onDirty: () => {} }), ClockPage);
  unmount();
  await Promise.resolve();
  expect(stores.map(({ lifetime }) => lifetime.closed)).toEqual([true, true]);
});
