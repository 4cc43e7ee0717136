import { expect, test } from '@rstest/core';
import { baseTexts, consoleTexts, signInMethodTexts } from '../../src/kernel/platform/i18n/texts.ts';
import { findingsOf } from './rules/plugin-rules.ts';
import { chineseData, declaredMessages } from './rules/texts.ts';
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
  'roleSwitch.': ['dept', 'role'],
  'connection.': ['offline', 'lost', 'slow', 'restored'],
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

test('code that uses one of the messages or problems of a contract uses them all', async () => {
  expect(declaredMessages(source).length).toBeGreaterThanOrEqual(30);
  expect(await findingsOf('unused-message', source)).toEqual([]);
});

const chinese = /[\u3400-\u9fff]/;

test('Chinese text is one half of a pair, or a text of the kernel', async () => {
  expect(await findingsOf('text-pair', source)).toEqual([]);
  expect(chineseData.filter((path) => !chinese.test(source.find((file) => file.path === path)?.text ?? ''))).toEqual([]);
});

test('texts that guides, trainings and automated operators quote stay the same', () => {
  const quoted = [
    '新增成功',
    '更新成功',
    '删除成功',
    '发送成功!',
    '清空成功!',
    '清除完毕',
    '注册提示',
    '注册申请已提交,请耐心等待管理员通过!',
    '提交失败',
    '请选择至少一条数据',
    '确定将选择数据删除?',
    '锁屏密码不能为空',
    '请先输入账号名称',
    '请先输入密码',
    '两次密码输入不一致',
    '请选择部门',
    '请选择角色',
  ];
  const texts = filesUnder('src', ['.ts', '.tsx'])
    .map(({ text }) => text)
    .join('\n');
  expect(quoted.filter((text) => !texts.includes(`'${text}'`))).toEqual([]);
});
