import { expect, test } from '@rstest/core';
import { baseTexts, consoleTexts, signInMethodTexts } from '../../src/kernel/platform/i18n/texts.ts';
import { atLeast, isChecked, isEveryPluginChecked } from '../support/checked-plugins.ts';
import { filesUnder } from './source.ts';

type Tree = { readonly [name: string]: string | Tree };

const keysOf = (tree: Tree, above = ''): string[] =>
  Object.entries(tree).flatMap(([name, value]) => (typeof value === 'string' ? [above + name] : keysOf(value, `${above}${name}.`)));
const source = filesUnder('src').filter(({ path }) => !path.startsWith('src/kernel/platform/i18n/texts/'));
const code = source.map(({ text }) => text).join('\n');
const zh = { ...(await baseTexts.zh()), ...(await consoleTexts.zh()), ...(await signInMethodTexts.zh()) } as Tree;
const en = { ...(await baseTexts.en()), ...(await consoleTexts.en()), ...(await signInMethodTexts.en()) } as Tree;

/** Keys used by `text(`shell.${…}`)`, where they are not a whole branch. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  'acting.': ['dept', 'role'],
  'connection.': ['offline', 'lost', 'slow', 'back'],
  'palette.': ['side', 'top', 'mixed', 'compact', 'default', 'comfortable'],
  'shell.': ['zh', 'en', 'light', 'dark', 'system'],
};

test('every text is used, and both languages have the same keys', () => {
  const branches = new Set([...code.matchAll(/`(\w+(?:\.\w+)*\.)\$\{/g)].map(([, branch]) => branch as string));
  const isSaid = (key: string) => {
    const [, branch = '', name = ''] = /^(.*\.)(\w+)$/.exec(key) ?? [];
    return code.includes(`'${key}'`) || (branches.has(branch) && (chosen[branch]?.includes(name) ?? branch.split('.').length > 2));
  };
  expect(keysOf(zh).filter((key) => !isSaid(key))).toEqual([]);
  expect(keysOf(en).sort()).toEqual(keysOf(zh).sort());
  expect(Object.keys(chosen).filter((branch) => !branches.has(branch))).toEqual([]);
});

test('no text is empty, and English texts contain no Chinese except the name of the language', () => {
  const texts = (tree: Tree): string[] => Object.values(tree).flatMap((value) => (typeof value === 'string' ? [value] : texts(value)));
  expect([...texts(zh), ...texts(en)].filter((text) => text.trim() === '')).toEqual([]);
  expect(new Set(texts(en).filter((text) => chinese.test(text)))).toEqual(new Set(['中文']));
});

/** A contract without a server half in the checked sources is not tested. */
test('code that uses one of the messages or problems of a contract uses them all', () => {
  const isAsked = (path: string) => isEveryPluginChecked || isChecked(path.split('/')[2] ?? '');
  const asked = source.filter(({ path }) => isAsked(path));
  const declared = asked.flatMap(({ path, text }) =>
    [...text.matchAll(/^export const (\w*(?:Messages|[pP]roblems)) = \{\n([\s\S]*?)^\}/gm)].flatMap(([, table = '', body = '']) =>
      [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => ({ path, table, name })),
    ),
  );
  expect(declared.length).toBeGreaterThanOrEqual(atLeast(30));
  const isRead = ({ table, name }: (typeof declared)[number]) =>
    new RegExp(`\\b${table}\\.${name}\\b`).test(code) || (code.includes(`${table}[`) && code.includes(`'${name}'`));
  expect(declared.filter((one) => code.includes(`${one.table}.`) && !isRead(one))).toEqual([]);
});

const chinese = /[\u3400-\u9fff]/;
const pair = /\[\s*(['"`])(?:(?!\1)[\s\S])*\1,\s*(['"`])((?:(?!\2)[\s\S])*)\2,?\s*\]/g;

/** Files whose Chinese is data: initial rows of a new deployment, date formats that people use, headings of files for authorities, and field names of other programs. */
const data: readonly string[] = [
  'src/plugins/alipay/server/alipay-terms.ts',
  'src/plugins/bank-file/server/bank-terms.ts',
  'src/plugins/dictionary/server/seed-dictionaries.ts',
  'src/plugins/payee/server/report-file.ts',
  'src/plugins/wechat-pay/server/wechat-terms.ts',
  'src/plugins/region/server/seed-regions.ts',
  'src/plugins/tenant/server/seed-tenant.ts',
  'src/server/host/first-start.ts',
  'src/plugins/transfers/server/sheets/cells.ts',
];

test('Chinese text is one half of a pair, or a text of the kernel', () => {
  const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
  const alone = source
    .filter(({ path }) => !data.includes(path))
    .flatMap(({ path, text }) => {
      const rest = withoutComments(text).replace(pair, (found, _zh, _en, english: string) => (chinese.test(english) ? found : '[]'));
      return rest
        .split('\n')
        .filter((line) => chinese.test(line))
        .map((line) => `${path}: ${line.trim()}`);
    });
  expect(alone).toEqual([]);
  expect(data.filter((path) => !chinese.test(source.find((file) => file.path === path)?.text ?? ''))).toEqual([]);
});
