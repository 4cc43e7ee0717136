import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { resource } from '#plugins/resource/contract';
import { FolderContents } from '../../../../src/plugins/resource/console/ResourcePage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const nothing = () => undefined;

test('a folder is read ten entries at a time', async () => {
  const records = Array.from({ length: 10 }, (_, index) => ({ id: String(index), name: `资料 ${index}`, type: 1, size: 0, url: null, cover: null }));
  const { inputs, press } = await showPage(
    <FolderContents
      {...{ pid: '0', owner: 'department', name: '', layout: 'rows', refetchKey: 0 }}
      onOpen={nothing}
      onRename={nothing}
      onMove={nothing}
      onRemove={nothing}
      onDrop={nothing}
    />,
    { answers: { [resource.list.path]: () => ({ records, total: 25, totalExact: true, size: 10, current: 1, pages: 3 }) } },
  );
  expect(await screen.findAllByText(/资料 \d/)).toHaveLength(10);
  await press(screen.getByText('3'));
  expect(inputs(resource.list)).toEqual([
    { current: 1, size: 10, pid: '0' },
    { current: 3, size: 10, pid: '0' },
  ]);
});
