import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { type CodeFile, code } from '#plugins/codegen/contract';
import { CodePreview, folderOf } from '../../../../src/plugins/codegen/console/CodePage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const file = (path: string, state: CodeFile['state'], current: string | null, text: string): CodeFile => ({ path, state, current, text });
const contract = 'src/plugins/film/contract.ts';
const files = [
  file(contract, 'conflict', 'one\nmine\n', '<<<<<<< by hand\nmine\n=======\ntheirs\n>>>>>>> generated\n'),
  file('src/plugins/film/console/plugin.ts', 'changed', 'same\nold\n', 'same\nnew\n'),
  file('sql/film.sql', 'new', null, 'create table film ();\n'),
];

test('files are shown in their folders; a folder with a single folder is merged with it', () => {
  const { folders } = folderOf(files);
  expect(folders.map(({ name }) => name)).toEqual(['src/plugins/film', 'sql']);
  expect(folders[0]?.files.map(({ name }) => name)).toEqual(['contract.ts']);
  expect(folders[0]?.folders.map(({ name, files: inside }) => [name, inside.length])).toEqual([['console', 1]]);
});

test('a file is compared with the existing one, and conflicts are only written with manual changes kept', async () => {
  let written = false;
  const page = await showPage(<CodePreview row={{ id: '3' } as never} />, {
    codes: ['code_gen'],
    answers: {
      [code.preview.path]: () => ({ canWrite: true, files: written ? files.map((one) => ({ ...one, state: 'same' })) : files }),
      [code.genCode.path]: () => {
        written = true;
        return { written: [contract], download: null };
      },
    },
  });
  const tree = within(await screen.findByRole('list', { name: '文件' }));
  const marks = (path: string) =>
    [...screen.getByRole('region', { name: path }).querySelectorAll('[data-mark]')].map((line) => line.getAttribute('data-mark')).join('');
  expect(screen.getByText('1 个文件有冲突')).toBeTruthy();
  // Words mark both sides, so that marks within the code are not mistaken for them.
  expect(screen.getByRole('region', { name: contract }).textContent).toBe(
    '- one\n! 冲突：手工修改（写入时保留）\n  mine\n! 冲突：新生成（不写入）\n  theirs\n! 冲突结束\n',
  );
  await page.press(tree.getByRole('button', { name: 'src/plugins/film/console/plugin.ts 更新' }));
  expect(marks('src/plugins/film/console/plugin.ts')).toBe(' -+');
  await page.press(tree.getByRole('button', { name: 'sql/film.sql 新增' }));
  expect(marks('sql/film.sql')).toBe(' ');
  expect(screen.queryByRole('button', { name: '写入源码' })).toBeNull();
  await page.press(screen.getByRole('button', { name: '写入，冲突处保留手工修改' }));
  expect(page.inputs(code.genCode)).toEqual([{ ids: ['3'], keepMine: true }]);
  expect(page.messages).toEqual(['success: 代码生成成功，写入 1 个文件']);
  expect(screen.getByRole('button', { name: '写入源码' })).toBeTruthy();
});
