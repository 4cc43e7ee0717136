import { expect, test } from '@rstest/core';
import { Subject } from 'rxjs';
import type { LiveOpening } from '#shared/live';
import { isSafeAddress, SafeMode } from '../../../../src/kernel/host/plugin-host/safe-mode.ts';
import type { Live } from '../../../../src/kernel/platform/live/live.ts';
import { addressWithoutSafeMode } from '../../../../src/kernel/workbench/banners/SafeBanner.tsx';

test('an address can request safe mode, and leaving it opens the same address without it', () => {
  expect(['?safe', '?safe=1', '?a=b&safe=on', '?safe=0', '?safe=off', '?unsafe', ''].map(isSafeAddress)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(addressWithoutSafeMode({ pathname: '/system/plugin', search: '?safe&id=1' })).toBe('/system/plugin?id=1');
  expect(addressWithoutSafeMode({ pathname: '/', search: '?safe=1' })).toBe('/');
});

test('the server’s safe mode is shown while it lasts; a console’s own lasts until its next start', () => {
  for (const isRequested of [false, true]) {
    const opened = new Subject<Partial<LiveOpening>>();
    const mode = new SafeMode(isRequested, { stream: () => opened } as unknown as Live);
    const told: unknown[] = [];
    mode.cause$.subscribe((cause) => told.push(cause));
    opened.next({ safe: true });
    opened.next({});
    const own = isRequested ? 'address' : undefined;
    expect(told).toEqual([own, 'server', own]);
    mode.dispose();
  }
});
