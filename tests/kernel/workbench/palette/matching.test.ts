import { describe, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { matchOf, type PaletteEntry, type PaletteGroup, sectionsOf, withoutRepeats } from '../../../../src/kernel/workbench/palette/sections.ts';

const rank = (title: string, typed: string, aliases?: string[]) => matchOf(title, typed, aliases)?.rank;
const marked = (title: string, typed: string) => {
  const range = matchOf(title, typed)?.range;
  return range && title.slice(range[0], range[1]);
};

describe('a name matches', () => {
  test('when it begins with the typed text, ignoring case', () => {
    expect([marked('System parameters', 'sYs'), marked('系统参数', '系统'), marked('API 文档', 'api')]).toEqual(['Sys', '系统', 'API']);
    expect([rank('System parameters', 'system'), rank('系统参数', ' 系统 ')]).toEqual([0, 0]);
    expect(rank('anything', '  ')).toBe(0);
  });

  test('by pinyin, by initials, and by both mixed', () => {
    expect([marked('广告主', 'ggz'), marked('广告主', 'guanggaozhu'), marked('广告主', 'guanggaoz'), marked('广告主管理', 'GGZ')]).toEqual(
      Array(4).fill('广告主'),
    );
    expect([marked('系统参数', 'xtcs')?.slice(2), marked('系统参数', 'cs'), marked('系统参数', 'canshu')]).toEqual(['参数', '参数', '参数']);
    expect(rank('广告主', 'ggx')).toBeUndefined();
  });

  test('by each reading of a character that has several', () => {
    expect([
      marked('重庆', 'cq'),
      marked('重庆', 'zq'),
      marked('银行卡', 'yhk'),
      marked('行为日志', 'xw'),
      marked('角色', 'js'),
      marked('角色', 'juese'),
    ]).toEqual(['重庆', '重庆', '银行卡', '行为', '角色', '角色']);
  });

  test('best at its beginning, then at the beginning of a word, by pinyin from its beginning, by pinyin within, within, and by another name', () => {
    const ranksBestFirst = [
      rank('参数', '参'),
      rank('System parameters', 'par'),
      rank('参数', 'cs'),
      rank('系统参数', 'cs'),
      rank('系统参数', '参数'),
      rank('系统参数', 'param', ['System parameters', 'param']),
    ];
    expect(ranksBestFirst).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('no text that it does not contain in any of these ways', () => {
    expect([rank('系统参数', 'zzz'), rank('系统参数', 'x(*['), rank('', 'a'), rank('Home', '首')]).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('with a range within the title, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.oneof(fc.string(), fc.constantFrom('ggz', '.*', '\\', '[')), (title, typed) => {
        const range = matchOf(title, typed)?.range;
        return range === undefined || (range[0] >= 0 && range[0] < range[1] && range[1] <= title.length);
      }),
    );
  });
});

const entry = (title: string, change: Partial<PaletteEntry> = {}): PaletteEntry => ({ key: title, title, icon: null, onSelect: () => undefined, ...change });
const group = (key: string, entries: PaletteEntry[], change: Partial<PaletteGroup> = {}): PaletteGroup => ({ key, title: key, entries, ...change });
const shown = (groups: PaletteGroup[], typed: string) => sectionsOf(groups, typed).map(({ key, hits }) => [key, hits.map(({ entry: { title } }) => title)]);

describe('sections', () => {
  const pages = group('pages', [entry('系统参数'), entry('系统字典'), entry('参数日志')]);
  const actions = group('actions', [entry('锁屏'), entry('参观')]);

  test('keep their order and are complete without input; empty ones are dropped', () => {
    expect(shown([group('recent', []), pages, actions], '')).toEqual([
      ['pages', ['系统参数', '系统字典', '参数日志']],
      ['actions', ['锁屏', '参观']],
    ]);
  });

  test('are sorted by their best match, and so are their entries', () => {
    expect(shown([actions, pages], '参数')).toEqual([['pages', ['参数日志', '系统参数']]]);
    expect(shown([group('actions', [entry('修改参数')]), pages], '参数')).toEqual([
      ['pages', ['参数日志', '系统参数']],
      ['actions', ['修改参数']],
    ]);
    expect(shown([pages, actions], 'sp')).toEqual([['actions', ['锁屏']]]);
    expect(shown([pages, actions], '锁')).toEqual([['actions', ['锁屏']]]);
  });

  test('of server results are shown even without a matching title, after those that match', () => {
    const found = group('records', [entry('默认密码')], { isFound: true });
    expect(shown([found, pages], '参数')).toEqual([
      ['pages', ['参数日志', '系统参数']],
      ['records', ['默认密码']],
    ]);
  });

  test('list the names that begin with the typed text first, in menu order', () => {
    const part = fc.constantFrom('系统', '参数', 'sys', 'Sys', 'tem', '管理', 'xt');
    const titles = fc.uniqueArray(
      fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(titles, part, (names, typed) => {
        const [[, found = []] = []] = shown(
          [
            group(
              'pages',
              names.map((name) => entry(name)),
            ),
          ],
          typed,
        ) as [string, string[]][];
        const begins = (name: string) => name.toLowerCase().startsWith(typed.toLowerCase());
        const beginning = names.filter(begins);
        expect(found.slice(0, beginning.length)).toEqual(beginning);
        expect(found.slice(beginning.length).some(begins)).toBe(false);
      }),
    );
  });

  test('list each location once, where it comes first', () => {
    const here = entry('系统参数', { location: '/system/param/index' });
    const groups = withoutRepeats([group('tabs', [here]), group('pages', [here, entry('字典', { location: '/dict' }), entry('锁屏')])]);
    expect(groups.map(({ entries }) => entries.map(({ title }) => title))).toEqual([['系统参数'], ['字典', '锁屏']]);
  });
});
