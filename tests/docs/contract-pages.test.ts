import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { writeContractPages } from '../../scripts/docs/contract-pages.mjs';
import { census } from '../contract/census.ts';

test('the documentation site has a page for each plugin, with every page, call and field of its contract', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-site-'));
  try {
    const ids = await writeContractPages(folder);
    expect(ids).toEqual(expect.arrayContaining(plugins.map(({ plugin: { id } }) => id)));
    const textOf = (id: string) => readFileSync(join(folder, `${id}.md`), 'utf8');
    for (const {
      plugin: { id, menus = [] },
    } of plugins) {
      const { calls, entities } = census((each) => each === id);
      const text = textOf(id);
      const expected = [
        ...menus.map(({ code }) => `\`${code}\``),
        ...calls.map(({ call: { method, path } }) => `\`${method} ${path}\``),
        ...entities.flatMap(({ fields }) => Object.keys(fields).map((field) => `| \`${field}\` |`)),
      ];
      expect({ id, missing: expected.filter((part) => !text.includes(part)) }).toEqual({ id, missing: [] });
    }
    expect(textOf('task')).toContain('`task:saving`');
    expect(textOf('account')).toContain('AccountSections');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
