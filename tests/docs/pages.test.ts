import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from '@rstest/core';
import { pages } from './pages.ts';

const all = pages();
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
/** Derives the anchor of a heading as GitHub and the site do. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchorsOf = (text: string) => [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
const linksOf = ({ path, text }: (typeof all)[number]) =>
  [...withoutCode(text).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target = '']) => {
    const [file = '', anchor] = target.split('#');
    return { from: path, target, path: file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file)), anchor };
  });

test('every link leads to an existing page and heading', () => {
  const known = new Map(all.map((page) => [page.path, anchorsOf(page.text)]));
  const links = all.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(50);
  const lost = links.filter(({ path, anchor }) => (known.has(path) ? anchor !== undefined && !known.get(path)?.includes(anchor) : !existsSync(`docs/${path}`)));
  expect(lost.map(({ from, target }) => `${from}: ${target}`)).toEqual([]);
});

test('each promise about security names existing files', () => {
  const { text = '' } = all.find(({ path }) => path === 'security.md') ?? {};
  const named = [...text.matchAll(/`((?:src|tests|docs)\/[^`\s]*)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  const promises = text.split('\n').filter((line) => /^\| .* \| .* \| .* \|$/.test(line) && !/^\| (promise|who|---|a |an )/.test(line));
  expect(promises.filter((line) => !/`(tests\/|npm run )/.test(line))).toEqual([]);
});

test('the site links to every page and to no missing one', async () => {
  const { default: site } = (await import('../../scripts/docs/rspress.config.ts')) as {
    default: { themeConfig: { sidebar: Record<string, { items: { link: string }[] }[]> } };
  };
  const links = Object.values(site.themeConfig.sidebar).flatMap((groups) => groups.flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`)));
  // `npm run docs` writes the pages of plugins, which another test compares with their contracts.
  const isOfPlugin = (path: string) => path.startsWith('api/plugins/');
  expect(links.filter(isOfPlugin)).toEqual(
    readdirSync('src/plugins')
      .sort()
      .map((id) => `api/plugins/${id}.md`),
  );
  const linked = links.filter((path) => !isOfPlugin(path));
  const shown = new Set([...linked, 'index.md']);
  expect(linked.filter((path) => !all.some((page) => page.path === path))).toEqual([]);
  expect(all.filter(({ path }) => !shown.has(path) && !path.startsWith('decisions/')).map(({ path }) => path)).toEqual([]);
  const decisions = all.find(({ path }) => path === 'decisions/README.md')?.text ?? '';
  expect(all.filter(({ path }) => /^decisions\/\d/.test(path) && !decisions.includes(path.slice(10))).map(({ path }) => path)).toEqual([]);
});
