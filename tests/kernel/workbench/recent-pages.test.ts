import { expect, test } from '@rstest/core';
import { RecentPages } from '../../../src/kernel/workbench/state/recent-pages.ts';

test('a page keeps its description until it describes itself again, or is at another location', () => {
  const stored = new Map<string, unknown>();
  const storage = {
    read: (name: string) => stored.get(name),
    write: (name: string, value: unknown) => void stored.set(name, value),
    remove: (name: string) => void stored.delete(name),
  } as unknown as ConstructorParameters<typeof RecentPages>[0];
  const recent = new RecentPages(storage, 'recent');
  const page = { key: '/lamp', location: '/lamp?name=red' };
  recent.visit({ ...page, details: '名称: red' });
  recent.visit({ key: '/wel', location: '/wel' });
  const reopened = new RecentPages(storage, 'recent');
  reopened.visit(page);
  expect(reopened.state.pages[0]).toEqual({ ...page, details: '名称: red' });
  reopened.visit({ ...page, details: '' });
  expect(reopened.state.pages[0]?.details).toBe('');
  reopened.visit({ ...page, location: '/lamp?name=blue' });
  expect(reopened.state.pages[0]?.details).toBeUndefined();
  expect(reopened.state.pages).toHaveLength(2);
});
